import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StopError } from '../../../errors.ts';
import { makeFolder } from '../../../make-folder.ts';
import type { WriteAnswer } from '../../../schema/answer.ts';
import type { DownloadResource } from '../../../schema/command-resources.ts';
import type { FileAnswer } from '../../../schema/open-answer.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { RequestError } from '../../../service/request-error.ts';
import { unwritten } from '../../../workbook/unwritten.ts';
import { writeAside } from '../../../workbook/write-aside.ts';
import type { Context } from '../../context.ts';
import { fileIn, isCutOff, isFileOf } from './file-content.ts';

/** What stands in a file's place: nothing, the file itself, the beginning of one, or something else. */
export type Standing = 'nothing' | 'it' | 'cut' | 'other';

/** Finds out what stands in a file's place. */
export async function standsThere(path: string, extension: string): Promise<Standing> {
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
 * Fetches a file and puts it in its place whole, unless it stands there by now. Throws RequestError for an answer that
 * holds no such file, StopError where the folder can't be written to.
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
    throw notWritten(path, unwritten(path, cause));
  }
  return done;
}

/** The place of a file is not named by --out. */
function notWritten(path: string, cause: unknown): unknown {
  if (!(cause instanceof StopError)) return cause;
  const next = {
    en: `Name another folder with --to than ${dirname(path)}, or make room there.`,
    nl: `Noem met --to een andere map dan ${dirname(path)}, of maak er ruimte.`,
  };
  return new StopError(cause.exitCode, cause.texts.message, { next, cause });
}

/** What stands there is somebody's, and stays. */
export const inTheWayText = (there: 'cut' | 'other', extension: string): Bilingual =>
  there === 'cut'
    ? {
        en: `a file of that name is there that is cut off; delete or move it, and it is fetched again`,
        nl: `er staat een bestand met die naam dat afgekapt is; verwijder of verplaats het, dan wordt het opnieuw opgehaald`,
      }
    : {
        en: `something of that name is there that is no ${extension}; move or rename it`,
        nl: `er staat iets met die naam dat geen ${extension} is; verplaats of hernoem het`,
      };

function whyNot({ bytes, type, words }: FileAnswer, extension: string): Bilingual {
  if (isCutOff(bytes, extension, type))
    return {
      en: `the ${extension} that came is cut off`,
      nl: `het bestand dat kwam (${extension}) is afgekapt`,
    };
  const said = words === null ? '' : `: ${words}`;
  return { en: `what came is no ${extension}${said}`, nl: `wat er kwam is geen ${extension}${said}` };
}

function unusable(endpoint: string, reason: Bilingual): RequestError {
  const nothing = { status: null, words: null, fields: {}, attempts: 1, mayHaveTakenEffect: false };
  return new RequestError({ kind: 'malformed', endpoint, reason, ...nothing });
}
