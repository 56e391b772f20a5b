import { writeFileSync } from 'node:fs';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { makeWorkbook, readBack } from '../helpers/make-workbook.ts';
import { runCli } from '../helpers/run-cli.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';

const OWN = ['Artikelnr', 'Naam', 'Soort', 'Prijs'];
const SOUP = [600_001, 'Tomatensoep', 1, 4.1];
const STEW = [600_002, 'Stamppot', 1, 8.2];

function optionsFor({ folder, url, token }: TestService) {
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log`, out: `${folder}/r.xlsx` };
  return { baseUrl: url, token, ...files, lang: 'en' } as const;
}

function profileIn({ folder }: TestService): void {
  const headers = { Prijs: 'Verkoopprijs', packages: { Soort: 'ProductTypeID' } };
  writeFileSync(`${folder}/catersheet.config.json`, JSON.stringify({ profiles: { keuken: { headers } } }));
}

/** A price list as a cook keeps it: a title, two header rows with merged cells, units, a hidden column and filtered rows, totals. */
async function priceList(file: string): Promise<string> {
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet('PAKKETTEN');
  sheet.addRows([
    ['Prijslijst voorjaar'],
    [],
    [null, 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Geld', null, 'Verkoop prijs'],
    [null, null, null, null, 'Verkoopprijs', 'Actief'],
    [null, 'uw nummer', 'in de keuken', null, '€', 'ja/nee'],
    [null, ...SOUP],
    [null, ...STEW],
    [],
    [null, 600_003, 'Totaalpakket', 1, 12.5],
    [null, 'Totaal', null, null, { formula: 'SUM(E6:E9)', result: 24.8 }],
  ]);
  for (const range of ['A1:G1', 'B3:B4', 'C3:C4', 'D3:D4', 'E3:F3']) sheet.mergeCells(range);
  sheet.getColumn(4).hidden = true;
  sheet.getRow(7).hidden = true;
  sheet.autoFilter = 'B4:F9';
  await workbook.xlsx.writeFile(file);
  return file;
}

describe('a workbook as people have it', () => {
  it('is read as it is meant, and says how', async () => {
    const service = await openTestService();
    const options = { ...optionsFor(service), allRows: true };
    const done = await importWorkbook(await priceList(`${service.folder}/lijst.xlsx`), options);
    expect(done.counts).toMatchObject({ read: 5, created: 3, skipped: 2, invalid: 0 });
    expect(done.sheets[0]?.notes).toEqual([
      'the headers are in rows 3 and 4',
      'hidden columns are imported too: D ProductTypeID',
      '1 hidden row is imported too (the sheet has a filter)',
      'row 5 passed over: an explanation of the columns, no record',
      'row 10 passed over: a total, no record',
      'columns not used: Verkoop prijs',
    ]);
    expect(done.rows.map(({ row, status }) => `${row} ${status}`)).toEqual([
      '5 skipped',
      '6 created',
      '7 created',
      '9 created',
      '10 skipped',
    ]);
    const result = (await readBack(options.out)).get('PAKKETTEN');
    expect(result?.get(4)?.get(8)).toBe('#status');
    expect(result?.get(5)?.get(10)).toMatch(/^explains the columns; no record \(create or update in #action/);
    expect(result?.get(7)?.get(8)).toBe('created');
    expect(result?.get(10)?.get(10)).toBe('a total; no record');
    const again = await importWorkbook(options.out, { ...options, out: `${service.folder}/r2.xlsx` });
    expect(again.counts).toMatchObject({ read: 5, unchanged: 3, skipped: 2 });
  });

  it('that holds no record is told like an empty one', async () => {
    const service = await openTestService();
    const sheets = {
      Pakketten: [
        ['ExternalID', 'Verkoopprijs'],
        ['Totaal', 0],
      ],
    };
    const file = await makeWorkbook(`${service.folder}/leeg.xlsx`, sheets);
    await expect(importWorkbook(file, optionsFor(service))).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('holds no row to send'),
    });
  });
});

describe('--map', () => {
  it('names the user’s own headers, is kept with the plan and for the profile, and is forgotten again', async () => {
    const service = await openTestService();
    profileIn(service);
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Voorjaar: [OWN, SOUP, STEW] });
    const map = 'Uw kop;Kolom\nArtikelnr;ExternalID\nNaam;OmschrijvingIntern\nMerk;Actief\n';
    writeFileSync(`${service.folder}/koppen.csv`, map);
    const importing = ['import', file, '--profile', 'keuken'];
    const planned = await service.runJson([...importing, '--map', 'koppen.csv', '--dry-run']);
    expect(planned.code).toBe(0);
    expect(planned.document.sheets[0]?.resource).toBe('packages');
    expect(planned.document.notes).toEqual(['Headers of the map that no sheet has: Merk']);
    const applied = await service.runJson(['apply', planned.document.run, '--yes']);
    expect(applied.document.counts).toMatchObject({ created: 2 });
    expect(applied.document.notes).toEqual(planned.document.notes);

    const again = await service.run([...importing, '--yes']);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('How the file was read');
    expect(again.stdout).toContain('Headers as remembered for profile keuken: Artikelnr = ExternalID, Naam');
    for (const flags of [['--map', 'none'], []])
      expect((await service.run([...importing, ...flags, '--dry-run'])).code).toBe(3);
  });
});

describe('--header-row, --encoding and --delimiter', () => {
  it('overrule what is found, and are kept with the plan', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    const rows = [
      'ExternalID|OmschrijvingIntern|Verkoopprijs|ProductTypeID',
      '',
      'Nr|OmschrijvingIntern|ProductTypeID|ExternalID|Verkoopprijs',
      '1|Cr\xe8me; fra\xeeche|1|600001|4,10',
    ];
    writeFileSync(file, rows.join('\r\n'), 'latin1');
    const overruled = ['--header-row', '3', '--encoding', 'windows-1252', '--delimiter', '|'];
    const planned = await service.runJson(['import', file, '--as', 'packages', ...overruled, '--dry-run']);
    expect(planned.code).toBe(0);
    expect(planned.document.counts).toMatchObject({ read: 1, created: 1 });
    expect(planned.document.notes).toBeUndefined();
    expect(planned.document.sheets[0]?.notes).toEqual(['the headers are in row 3', 'columns not used: Nr']);
    const applied = await service.runJson(['apply', planned.document.run, '--yes', '--out', 'r.csv']);
    expect(applied.document.counts).toMatchObject({ created: 1 });
    const names = (await service.records('package')).map(({ OmschrijvingIntern }) => OmschrijvingIntern);
    expect(names).toContain('Crème; fraîche');
    const result = (await readBack(`${service.folder}/r.csv`)).get('r');
    expect(result?.get(3)?.get(6)).toBe('#status');
  });

  it('tell of an encoding that is a guess', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    writeFileSync(file, 'ExternalID;OmschrijvingIntern\r\n1;Cr\xe8me fra\xeeche\r\n', 'latin1');
    const options = { ...optionsFor(service), as: packages, dryRun: true };
    const { notes } = await importWorkbook(file, {
      ...options,
      set: { ProductTypeID: '1', Verkoopprijs: '1' },
    });
    expect(notes).toEqual([
      'Read as windows-1252, as in "Crème", separated by ; (--encoding and --delimiter overrule)',
    ]);
  });

  it('refuse a header row that cannot be one', async () => {
    const { code, stderr } = await runCli(['import', 'a.xlsx', '--header-row', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('--header-row must be a whole number from 1');
  });

  it.each([
    [{ headerRow: 2 }, 2, 'row 2 of sheet Pakketten names no column'],
    [{ map: 'weg.csv' }, 3, 'weg.csv'],
    [{ map: { Prijs: 'Verkoop' } }, 2, '"Prijs" is to stand for Verkoop'],
    [{ encoding: 'ebcdic' }, 2, 'ebcdic'],
  ])('%j stops with exit %i, and sends nothing', async (wishes, exit, message) => {
    const service = await openTestService();
    const sheets = {
      Pakketten: [
        ['ExternalID', 'Verkoopprijs'],
        [600_001, 4],
      ],
    };
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, sheets);
    const stopped = importWorkbook(file, { ...optionsFor(service), ...wishes });
    await expect(stopped).rejects.toMatchObject({ exit, message: expect.stringContaining(message) });
    expect((await service.log()).requests).toEqual([]);
  });
});
