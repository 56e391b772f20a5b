import type { Lookup } from '../schema/lookup.ts';
import type { ProductPage } from '../schema/page.ts';
import type { CatalogueResource, Resource } from '../schema/resource.ts';
import type { Bilingual } from '../schema/value.ts';
import { lookupEntries } from '../service/lookups.ts';
import { firstPage } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';
import { readDetail } from './kinds/catalogue/read-detail.ts';

/** One thing that was tried, and what came of it. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: Bilingual;
}

const EPOCH = '1970-01-01 00:00:00.000';
/** An id that no record has: how a service says so differs (design: Dialect). */
const NO_SUCH_ID = 2_147_483_000;

const both = (en: string, nl: string): Bilingual => ({ en, nl });

/**
 * Tries what an import needs, with reads only: the lists, a detail, a missing record, every lookup.
 * Throws StopError with EXIT.service for a refused token; RequestError when nothing answers at all.
 */
export async function* checkService(context: Context): AsyncGenerator<Check> {
  for (const resource of context.resources) {
    if (resource.kind === 'catalogue') yield* checkResource(context, resource);
  }
  for (const lookup of lookupsOf(context.resources)) yield await checkLookup(context, lookup);
}

async function* checkResource(context: Context, resource: CatalogueResource): AsyncGenerator<Check> {
  const { page } = await firstPage(context.service, resource.requests.list, { LMT: EPOCH });
  yield { what: resource.name, ok: true, found: listText(page) };
  const [record] = page.data;
  if (record === undefined) return;
  const keyed = page.data.filter((entry) => entry[resource.external] != null).length;
  yield {
    what: `${resource.name} ${resource.external}`,
    ok: keyed > 0,
    found: keyText(keyed, page.data.length),
  };
  const id = record[resource.id];
  const detail = typeof id === 'number' ? await readDetail(context, resource, id) : null;
  yield {
    what: `${resource.name} detail`,
    ok: detail !== null,
    found: detail === null ? both('not readable', 'niet leesbaar') : both('readable', 'leesbaar'),
  };
  yield { what: `${resource.name} missing record`, ok: true, found: await missingText(context, resource) };
}

function listText({ data, meta }: ProductPage): Bilingual {
  const total = meta.total ?? data.length;
  const pages = meta.last ?? 1;
  return both(`${total} records on ${pages} pages`, `${total} records op ${pages} pagina’s`);
}

function keyText(keyed: number, seen: number): Bilingual {
  return both(`on ${keyed} of the first ${seen}`, `bij ${keyed} van de eerste ${seen}`);
}

async function missingText(context: Context, resource: CatalogueResource): Promise<Bilingual> {
  try {
    const answer = await context.service.send(resource.requests.findById, { params: { ID: NO_SUCH_ID } });
    return answer === null
      ? both('an empty answer', 'een leeg antwoord')
      : both('some other record', 'een ander record');
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return both(`${error.status ?? error.kind}`, `${error.status ?? error.kind}`);
  }
}

function lookupsOf(resources: readonly Resource[]): Lookup[] {
  const lookups = resources.flatMap((resource) =>
    Object.values(resource.fields).flatMap((field) => field.lookup ?? []),
  );
  return [...new Map(lookups.map((lookup) => [lookup.name, lookup])).values()];
}

async function checkLookup(context: Context, lookup: Lookup): Promise<Check> {
  const dropdown = lookup.dropdown ?? context.dialect.dropdowns[lookup.name];
  const numbered = dropdown === undefined ? lookup : { ...lookup, dropdown };
  const entries = await lookupEntries(context.service, numbered, context.dialect.lookups[lookup.name]);
  const what = `lookup ${lookup.name}`;
  if (!Array.isArray(entries)) return { what, ok: false, found: entries.hint };
  const some = entries
    .slice(0, 3)
    .map(({ id, label }) => `${id} ${label}`)
    .join(', ');
  return {
    what,
    ok: true,
    found: both(`${entries.length} names: ${some}, …`, `${entries.length} namen: ${some}, …`),
  };
}
