import { join } from 'node:path';
import { t } from '../../core/language.ts';
import { tryFolder } from '../../files/folders.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { NOTHING_READ } from '../../records/planning.ts';
import type { RowDecision } from '../../records/row-decision.ts';
import { UNGUARDED } from '../../records/row-guard.ts';
import type { DownloadResource } from '../../schema/resource.ts';
import { checkAsked, createSameRows, planCommandRows, refuseCell } from '../command-rows.ts';
import type { Kind } from '../kind.ts';
import { fetchFile, inTheWayText, standsThere } from './fetch-file.ts';
import { safeName, unsafeExtension, unsafeId } from './safe-name.ts';

type Row = MappedRow<DownloadResource>;

/** What a row asks for, and where it goes. */
interface AskedFile {
  readonly id: string;
  readonly extension: string;
  readonly name: string;
}

/** Files that are fetched: what stands in its place already is not fetched again. */
export const download: Kind<DownloadResource> = {
  plan(_, resource) {
    const same = createSameRows();
    let tried: Promise<void> | undefined;
    return {
      openSheet: ({ rules }) =>
        planCommandRows<DownloadResource, AskedFile>(
          async (row) => {
            // Before anything is fetched that there is no place for.
            tried ??= tryFolder(rules.folder ?? '.', '--to');
            await tried;
            return checkAsked(row, '') ? asked(row) : null;
          },
          async (row, one) =>
            same.seen(`${one.id} ${one.extension}`, row) ??
            (await decide(resource, one, join(rules.folder ?? '.', one.name))),
        ),
      summary: () => NOTHING_READ,
    };
  },
  guard: ({ context }, resource) => ({
    ...UNGUARDED,
    carryOut(_, { params, body }) {
      const { id, extension } = params;
      if (typeof body.file !== 'string') throw new TypeError('a download without a place');
      return fetchFile(context, resource, { id: String(id), extension: String(extension) }, body.file);
    },
  }),
  notInFinance: ({ id, extension, usual }) => ({
    why: t(
      'it holds no ids of invoices, as the interface gives none',
      'er staan geen id’s van facturen in, omdat de interface die niet geeft',
    ),
    next: t(
      `Make a sheet of those you have from elsewhere: a column ${id}, and ${extension} for what is no ${usual}.`,
      `Maak een werkblad van de id’s die je van elders hebt: een kolom ${id}, en ${extension} voor wat geen ${usual} is.`,
    ),
  }),
};

function asked(row: Row): AskedFile | null {
  const { resource } = row.mapping;
  const id = String(row.values[resource.id]);
  const ending = String(row.values[resource.extension] ?? resource.usual);
  const extension = ending.replace(/^\./, '').toLowerCase();
  const wrongId = unsafeId(id);
  if (wrongId !== null) return refuseCell(row, resource.id, 'name-unsafe', id, wrongId);
  const wrong = unsafeExtension(extension);
  if (wrong !== null) return refuseCell(row, resource.extension, 'name-unsafe', ending, wrong);
  return { id, extension, name: safeName(id, extension) };
}

async function decide(
  { requests }: DownloadResource,
  { id, extension, name }: AskedFile,
  path: string,
): Promise<RowDecision> {
  const there = await standsThere(path, extension);
  const message = { en: name, nl: name };
  if (there === 'it')
    return { action: 'unchanged', message: t(`${name} is there already`, `${name} staat er al`) };
  if (there !== 'nothing') return { action: 'conflict', message: inTheWayText(there, extension) };
  const step = { endpoint: requests.file.name, body: { file: path }, params: { id, extension } };
  return { action: 'create', steps: [{ purpose: 'download', ...step }], message };
}
