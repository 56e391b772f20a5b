import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** What is in a file, as 64 characters; read piece by piece. Throws what the disk says. */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** What makes an upload that one and no other: what is in the file, and where it goes. */
export interface DocumentName {
  readonly event: number;
  readonly folder: string;
  readonly hash: string;
  /** The user's own name for the row: with one, the same may be uploaded once more. */
  readonly key: string | null;
}

/** The name under which an upload is sent at most once, ever. */
export function nameDocument({ event, folder, hash, key }: DocumentName): string {
  const place = `event:${event} folder:${folder.normalize('NFC')} sha256:${hash}`;
  return key === null ? place : `key:${key} ${place}`;
}

/** Whether a document was named by what is in it now. */
export function isNamedBy(name: string | undefined, hash: string): boolean {
  return name?.endsWith(` sha256:${hash}`) === true;
}
