import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { writeAside } from '../../files/write-aside.ts';
import { asWriteStop } from '../../files/write-failure.ts';
import type { Context } from '../../run/context.ts';
import type { FileAnswer, WriteAnswer } from '../../schema/answer.ts';
import type { DownloadResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { fileIn, isCutOff, isFileOf } from './file-content.ts';

/** What stands in a file's place: nothing, the file itself, the beginning of one, or something else. */
type StandingFile = 'nothing' | 'it' | 'cut' | 'other';

/** Finds out what stands in a file's place. */
export async function standsThere(path: string, extension: string): Promise<StandingFile> {
  try {
    // A pipe or a device would be read for ever.
    if (!(await stat(path)).isFile()) return 'other';
    const bytes = await readFile(path);
    if (isFileOf(bytes, extension)) return 'it';
    return isCutOff(bytes, extension) ? 'cut' : 'other';
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
 * Fetches a file and puts it in its place whole, unless it stands there by now. Throws RequestError for an
 * answer that holds no such file, StopError where the folder can't be written to.
 */
export async function fetchFile(
  { service }: Context,
  { requests: { file } }: DownloadResource,
  asked: { readonly id: string; readonly extension: string },
  path: string,
): Promise<WriteAnswer> {
  const done = { id: null, success: true, message: null };
  const there = await standsThere(path, asked.extension);
  if (there === 'it') return done;
  if (there !== 'nothing') throw unusable(file.name, inTheWayText(there, asked.extension));
  const answer = await service.send(file, { params: asked });
  const bytes = fileIn(answer.bytes, asked.extension, answer.type);
  if (bytes === null) throw unusable(file.name, whyNot(answer, asked.extension));
  try {
    makeFolder(dirname(path));
    await writeAside(path, async (stream) => void stream.write(bytes));
  } catch (cause) {
    throw notWritten(path, asWriteStop(path, cause));
  }
  return done;
}

/** The place of a file is not named by --out. */
function notWritten(path: string, cause: unknown): unknown {
  if (!(cause instanceof StopError)) return cause;
  const next = t(
    `Name another folder with --to than ${dirname(path)}, or make room there.`,
    `Noem met --to een andere map dan ${dirname(path)}, of maak er ruimte.`,
  );
  return new StopError(cause.exitCode, cause.texts.message, { next, cause });
}

/** What stands there is somebody's, and stays. */
export const inTheWayText = (there: 'cut' | 'other', extension: string): Bilingual =>
  there === 'cut'
    ? t(
        `a file of that name is there that is cut off; delete or move it, and it is fetched again`,
        `er staat een bestand met die naam dat afgekapt is; verwijder of verplaats het, dan wordt het opnieuw opgehaald`,
      )
    : t(
        `something of that name is there that is no ${extension}; move or rename it`,
        `er staat iets met die naam dat geen ${extension} is; verplaats of hernoem het`,
      );

function whyNot({ bytes, type, words }: FileAnswer, extension: string): Bilingual {
  if (isCutOff(bytes, extension, type))
    return t(`the ${extension} that came is cut off`, `het bestand dat kwam (${extension}) is afgekapt`);
  const said = words === null ? '' : `: ${words}`;
  return t(`what came is no ${extension}${said}`, `wat er kwam is geen ${extension}${said}`);
}

function unusable(endpoint: string, reason: Bilingual): RequestError {
  const nothing = { status: null, words: null, fields: {}, attempts: 1, mayHaveTakenEffect: false };
  return new RequestError({ kind: 'malformed', endpoint, reason, ...nothing });
}
