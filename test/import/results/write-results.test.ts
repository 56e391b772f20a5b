import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { t } from '../../../src/core/language.ts';
import { notWritten } from '../../../src/import/results/write-results.ts';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook, packageRows, readBack } from '../../helpers/make-workbook.ts';
import {
  type GatedService,
  openGatedService,
  openTestService,
  type TestService,
} from '../../helpers/test-service.ts';

const RECIPES = [
  ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
  [500_000, 'Soep van de dag', 1, 201, 0.5, 4],
];

const NOTES = [['Niet voor de keuken'], ['bellen met de bakker']];

async function writes(service: TestService): Promise<number> {
  const { counts } = await service.log();
  return (counts['packages.create'] ?? 0) + (counts['recipes.create'] ?? 0);
}

describe('a target that can’t be written stops the run before anything is sent', () => {
  test.each(['/dev/full', 'weg/uit.xlsx', 'uit.pdf', 'map.xlsx', 'in.xlsx'])('such as %s', async (out) => {
    const service = await openTestService();
    mkdirSync(join(service.folder, 'map.xlsx'));
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const { code, stdout } = await service.run(['import', file, '--yes', '--out', out]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(await writes(service)).toBe(0);
  });
});

describe('a result that can’t be written after all', () => {
  const takeItsPlace = async (service: GatedService, out: string, rows = packageRows(40)) => {
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: rows });
    const isHalfway = service.gate.shut(5);
    const running = service.run(['import', file, '--yes', '--json', '--out', out]);
    await isHalfway;
    mkdirSync(join(service.folder, out));
    service.gate.open();
    return await running;
  };

  test('leaves the counts, then says so and ends as a wrong target does', async () => {
    const service = await openGatedService();
    const { code, stdout, stderr } = await takeItsPlace(service, 'uit.xlsx');
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { read: 40, created: 40 },
      result: null,
      resultError: expect.stringContaining('it is a folder'),
    });
    expect(stderr).toContain('it is a folder');
    expect(stderr).toContain('rows that are done come out unchanged');
    expect(code).toBe(2);
  });

  test('does not hide that rows are wrong', async () => {
    const service = await openGatedService();
    const rows = [...packageRows(40), [700_000, 'Zonder prijs', 1, 'abc', true]];
    const { code, stdout } = await takeItsPlace(service, 'uit.xlsx', rows);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { created: 40, invalid: 1 }, result: null });
    expect(code).toBe(5);
  });

  test('is in what integrators get, with all rows', async () => {
    const service = await openTestService();
    const out = join(service.folder, 'uit.xlsx');
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const done = await importWorkbook(file, {
      baseUrl: service.url,
      token: service.token,
      ledger: join(service.folder, 'ledger.db'),
      log: join(service.folder, 'run.log'),
      out,
      allRows: true,
      onProgress: ({ stage }) => {
        if (stage === 'writing') mkdirSync(out);
      },
    });
    expect(done).toMatchObject({ result: null, counts: { created: 3 } });
    expect(done.resultError).toContain('it is a folder');
    expect(done.rows).toHaveLength(3);
  });
});

describe('a workbook whose result is to be a CSV', () => {
  const workbook = (service: TestService) =>
    makeWorkbook(join(service.folder, 'in.xlsx'), {
      Notities: NOTES,
      Pakketten: packageRows(2),
      Recepten: RECIPES,
    });

  test('is refused while it holds more than one sheet to import', async () => {
    const service = await openTestService();
    const args = ['import', await workbook(service), '--yes', '--out', 'uit.csv'];
    const { code, stderr } = await service.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain('Pakketten, Recepten');
    expect(stderr).toContain('--sheet');
    expect(await writes(service)).toBe(0);
    expect(existsSync(join(service.folder, 'uit.csv'))).toBe(false);
  });

  test('gives the sheet that was imported, not the first one', async () => {
    const service = await openTestService();
    const args = ['import', await workbook(service), '--yes', '--sheet', 'Recepten', '--out', 'uit.csv'];
    const { code } = await service.run(args);
    expect(code).toBe(0);
    const [header, soup] = readFileSync(join(service.folder, 'uit.csv'), 'utf8').split('\r\n');
    expect(header).toContain('OPK;#status');
    expect(soup).toContain('Soep van de dag;1;201;0.5;4;created');
  });
});

test('a result is corrected and imported again, as often as needed', async () => {
  const service = await openTestService();
  const bad = (price: string | number) => [...packageRows(2), [700_000, 'Soep', 1, price, true]];
  await makeWorkbook(join(service.folder, 'week12.xlsx'), { Pakketten: bad('abc') });
  const first = await service.runJson(['import', 'week12.xlsx', '--yes']);
  expect(first.document).toMatchObject({ result: 'week12.result.xlsx', counts: { created: 2, invalid: 1 } });
  const second = await service.runJson(['import', 'week12.result.xlsx', '--yes']);
  expect(second.document).toMatchObject({
    result: 'week12.result-2.xlsx',
    counts: { unchanged: 2, invalid: 1 },
  });
  const third = await service.runJson(['import', 'week12.result-2.xlsx', '--yes']);
  expect(third.document.result).toBe('week12.result-3.xlsx');
  const headers = (await readBack(join(service.folder, 'week12.result-3.xlsx'))).get('Pakketten')?.get(1);
  expect([...(headers?.values() ?? [])].filter((header) => header === '#status')).toHaveLength(1);
});

test.each<[string, unknown, string, string]>([
  [
    'of the disk',
    Object.assign(new Error('EPIPE: broken pipe'), { errno: -32, code: 'EPIPE' }),
    'EPIPE: broken pipe',
    'Maak plaats.',
  ],
  [
    'of the program',
    new TypeError('no length of null'),
    'Een fout in het programma: no length of null',
    'Meld het, met dit erbij:',
  ],
])('a file that is not written by a fault %s has the step that helps', (_, cause, why, next) => {
  const { texts } = notWritten(
    t('The result', 'Het resultaat'),
    'a.xlsx',
    cause,
    t('Make room.', 'Maak plaats.'),
  );
  expect(texts.message.nl).toBe(`Het resultaat a.xlsx kon niet worden geschreven: ${why}`);
  expect(texts.next?.nl).toContain(next);
});
