import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { scratchFolder } from '../workbook/make-workbook.ts';
import { corpusBooks, hidingFaults, rewriteFaults, unopened } from '../xlsx/edit/corpus-rewrites.ts';

const CORPORA = join(import.meta.dirname, '../../../shared/corpora');
const OFFICE = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);
/** One result of so many is opened by LibreOffice. */
const SHARE = 10;

const folder = scratchFolder();

it.skipIf(!existsSync(CORPORA))('every real workbook comes back as it was, with outcomes', async () => {
  const faults: string[] = [];
  const books = corpusBooks(CORPORA, 3_000_000);
  for (const [at, file] of books.entries()) {
    faults.push(...(await rewriteFaults(file, join(folder, `r${at}.xlsx`))));
    faults.push(...(await hidingFaults(file, join(folder, `h${at}.xlsx`))));
  }
  const results = readdirSync(folder).filter((name) => name.endsWith('.xlsx'));
  console.log(`${results.length} results`);
  expect(faults).toEqual([]);
  if (OFFICE === undefined) return;
  const into = join(folder, 'office');
  mkdirSync(into);
  const chosen = results.filter((_, at) => at % SHARE === 0).map((name) => join(folder, name));
  const profile = String(pathToFileURL(join(folder, 'profile')));
  const closed = unopened(OFFICE, profile, chosen, into);
  // What it can't open as a result, it could not open as it came.
  const sources = closed.map((file) => books[Number(/[rh](\d+)\.xlsx$/.exec(file)?.[1])] ?? file);
  if (sources.length > 0) expect(unopened(OFFICE, profile, sources, into)).toEqual(sources);
  console.log(`${chosen.length - closed.length} of ${chosen.length} opened by LibreOffice`);
});
