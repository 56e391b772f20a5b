import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { optionsFor, type TestService } from '../../helpers/test-service.ts';

/** What is the same in every run on a sheet of files. */
export const fileOptions = (service: Pick<TestService, 'folder' | 'url' | 'token'>) =>
  optionsFor(service, { out: `${service.folder}/r.csv`, retries: 0 });

let made = 0;

/** A sheet as a CSV. */
export function csvOf(
  { folder }: Pick<TestService, 'folder'>,
  rows: readonly (readonly unknown[])[],
): string {
  const file = `${folder}/blad-${++made}.csv`;
  writeFileSync(file, rows.map((row) => row.join(';')).join('\r\n'));
  return file;
}

/** A file with this in it, and the folders it stands in. */
export function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The issue codes of a row. */
export const codesOf = (
  row: { readonly issues?: readonly { readonly code: string }[] } | undefined,
): string[] => (row?.issues ?? []).map(({ code }) => code);
