import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { openWorld } from '../promises/world.ts';
import { partsOf } from '../template/fill-in.ts';
import { problemBook } from '../workbook/problem-book.ts';
import { listed, listService } from './list-service.ts';

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);

const ODD = [
  ...'=1+1|#CLEAR|#N/A|a\nb|_x000D_|00123|1e5|12-03-2027|WAAR|"q" & <x>| – |\u2060x'.split('|'),
  ...['é ☕ 😀', '+31', '-5', '@x', 'x'.repeat(32_767), "'tis", '\ttab', '1,5', '100%'],
];

/** The rows that a program shows of a workbook's packages. */
async function seenRows(file: string): Promise<string> {
  const seen: number[] = [];
  const sheet = (await readWorkbook(file)).sheets.find(({ name }) => name === 'Pakketten');
  for await (const { number, hidden } of sheet?.rows ?? []) if (hidden !== true) seen.push(number);
  return seen.join(' ');
}

test.skipIf(office === undefined)(
  'an export that LibreOffice saved again imports as unchanged, and keeps its baseline; and it shows of a result the rows that need work',
  { timeout: 290_000 },
  async () => {
    const records = ODD.map((text, at) =>
      listed(at + 1, {
        ...{ OmschrijvingIntern: text, OfferteTekst: text, Artikelnummer: text, Verkoopprijs: 0.1 + at / 7 },
        ProductTypeID: at === 0 ? Number.MAX_SAFE_INTEGER : 3,
        Actief: at % 3 === 0 ? null : at % 2 === 0,
      }),
    );
    const service = await listService(records);
    const out = join(service.folder, 'uit.xlsx');
    await exportRecords(packages, { ...service.options, out, lang: 'nl' });
    const folder = join(service.folder, 'saved');
    mkdirSync(folder);
    // A profile of its own, as a second LibreOffice on the same one gives up.
    const profile = `-env:UserInstallation=${pathToFileURL(join(service.folder, 'profile'))}`;
    const { machine, ...world } = openWorld();
    const problems = join(service.folder, 'fout.xlsx');
    const book = await problemBook(join(service.folder, 'boek.xlsx'), { bad: [6, 8] });
    const options = { ...machine(), sheets: ['Pakketten'] };
    await world.importWorkbook(book, { ...options, out: problems, onlyProblems: true });
    const into = ['--convert-to', 'xlsx', '--outdir', folder];
    execFileSync(office ?? '', [profile, '--headless', ...into, out, problems], {
      timeout: 290_000,
      stdio: 'ignore',
    });
    expect(await seenRows(join(folder, 'fout.xlsx'))).toBe('1 3 6 8 10 11');
    const whole = join(folder, 'heel.xlsx');
    await world.importWorkbook(join(folder, 'fout.xlsx'), { ...options, out: whole });
    expect(await seenRows(whole)).toBe('1 3 6 8 10 11');
    const saved = join(folder, 'uit.xlsx');
    const result = await importWorkbook(saved, { ...service.options, lang: 'en' });
    expect(result.rows.filter(({ status }) => status !== 'unchanged')).toEqual([]);
    expect(result.counts).toMatchObject({ read: ODD.length, unchanged: ODD.length });
    expect(service.others).toEqual([]);
    const all = [...(await partsOf(readFileSync(saved)))];
    const count = (pattern: RegExp): number =>
      all.reduce((sum, [, xml]) => sum + (xml.match(pattern)?.length ?? 0), 0);
    expect(count(/ promptTitle=/g)).toBeGreaterThan(60);
    expect(count(/<table /g)).toBe(1);
    // What it was when it was exported is known still: what others changed since is no wish of the user's.
    service.records = records.map((record) => ({ ...record, OfferteTekst: 'van een ander' }));
    const later = await importWorkbook(saved, { ...service.options, lang: 'en' });
    expect(later.counts).toMatchObject({ read: ODD.length, unchanged: ODD.length });
  },
);
