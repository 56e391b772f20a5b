import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { cleanName } from './clean-name.ts';
import type { Desk } from './desk.ts';
import { NotFound } from './refusal.ts';
import { receiveFile } from './uploads.ts';

/** A file that names products to export, as the page knows it. */
export interface NamedProducts {
  readonly id: string;
  readonly name: string;
}

const folderOf = (desk: Desk, id: string): string => join(desk.madeFolder, `named-${id}`);

/** Keeps a file that a browser brings with what exports make: it goes after some days. Throws StopError. */
export async function keepNamed(
  desk: Desk,
  given: string,
  body: ReadableStream | null,
): Promise<NamedProducts> {
  const id = randomBytes(9).toString('base64url');
  const name = cleanName(given);
  const folder = folderOf(desk, id);
  makeFolder(folder);
  try {
    await receiveFile(body, join(folder, name));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { id, name };
}

const ID = /^[\w-]{12}$/;

/** The path of such a file. Throws NotFound for one that is not there any more. */
export function pathOfNamed(desk: Desk, id: string): string {
  const [name] = ID.test(id) ? filesIn(folderOf(desk, id)) : [];
  if (name === undefined) throw new NotFound(t('file', 'bestand'));
  return join(folderOf(desk, id), name);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
