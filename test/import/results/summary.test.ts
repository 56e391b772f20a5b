import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POSTED_SHEET } from '../../../src/files/posted-sheet.ts';
import { importWorkbook, readWorkbook } from '../../../src/index.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

test('the summary tells counts and problems, and is passed over and replaced when the result is imported; what needs work is seen alone', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'week12.xlsx'), {
    Notities: [['bellen']],
    Pakketten: [
      ...packageRows(3),
      [700_000, 'Soep', 1, 'abc', true],
      [700_001, 'Brood', 1, 'def', 'misschien'],
    ],
  });
  const options = {
    ...{ baseUrl: service.url, token: service.token, lang: 'nl' as const },
    ...{ ledger: join(service.folder, 'ledger.db'), log: join(service.folder, 'run.log') },
  };
  const first = await importWorkbook(file, options);
  expect(first.counts).toMatchObject({ created: 3, invalid: 2 });
  const result = join(service.folder, 'week12.result.xlsx');
  const sheets = await readBack(result);
  expect([...sheets.keys()]).toEqual(['Resultaat', 'Notities', 'Pakketten', POSTED_SHEET]);
  const lines = [...(sheets.get('Resultaat')?.values() ?? [])].map((cells) =>
    [...cells.values()].join(' | '),
  );
  expect(lines[0]).toBe('Resultaat van catersheet');
  expect(lines).toContain('Bestand | week12.xlsx');
  expect(lines).toContain(`Run | ${first.run}`);
  expect(lines).toContain('Werkblad | rijen | aangemaakt | ongeldig');
  expect(lines).toContain('in kolom #status | created | invalid');
  expect(lines).toContain('Pakketten | 5 | 3 | 2');
  const next = lines.indexOf('Wat je nu kunt doen');
  expect(lines.slice(next + 1, next + 3)).toEqual([
    'Verbeter de rode cellen van het resultaat en importeer dat bestand.',
    `Om deze run terug te draaien: catersheet undo ${first.run}`,
  ]);
  expect(lines.find((line) => line.startsWith('Wanneer'))).toMatch(/^Wanneer \| \d\d-\d\d-\d{4} \d\d:\d\d$/);
  expect(lines.find((line) => line.includes('number-expected'))).toMatch(
    /^Pakketten \| D \| 2 \| D5 \| D6 \| .* \| geen getal \(number-expected\)$/,
  );

  const second = await importWorkbook(result, { ...options, lang: 'en' });
  expect(second.counts).toMatchObject({ read: 5, unchanged: 3, invalid: 2 });
  const again = await readBack(join(service.folder, 'week12.result-2.xlsx'));
  expect([...again.keys()]).toEqual(['Result', 'Notities', 'Pakketten', POSTED_SHEET]);
  expect(again.get('Result')?.get(1)?.get(1)).toBe('Result of catersheet');
  const english = [...(again.get('Result')?.values() ?? [])].map((cells) => [...cells.values()].join(' | '));
  expect(english.join('\n')).not.toContain('#status');
  // Nothing was sent the second time.
  expect(english.join('\n')).not.toContain('catersheet undo');
  expect(english.find((line) => line.endsWith('| number-expected'))).toBeDefined();

  const out = join(service.folder, 'errors-only.xlsx');
  await importWorkbook(result, { ...options, out, onlyProblems: true });
  const rows = await readBack(out);
  expect([...rows.keys()]).toEqual(['Resultaat', 'Notities', 'Pakketten', POSTED_SHEET]);
  expect([...(rows.get('Pakketten')?.entries() ?? [])].map(([row, cells]) => [row, cells.get(1)])).toEqual([
    [1, 'ExternalID'],
    ...[2, 3, 4].map((row) => [row, 599_998 + row]),
    [5, 700_000],
    [6, 700_001],
  ]);
  // Each row is where it was, and its messages say so.
  expect(String(rows.get('Pakketten')?.get(5)?.get(8))).toContain('D5 Verkoopprijs: ');
  const last = await importWorkbook(out, { ...options, dryRun: true });
  expect(last.counts).toMatchObject({ read: 5, unchanged: 3, invalid: 2 });
  expect((await readWorkbook(last.result ?? '')).sheets.map(({ name }) => name)).toEqual([
    'Resultaat',
    'Notities',
    'Pakketten',
    POSTED_SHEET,
  ]);
});

test('the summary and the report say of counts that they are posted, of packages that they are created', async () => {
  const service = await openTestService();
  const head = ['ProductID', 'GeteldRekeneenheid', 'WerknemerID', 'DatumTijd'];
  const file = await makeWorkbook(join(service.folder, 'maart.xlsx'), {
    Pakketten: packageRows(2),
    Voorraadtelling: [
      [...head, 'MutatieCategorieID', 'MutatieReden'],
      [7001, 900, 12, '30-3-2026 18:00', 4901, 'Week'],
    ],
  });
  const report = join(service.folder, 'verslag.html');
  const { counts } = await importWorkbook(file, {
    ...{ baseUrl: service.url, token: service.token, lang: 'nl' },
    ...{ ledger: join(service.folder, 'ledger.db'), log: join(service.folder, 'run.log'), report },
  });
  expect(counts).toMatchObject({ read: 3, created: 3 });
  const sheets = await readBack(join(service.folder, 'maart.result.xlsx'));
  const lines = [...(sheets.get('Resultaat')?.values() ?? [])].map((cells) =>
    [...cells.values()].join(' | '),
  );
  const table = ['Werkblad | rijen | aangemaakt | geboekt', 'Pakketten | 2 | 2 | 0'];
  expect(lines).toEqual(
    expect.arrayContaining([...table, 'Voorraadtelling | 1 | 0 | 1', 'Totaal | 3 | 2 | 1']),
  );
  expect(sheets.get('Voorraadtelling')?.get(2)?.get(7)).toBe('created');
  const page = readFileSync(report, 'utf8');
  expect(page).toContain('<th scope="col">aangemaakt</th><th scope="col">geboekt</th>');
  expect(page.match(/<span class="pill good">\w+<\/span>/g)?.map((pill) => pill.slice(24, -7))).toEqual([
    'aangemaakt',
    'aangemaakt',
    'geboekt',
  ]);
});
