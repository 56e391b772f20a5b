import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StopError } from '../../../errors.ts';
import { makeFolder } from '../../../make-folder.ts';
import type { WriteAnswer } from '../../../schema/answer.ts';
import type { DownloadResource } from '../../../schema/command-resources.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { RequestError } from '../../../service/request-error.ts';
import { unwritten } from '../../../workbook/unwritten.ts';
import { writeAside } from '../../../workbook/write-aside.ts';
import type { Context } from '../../context.ts';
import { fileIn, isFileOf } from './file-content.ts';

/** What stands in a file's place: nothing, the file itself, or something else. */
export async function standsThere(path: string, extension: string): Promise<'nothing' | 'it' | 'other'> {
  try {
    return isFileOf(await readFile(path), extension) ? 'it' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : 'other';
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
  if (there === 'other') throw unusable(file.name, inTheWayText(asked.extension));
  const answer = await service.send(file, { params: asked });
  const bytes = fileIn(answer.bytes, asked.extension, answer.type);
  if (bytes === null) throw unusable(file.name, noFileText(asked.extension, answer.words));
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
export const inTheWayText = (extension: string): Bilingual => ({
  en: `a file of that name is there that is no ${extension}; move or rename it`,
  nl: `er staat een bestand met die naam dat geen ${extension} is; verplaats of hernoem het`,
});

function noFileText(extension: string, words: string | null): Bilingual {
  const said = words === null ? '' : `: ${words}`;
  return { en: `what came is no ${extension}${said}`, nl: `wat er kwam is geen ${extension}${said}` };
}

function unusable(endpoint: string, reason: Bilingual): RequestError {
  const nothing = { status: null, words: null, fields: {}, attempts: 1, mayHaveTakenEffect: false };
  return new RequestError({ kind: 'malformed', endpoint, reason, ...nothing });
}
