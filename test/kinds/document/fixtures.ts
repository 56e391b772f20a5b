import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestService } from '../../helpers/test-service.ts';

/** What is the same in every run of a test. */
export function optionsFor({ folder, url, token }: Pick<TestService, 'folder' | 'url' | 'token'>) {
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log`, out: `${folder}/r.csv` };
  return { baseUrl: url, token, ...files, lang: 'en', allRows: true, retries: 0 } as const;
}

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
