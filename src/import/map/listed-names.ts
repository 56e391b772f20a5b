import type { Context } from '../../run/context.ts';
import { createNameFinder, type LookupLists, lookupsOf, type NameFinder } from '../../run/lookup-lists.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { ListedFields } from './header-proposals.ts';
import { type RecognisedSheet, type RecogniseOptions, recogniseSheets } from './recognise.ts';

/** So long somebody who is to be asked waits for lists, ms. */
const PATIENCE = 3000;

/**
 * Recognises sheets, and proposes columns of names by the service's lists that have them. Lists are read only where a
 * header says nothing of a column of texts; one that can't be read soon tells nothing.
 */
export async function recogniseByLists(
  { time, lists }: Pick<Context, 'time'> & { readonly lists: LookupLists },
  workbook: Workbook,
  options: RecogniseOptions,
): Promise<RecognisedSheet[]> {
  const asked = new Set<Resource>();
  const note: ListedFields = (resource) => {
    asked.add(resource);
    return [];
  };
  const found = await recogniseSheets(workbook, { ...options, listed: note });
  const used = new Set(
    found.flatMap((entry) => [
      ...(entry.kind === 'import' ? [entry.mapping.resource.name] : []),
      ...(entry.proposals ?? []).map(({ resource }) => resource),
    ]),
  );
  const lookups = lookupsOf([...asked].filter(({ name }) => used.has(name)));
  if (lookups.length === 0) return found;
  const finders = new Map<string, NameFinder>();
  const reading = lookups.map(async ({ lookup }) => {
    const list = await lists.read(lookup);
    if ('entries' in list) finders.set(lookup.name, createNameFinder(list.entries));
  });
  await Promise.race([Promise.all(reading), time.sleep(PATIENCE, undefined, false)]);
  const listed: ListedFields = ({ fields }, texts) =>
    Object.entries(fields).flatMap(([name, { lookup }]) => {
      const find = finders.get(lookup?.name ?? '');
      const hits = find === undefined ? [] : texts.filter((text) => find(text).length > 0);
      return hits.length * 2 > texts.length ? [name] : [];
    });
  return await recogniseSheets(workbook, { ...options, listed });
}
