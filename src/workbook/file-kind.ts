import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { EXIT, StopError } from '../errors.ts';
import { refusal } from './refused-kinds.ts';

/** What a file is, by its content. */
export type FileKind = 'xlsx' | 'csv';

const HEAD = 8192;

/** How a zip begins: with a file, the end of an empty one, or the mark of a split one. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/**
 * Finds out what a file is by looking inside; what is no zip is text when the user says so (`isText`). Throws the StopError that names
 * what it is when it is nothing that can be read.
 */
export async function fileKind(file: string, isText: boolean): Promise<FileKind> {
  try {
    // Before opening, as opening a pipe would wait for its other end.
    refuseOddFile(file, await stat(file));
    const handle = await open(file);
    try {
      return await kindByContent(file, handle, isText);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw cause instanceof StopError ? cause : unopened(file, cause as NodeJS.ErrnoException);
  }
}

function refuseOddFile(file: string, stats: Stats): void {
  if (stats.isDirectory()) throw refuse(file, 'is a folder, not a file', 'Name one workbook inside it.');
  if (!stats.isFile())
    throw refuse(file, 'is not an ordinary file', 'Save the workbook to disk and name that file.');
  if (stats.size === 0)
    throw refuse(file, 'is empty: it holds 0 bytes', 'Save the workbook again, or download it again.');
}

async function kindByContent(file: string, handle: FileHandle, isText: boolean): Promise<FileKind> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const head = buffer.subarray(0, bytesRead);
  if (ZIP_STARTS.includes(head.toString('latin1', 0, 4))) return 'xlsx';
  if (isText) return 'csv';
  const found = await refusal(handle, head, extname(file).toLowerCase());
  if (found !== undefined) throw refuse(file, found.sentence, found.next);
  return 'csv';
}

function unopened(file: string, cause: NodeJS.ErrnoException): StopError {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') {
    return refuse(file, 'does not exist', 'Check the name and the folder.', cause);
  }
  const next = 'Close it in other programs and check that you may read it.';
  return refuse(file, `cannot be opened (${cause.code ?? cause.message})`, next, cause);
}

function refuse(file: string, sentence: string, next: string, cause?: unknown): StopError {
  return new StopError(EXIT.file, `The file ${basename(file)} ${sentence}.`, { next, cause });
}
