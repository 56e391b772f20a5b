import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bilingual, same, t } from '../../core/language.ts';
import { checkWritableFolder, folderStop, makeFolder } from '../../files/folders.ts';
import { isHeldHere } from '../../files/held-files.ts';
import { writeAtomically } from '../../files/write-aside.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { ContextOf } from '../../records/planning.ts';
import type { RowDecision } from '../../records/row-decision.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import type { DownloadResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { checkAsked, createSameRows, planCommandRows, refuse } from '../command-rows.ts';
import type { Kind } from '../kind.ts';
import { fileIn, isFileOf } from './file-content.ts';
import { safeName, unsafeExtension, unsafeId } from './safe-name.ts';

interface AskedFile {
  readonly id: string;
  readonly extension: string;
}

/** Files that are fetched, unless they are there already. */
export const download: Kind<DownloadResource> = {
  plan({ resource }) {
    const same = createSameRows();
    let tried: Promise<void> | undefined;
    return {
      openSheet: ({ rules: { folder = '.' } }) =>
        planCommandRows<AskedFile>(
          async (row) => {
            // Before anything is fetched.
            tried ??= checkWritableFolder(folder, '--to');
            await tried;
            return checkAsked(row, '') ? asked(resource, row) : null;
          },
          async (row, one) =>
            same(`${one.id} ${one.extension}`, row) ?? (await decide(resource, one, folder)),
        ),
    };
  },
  guard: (context) => ({
    carryOut: (_, { params: { id, extension }, body: { file } }) =>
      fetchFile(context, { id: String(id), extension: String(extension) }, String(file)),
  }),
};

function asked(resource: DownloadResource, row: MappedRow): AskedFile | null {
  const id = String(row.values[resource.id]);
  const ending = String(row.values[resource.extension] ?? resource.usual);
  const extension = ending.replace(/^\./, '').toLowerCase();
  const wrongId = unsafeId(id);
  if (wrongId !== null) return refuse(row, resource.id, 'name-unsafe', wrongId);
  const wrong = unsafeExtension(extension);
  if (wrong !== null) return refuse(row, resource.extension, 'name-unsafe', wrong);
  return { id, extension };
}

async function decide({ requests }: DownloadResource, asked: AskedFile, to: string): Promise<RowDecision> {
  const name = safeName(asked.id, asked.extension);
  const file = join(to, name);
  const there = await standsThere(file, asked.extension);
  if (there === 'it')
    return { action: 'unchanged', message: t(`${name} is there already`, `${name} staat er al`) };
  if (there !== 'nothing') return { action: 'conflict', message: inTheWayText(asked.extension) };
  const step = { endpoint: requests.file.name, body: { file }, params: { ...asked } };
  return { action: 'create', steps: [{ purpose: 'download', ...step }], message: same(name) };
}

/** What is at a file's path. */
async function standsThere(path: string, extension: string): Promise<'nothing' | 'it' | 'other'> {
  try {
    // A pipe or a device would be read for ever.
    if (!(await stat(path)).isFile() || isHeldHere(path)) return 'other';
    return isFileOf(await readFile(path), extension) ? 'it' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'other';
    // A link to nothing is something.
    return await lstat(path).then(
      () => 'other',
      () => 'nothing',
    );
  }
}

/**
 * Fetches a file and writes it whole, unless it is there by now. Throws RequestError for an answer that holds
 * no such file, StopError where the folder can't be written to.
 */
async function fetchFile(
  { service, resource }: ContextOf<DownloadResource>,
  asked: AskedFile,
  path: string,
): Promise<WriteAnswer> {
  const { file } = resource.requests;
  const { extension } = asked;
  const unusable = (reason: Bilingual) =>
    new RequestError({ kind: 'malformed', endpoint: file.name, reason });
  const done = { id: null, success: true, message: null };
  const there = await standsThere(path, extension);
  if (there === 'it') return done;
  if (there !== 'nothing') throw unusable(inTheWayText(extension));
  const { bytes, words } = await service.send(file, { params: { ...asked } });
  const found = fileIn(bytes, extension);
  const said = words === null ? '' : `: ${words}`;
  if (found === null)
    throw unusable(
      t(
        `what came is no whole ${extension}${said}`,
        `wat er kwam is geen heel bestand (${extension})${said}`,
      ),
    );
  const folder = dirname(path);
  try {
    // The user's own folder, like the files in it.
    makeFolder(folder, [], 0o777);
    await writeAtomically(path, async (stream) => void stream.write(found));
  } catch (cause) {
    throw folderStop(folder, '--to', cause);
  }
  return done;
}

const inTheWayText = (extension: string): Bilingual =>
  t(
    `something of that name is there that is no whole ${extension}; move or rename it`,
    `er staat iets met die naam dat geen heel bestand (${extension}) is; verplaats of hernoem het`,
  );
