import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
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
