import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../workbook/make-workbook.ts';
import { corpusBooks, rewriteFaults } from '../../../xlsx/edit/corpus-rewrites.ts';

const CORPORA = join(import.meta.dirname, '../../../../../shared/corpora');
/** One workbook of so many; all of them are a campaign. */
const SHARE = 8;

const folder = scratchFolder();

test.skipIf(!existsSync(CORPORA))(
  'real workbooks of the corpora come back with outcomes, and with every cell and every untouched part as it was',
  { timeout: 290_000 },
  async () => {
    const books = corpusBooks(CORPORA, 100_000).filter((_, at) => at % SHARE === 0);
    expect(books.length).toBeGreaterThan(20);
    const faults: string[] = [];
    for (const [at, file] of books.entries())
      faults.push(...(await rewriteFaults(file, join(folder, `${at}.xlsx`))));
    expect(faults).toEqual([]);
    expect(
      readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 0).length,
    ).toBeGreaterThan(20);
  },
);
