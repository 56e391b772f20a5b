import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../files/folders.ts';
import { readSmallText } from '../files/small-text.ts';
import { PRIVATE, writeAtomically } from '../files/write-aside.ts';
import type { ConfigFile } from './config-file.ts';

/** Files of settings that the user trusted, each with the hash of what it held then. */
const storeSchema = z.object({ files: z.record(z.string(), z.string()) });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether the user trusted a file as it stands: `store` remembers that. */
export const isTrusted = ({ file, text }: Pick<ConfigFile, 'file' | 'text'>, store: string): boolean =>
  readStore(store)[placeOf(file)] === hashOf(text);

/** Remembers that the user trusts a file as it stands. Throws StopError where that can't be written. */
export async function trustFile(
  { file, text }: Pick<ConfigFile, 'file' | 'text'>,
  store: string,
): Promise<void> {
  const files = { ...readStore(store), [placeOf(file)]: hashOf(text) };
  makeFolder(dirname(store));
  await writeAtomically(
    store,
    async (stream) => void stream.write(`${JSON.stringify({ files }, null, 2)}\n`),
    { mode: PRIVATE },
  );
}

/** A file by its true name: a link to it is trusted as it is, and its paths count from there. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** What can't be read trusts nothing. */
function readStore(store: string): Readonly<Record<string, string>> {
  try {
    return storeSchema.parse(JSON.parse(readSmallText(store))).files;
  } catch {
    return {};
  }
}
