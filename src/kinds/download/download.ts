import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StopError } from '../../core/errors.ts';
import { type Bilingual, same, t } from '../../core/language.ts';
import { checkWritableFolder, makeFolder } from '../../files/folders.ts';
import { isHeldHere } from '../../files/held-files.ts';
import { writeAtomically } from '../../files/write-aside.ts';
import { asWriteStop } from '../../files/write-failure.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { type ContextOf, NOTHING_READ } from '../../records/planning.ts';
import type { RowDecision } from '../../records/row-decision.ts';
import { UNGUARDED } from '../../records/row-guard.ts';
import type { FileAnswer, WriteAnswer } from '../../schema/answer.ts';
import type { DownloadResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { checkAsked, createSameRows, planCommandRows, refuse } from '../command-rows.ts';
import { foundBy, type Kind } from '../kind.ts';
import { fileIn, isFileOf } from './file-content.ts';
import { safeName, unsafeExtension, unsafeId } from './safe-name.ts';

type Row = MappedRow<DownloadResource>;

interface AskedFile {
  readonly id: string;
  readonly extension: string;
  readonly name: string;
}

/** Files that are fetched, unless they are there already. */
export const download: Kind<DownloadResource> = {
  plan({ resource }) {
    const same = createSameRows();
    let tried: Promise<void> | undefined;
    return {
      openSheet: ({ rules }) =>
        planCommandRows<DownloadResource, AskedFile>(
          async (row) => {
            // Before anything is fetched.
            tried ??= checkWritableFolder(rules.folder ?? '.', '--to');
            await tried;
            return checkAsked(row, '') ? asked(row) : null;
          },
          async (row, one) =>
            same(`${one.id} ${one.extension}`, row) ??
            (await decide(resource, one, join(rules.folder ?? '.', one.name))),
        ),
      summary: () => NOTHING_READ,
    };
  },
  foundAgain: ({ id }) => foundBy(id),
  guard: (context) => ({
    ...UNGUARDED,
    carryOut(_, { params, body }) {
      const { id, extension } = params;
      if (typeof body.file !== 'string') throw new TypeError('a download without a place');
      return fetchFile(context, { id: String(id), extension: String(extension) }, body.file);
    },
  }),
};

function asked(row: Row): AskedFile | null {
  const { resource } = row.mapping;
  const id = String(row.values[resource.id]);
  const ending = String(row.values[resource.extension] ?? resource.usual);
  const extension = ending.replace(/^\./, '').toLowerCase();
  const wrongId = unsafeId(id);
  if (wrongId !== null) return refuse(row, resource.id, 'name-unsafe', wrongId);
  const wrong = unsafeExtension(extension);
  if (wrong !== null) return refuse(row, resource.extension, 'name-unsafe', wrong);
  return { id, extension, name: safeName(id, extension) };
}

async function decide(
  { requests }: DownloadResource,
  { id, extension, name }: AskedFile,
  path: string,
): Promise<RowDecision> {
  const there = await standsThere(path, extension);
  const message = same(name);
  if (there === 'it')
    return { action: 'unchanged', message: t(`${name} is there already`, `${name} staat er al`) };
  if (there !== 'nothing') return { action: 'conflict', message: inTheWayText(extension) };
  const step = { endpoint: requests.file.name, body: { file: path }, params: { id, extension } };
  return { action: 'create', steps: [{ purpose: 'download', ...step }], message };
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
  asked: { readonly id: string; readonly extension: string },
  path: string,
): Promise<WriteAnswer> {
  const { file } = resource.requests;
  const done = { id: null, success: true, message: null };
  const there = await standsThere(path, asked.extension);
  if (there === 'it') return done;
  if (there !== 'nothing') throw unusable(file.name, inTheWayText(asked.extension));
  const answer = await service.send(file, { params: asked });
  const bytes = fileIn(answer.bytes, asked.extension);
  if (bytes === null) throw unusable(file.name, whyNot(answer, asked.extension));
  try {
    // The user's own folder, like the files in it.
    makeFolder(dirname(path), [], 0o777);
    await writeAtomically(path, async (stream) => void stream.write(bytes));
  } catch (cause) {
    throw notWritten(path, asWriteStop(path, cause));
  }
  return done;
}

/** The same failure, with --to in place of --out. */
function notWritten(path: string, cause: unknown): unknown {
  if (!(cause instanceof StopError)) return cause;
  const next = t(
    `Name another folder with --to than ${dirname(path)}, or make room there.`,
    `Noem met --to een andere map dan ${dirname(path)}, of maak er ruimte.`,
    t(
      `Name another folder than ${dirname(path)}, or make room there.`,
      `Noem een andere map dan ${dirname(path)}, of maak er ruimte.`,
    ),
  );
  return new StopError(cause.exit, cause.texts.message, { next, cause });
}

const inTheWayText = (extension: string): Bilingual =>
  t(
    `something of that name is there that is no whole ${extension}; move or rename it`,
    `er staat iets met die naam dat geen heel bestand (${extension}) is; verplaats of hernoem het`,
  );

function whyNot({ words }: FileAnswer, extension: string): Bilingual {
  const said = words === null ? '' : `: ${words}`;
  return t(
    `what came is no whole ${extension}${said}`,
    `wat er kwam is geen heel bestand (${extension})${said}`,
  );
}

function unusable(endpoint: string, reason: Bilingual): RequestError {
  const nothing = { status: null, words: null, fields: {}, attempts: 1, mayHaveTakenEffect: false };
  return new RequestError({ kind: 'malformed', endpoint, reason, ...nothing });
}
