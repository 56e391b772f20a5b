import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file with this in it, and the folders it stands in. */
export function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
