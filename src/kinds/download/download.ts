import { join } from 'node:path';
import { t } from '../../core/language.ts';
import { tryFolder } from '../../files/folders.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { DownloadResource } from '../../schema/resource.ts';
import { checkAsked } from '../about/check-asked.ts';
import { refuse } from '../about/event-of.ts';
import { type Decided, openRowPlanner } from '../about/row-planner.ts';
import { createSameRows } from '../about/same-row.ts';
import { KEYLESS } from '../keyless.ts';
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
        openRowPlanner<DownloadResource, AskedFile>(
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
      summary: () => ({ strategy: 'rows', newest: null }),
    };
  },
  guard: ({ context }, resource) => ({
    check: async () => null,
    wrote: async () => {},
    tookEffect: async () => null,
    carryOut(_, { params, body }) {
      const { id, extension } = params;
      if (typeof body.file !== 'string') throw new TypeError('a download without a place');
      return fetchFile(context, resource, { id: String(id), extension: String(extension) }, body.file);
    },
    keys: KEYLESS,
    notes: () => [],
  }),
};

function asked(row: Row): AskedFile | null {
  const { resource } = row.mapping;
  const id = String(row.values[resource.id]);
  const ending = String(row.values[resource.extension] ?? resource.usual);
  const extension = ending.replace(/^\./, '').toLowerCase();
  const wrongId = unsafeId(id);
  if (wrongId !== null) return refuse(row, resource.id, 'name-unsafe', id, wrongId);
  const wrong = unsafeExtension(extension);
  if (wrong !== null) return refuse(row, resource.extension, 'name-unsafe', ending, wrong);
  return { id, extension, name: safeName(id, extension) };
}

async function decide(
  { requests }: DownloadResource,
  { id, extension, name }: AskedFile,
  path: string,
): Promise<Decided> {
  const there = await standsThere(path, extension);
  const message = { en: name, nl: name };
  if (there === 'it')
    return { action: 'unchanged', message: t(`${name} is there already`, `${name} staat er al`) };
  if (there !== 'nothing') return { action: 'conflict', message: inTheWayText(there, extension) };
  const step = { endpoint: requests.file.name, body: { file: path }, params: { id, extension } };
  return { action: 'create', steps: [{ purpose: 'download', ...step }], message };
}
