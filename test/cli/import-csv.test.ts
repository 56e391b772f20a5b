import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { runCli } from '../helpers/run-cli.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';

function optionsFor({ folder, url, token }: TestService, name: string) {
  const files = {
    ledger: `${folder}/ledger.db`,
    log: `${folder}/run.log`,
    out: `${folder}/${name}.result.csv`,
  };
  return { baseUrl: url, token, ...files, lang: 'en', allRows: true } as const;
}

describe('a CSV with stray quotes', () => {
  const LINES = [
    'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs',
    '610001;Tomatensoep;1;4,10',
    '610002;"Bord 12" diep;1;8,20',
    '610003;"Brood;wit;1;9,20',
    '610004;"Uiensoep; met ""kaas""";1;3,20',
  ];

  it('is imported but for the row that nothing can be made of, and says so in plan, result and report', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    writeFileSync(file, LINES.join('\r\n'));
    const report = `${service.folder}/report.html`;
    const done = await importWorkbook(file, { ...optionsFor(service, 'prijzen'), as: packages, report });
    expect(done.counts).toMatchObject({ read: 4, created: 3, invalid: 1 });
    expect(done.rows.map(({ row, status }) => `${row} ${status}`)).toEqual([
      '2 created',
      '3 created',
      '4 invalid',
      '5 created',
    ]);
    const said = done.rows.flatMap(({ issues = [] }) =>
      issues.map(({ code, severity, cell }) => `${cell} ${severity} ${code}`),
    );
    expect(said).toEqual(['B3 warning quotes-literal', 'B4 error quotes-broken']);
    const result = readFileSync(`${service.folder}/prijzen.result.csv`, 'utf8').split('\r\n');
    expect(result[2]).toContain('"""Bord 12"" diep"');
    expect(result[2]).toContain('created');
    expect(result[3]).toContain('invalid');
    expect(result[3]).toContain('it makes 5 fields, where the file has 4');
    const page = readFileSync(report, 'utf8');
    expect(page).toContain('it makes 5 fields, where the file has 4');
  });

  it('among its headers is imported, and says so', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    writeFileSync(file, ['"ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', LINES[1]].join('\r\n'));
    const done = await importWorkbook(file, { ...optionsFor(service, 'prijzen'), as: packages });
    expect(done.counts).toMatchObject({ read: 1, created: 1 });
    expect(done.sheets[0]?.notes).toEqual(['a stray quote stands among the headers in row 1: "ExternalID']);
  });

  it('stops the row it is read by itself under strict', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    writeFileSync(file, LINES.slice(0, 3).join('\r\n'));
    const done = await importWorkbook(file, {
      ...optionsFor(service, 'prijzen'),
      as: packages,
      strict: true,
    });
    expect(done.counts).toMatchObject({ read: 2, created: 1, invalid: 1 });
  });
});

/** What a scanner does not know, the same for every row. */
const REST = {
  WerknemerID: '12',
  DatumTijd: '2026-03-31 07:45',
  MutatieCategorieID: 'Telling',
  MutatieReden: 'Week',
};

describe('a CSV without headers', () => {
  const scanned = async () => {
    const service = await openTestService();
    const [first, second] = await service.records('recipe');
    const file = `${service.folder}/scan.csv`;
    return { service, file, ids: [Number(first?.id), Number(second?.id)] as const };
  };

  it('is imported by the columns that are given, and its result has them as headers', async () => {
    const { service, file, ids } = await scanned();
    writeFileSync(file, ids.map((id, at) => `${id};8712345;${at + 500},5;`).join('\r\n'));
    const options = { ...optionsFor(service, 'scan'), as: stockCount, set: REST };
    const columns = ['ProductID', '-', 'geteldrekeneenheid'];
    const done = await importWorkbook(file, { ...options, columns });
    expect(done.counts).toMatchObject({ read: 2, created: 2 });
    expect(done.notes).toEqual([
      'The headers are those of --columns: row 2 is the first of the file, as in the result',
    ]);
    const [headers, ...rows] = readFileSync(options.out, 'utf8').trimEnd().split('\r\n');
    expect(headers).toMatch(/^\ufeffProductID;-;geteldrekeneenheid;#status;/);
    expect(rows.map((row) => row.split(';').slice(0, 4))).toEqual(
      ids.map((id, at) => [`${id}`, '8712345', `${at + 500},5`, 'created']),
    );
    // The result has headers, so that it is imported as any other file.
    const again = await importWorkbook(options.out, { ...options, out: `${service.folder}/again.csv` });
    expect(again.counts).toMatchObject({ read: 2, created: 0 });
  });

  it('of scanned numbers is known by its columns, ExternalID being that of the product', async () => {
    const { service, file } = await scanned();
    const scannable = (await service.records('recipe')).filter(({ ExternalID }) => Number(ExternalID) > 0);
    writeFileSync(file, `${scannable[0]?.ExternalID};41,5\r\n`);
    const options = { ...optionsFor(service, 'scan'), set: REST };
    const done = await importWorkbook(file, { ...options, columns: ['ExternalID', 'GeteldRekeneenheid'] });
    expect(done.sheets.map(({ resource }) => resource)).toEqual(['stock-count']);
    expect(done.counts).toMatchObject({ read: 1, created: 1 });
    expect(readFileSync(options.out, 'utf8')).toMatch(/^\ufeffProduct\.ExternalID;GeteldRekeneenheid;/);
  });

  it('is planned now and applied later with its columns', async () => {
    const { service, file, ids } = await scanned();
    writeFileSync(file, `${ids[0]};777\r\n${ids[1]};778\r\n`);
    const options = { ...optionsFor(service, 'scan'), as: stockCount, set: REST };
    const plan = await planImport(file, { ...options, columns: ['ProductID', 'GeteldRekeneenheid'] });
    const { out, ledger, log, baseUrl, token, lang } = options;
    const done = await applyPlan(plan.run, { out, ledger, log, baseUrl, token, lang });
    expect(done.counts).toMatchObject({ created: 2 });
    expect(readFileSync(options.out, 'utf8')).toMatch(/^\ufeffProductID;GeteldRekeneenheid;#status/);
  });

  it.each([
    [
      'ProductID,Geteldrekeneenheit',
      /no sheet has a column Geteldrekeneenheit/,
      /look like it: GeteldRekeneenheid/,
    ],
    ['ProductID', /--columns names 1 columns, and scan\.csv has 2/, /Name each column in order/],
    ['ProductID,-,GeteldRekeneenheid', /--columns names 3 columns, and scan\.csv has 2/, /--delimiter/],
  ])('is refused for the columns %s', async (columns, message, next) => {
    const { service, file } = await scanned();
    writeFileSync(file, '1;2\r\n3;4\r\n');
    const given = importWorkbook(file, {
      ...optionsFor(service, 'scan'),
      as: stockCount,
      set: REST,
      columns: columns.split(','),
    });
    await expect(given).rejects.toMatchObject({
      exit: 2,
      message: expect.stringMatching(message),
      next: expect.stringMatching(next),
    });
  });

  it('takes its columns from the command line, where --header-row has no meaning', async () => {
    const { service, file, ids } = await scanned();
    writeFileSync(file, `${ids[0]},12\r\n`);
    const set = Object.entries(REST).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
    const flags = [
      'import',
      file,
      '--as',
      'stock-count',
      '--columns',
      'ProductID,GeteldRekeneenheid',
      '--dry-run',
    ];
    const { code, document } = await service.runJson([...flags, ...set]);
    expect([code, document.counts.read]).toEqual([0, 1]);
    const wrong = await runCli([...flags, ...set, '--header-row', '1', '--base-url', service.url], {
      env: { CATERSHEET_TOKEN: service.token },
    });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Leave one of the two out')]);
  });
});

describe('a CSV of few columns', () => {
  it('is taken for the only kind that has them, where the rest is set', async () => {
    const service = await openTestService();
    const [recipe] = await service.records('recipe');
    const file = `${service.folder}/koelcel.csv`;
    writeFileSync(file, `ProductID;GeteldRekeneenheid\r\n${recipe?.id};321\r\n`);
    const done = await importWorkbook(file, { ...optionsFor(service, 'koelcel'), set: REST });
    expect(done.sheets.map(({ resource }) => resource)).toEqual(['stock-count']);
    expect(done.counts).toMatchObject({ read: 1, created: 1 });
  });

  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'one kind, with what it lacks',
      'Product.ExternalID;GeteldRekeneenheid\r\n50003;3\r\n',
      { WerknemerID: '12' },
      /may be those of Voorraadtelling: --as stock-count says so\.$/,
    ],
    [
      'each of two kinds',
      'ExternalID;OmschrijvingIntern\r\n1;Soep\r\n',
      {},
      /import "\S+week 12\.csv" --as packages; or of catersheet import "\S+week 12\.csv" --as recipes/,
    ],
  ])('is refused with the command that imports it as %s', async (_, text, set, next) => {
    const service = await openTestService();
    const file = `${service.folder}/week 12.csv`;
    writeFileSync(file, text);
    await expect(importWorkbook(file, { ...optionsFor(service, 'week'), set })).rejects.toMatchObject({
      exit: 3,
      next: expect.stringMatching(next),
    });
  });
});

describe('a CSV in the code page of DOS', () => {
  it('is told by its bytes, shows a word, and gives its result in the same code page', async () => {
    const service = await openTestService();
    const file = `${service.folder}/prijzen.csv`;
    const text =
      'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\r\n620001;Cr\x8ame br\x96l\x82e;1;4,10\r\n';
    writeFileSync(file, text, 'latin1');
    const options = { ...optionsFor(service, 'prijzen'), as: packages };
    const done = await importWorkbook(file, options);
    expect(done.notes).toEqual([
      'Read as cp850, as in "Crème", separated by ; (--encoding and --delimiter overrule)',
    ]);
    const names = (await service.records('package')).map(({ OmschrijvingIntern }) => OmschrijvingIntern);
    expect(names).toContain('Crème brûlée');
    expect(readFileSync(options.out, 'latin1')).toContain('Cr\x8ame br\x96l\x82e');
  });
});

describe('a text that is not what it looks like', () => {
  const LINES = ['ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', '0620001;Tomatensoep;1;4,10'];
  const tabs = LINES.join('\r\n').replaceAll(';', '\t');

  it.each<[string, string | Buffer, string, string]>([
    [
      'kassa.xls',
      Buffer.from(`\ufeff${tabs}`, 'utf16le'),
      'kassa.xls is text separated by tabs, not a workbook; it was read as that',
      'kassa.result.xlsx',
    ],
    [
      'kassa.xlsm',
      LINES.join('\n'),
      'kassa.xlsm is text separated by ;, not a workbook; it was read as that',
      'kassa.result.xlsx',
    ],
    [
      'prijzen.csv',
      LINES.map((line) => `"${line}"`).join('\r\n'),
      'Each line stands as a whole between quotes; it was read without them',
      'prijzen.result.csv',
    ],
    [
      'grootboek.txt',
      ['-----', ...LINES.map((line) => `|${line.replaceAll(';', '|')}|`), '-----'].join('\n'),
      '',
      'grootboek.result.csv',
    ],
  ])('is imported, said, and imported again as its result: %s', async (name, content, note, result) => {
    const service = await openTestService();
    const file = `${service.folder}/${name}`;
    writeFileSync(file, content);
    const { out: _, ...options } = optionsFor(service, 'x');
    const done = await importWorkbook(file, { ...options, as: packages });
    expect(done.counts).toMatchObject({ read: 1, created: 1, invalid: 0, skipped: 0 });
    expect((done.notes ?? []).filter((text) => !text.startsWith('Read as'))).toEqual(
      note === '' ? [] : [note],
    );
    expect(done.result).toBe(`${service.folder}/${result}`);
    const again = await importWorkbook(`${service.folder}/${result}`, { ...options, as: packages });
    expect(again.counts).toMatchObject({ read: 1, created: 0, updated: 0, invalid: 0 });
    expect(again.notes ?? []).toEqual([]);
  });
});
