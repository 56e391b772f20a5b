import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { listService } from '../../export/list-service.ts';
import { codePoints } from '../../helpers/code-points.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService } from '../../helpers/test-service.ts';

/** What a service may hold in a text: nothing is too odd. */
const text = fc.oneof(
  codePoints({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    ...[
      '=SOM(A1)',
      '+31 6 12',
      '-',
      '-5',
      '@keuken',
      "'=x",
      "''+y",
      '#CLEAR',
      ' #clear ',
      '#N/B',
      '#N/A',
      'Err:502',
    ],
    ...[
      '00123',
      '1e5',
      '12-03-2027',
      'WAAR',
      'Ja',
      'a\nb\r\nc',
      '"q"',
      'x;y',
      'x,y',
      '_x000D_',
      '_x005F_',
      '\u200b',
      '  ',
    ],
    ...[
      'ProductID',
      'OmschrijvingExtern',
      'catersheet: hm',
      '0,5',
      '\u2060#CLEAR',
      'NULL',
      '\u2060None',
      '\ufeffx',
      'Totaal van alles',
    ],
  ),
);
const amount = fc.oneof(
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  fc.integer({ min: -99_999, max: 99_999 }).map((cents) => cents / 1000),
  fc.constantFrom(0, 0.1 + 0.2, 1.005, 1e-7, 123456.789, -0),
);
/** Numbers and flags come as such, as text, or not at all (interface 2.5). */
const loose = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(value, value.map(String), fc.constantFrom(null, '', undefined));
const flag = fc.oneof(
  fc.boolean(),
  fc.constantFrom(0, 1, '0', '1', 'J', 'N', 'ja', 'nee', null, '', undefined),
);
const moment = fc.oneof(
  fc.constantFrom(
    '2027-01-02 03:04:05.678',
    '2027-01-02 03:04:05',
    '2027-01-02T03:04:05Z',
    '2027-01-02',
    null,
    '',
    undefined,
  ),
);

/** Records whose members are what they are to be, in whatever form; the id is added. */
const sound = fc.record({
  ExternalID: fc.constantFrom(null, undefined, ''),
  ProductTypeID: fc.oneof(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.constantFrom(0, '0', null, '7')),
  OmschrijvingIntern: text.filter((one) => !/^\W*totaal\W*$/i.test(one)),
  OmschrijvingExtern: text,
  OfferteTekst: fc.oneof(text, fc.constant('lang '.repeat(8000))),
  InterneOpmerking: loose(text),
  Verkoopprijs: loose(amount),
  Volume: loose(amount),
  ProductCategorieID: loose(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  Actief: flag,
  OpnemenInOfferte: flag,
  LMT: moment,
  Artikelnummer: text,
  Portieartikel: fc
    .anything({ maxDepth: 1, withObjectString: false })
    .map((one) => JSON.parse(JSON.stringify(one) ?? 'null')),
  BeschikbaarVan: moment,
  productType: fc.constantFrom(null, { ProductTypeID: 1, ProductType: '=x' }),
  costPrice: loose(amount),
});

const half = fc.integer().map((number) => number / 2);

/** Records whose members are anything at all. */
const junk = fc.record({
  ProductTypeID: fc.oneof(text, half, fc.boolean(), fc.constantFrom('Buffet', 1e300)),
  OmschrijvingIntern: fc.oneof(text, half, fc.boolean(), fc.constant('Totaal')),
  Verkoopprijs: fc.oneof(
    text,
    fc.boolean(),
    fc.constantFrom('op aanvraag', '0,5', '€ 12,50', [], { bedrag: 3 }),
  ),
  Actief: fc.oneof(text, fc.integer(), fc.constantFrom('#CLEAR', ' #clear ')),
  ProductCategorieID: fc.oneof(half, fc.constantFrom('12345678901234567890', -3, 1e20)),
  LMT: text,
});

async function roundTrip(records: readonly object[], ending: string) {
  const service = await listService(records.map((record, at) => ({ ProductID: at + 1, ...record })));
  const out = join(service.folder, `uit.${ending}`);
  const done = await exportRecords(packages, { ...service.options, out, lang: 'en' });
  const result = await importWorkbook(out, { ...service.options, lang: 'en' });
  return { service, done, result };
}

test.each(['xlsx', 'csv'])(
  'records of all kinds come back unchanged from %s, and nothing is sent',
  async (ending) => {
    const records = fc.array(sound, { minLength: 30, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const { service, done, result } = await roundTrip(given, ending);
        expect(done.records).toBe(given.length);
        const trouble = result.rows.map(({ issues }) =>
          issues?.filter(({ severity }) => severity === 'error'),
        );
        expect(trouble.filter((issues) => issues !== undefined && issues.length > 0)).toEqual([]);
        expect(result.counts).toMatchObject({ read: given.length, unchanged: given.length });
        expect(result.sheets.flatMap(({ notes = [] }) => notes).join()).not.toContain('emptied');
        expect(service.others).toEqual([]);
      }),
      { numRuns: 3, seed: 45, endOnFailure: true },
    );
  },
);

test.each(['xlsx', 'csv'])('a value that no field takes is never sent from %s', async (ending) => {
  const records = fc.array(junk, { minLength: 30, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(records, async (given) => {
      const { service, result } = await roundTrip(given, ending);
      const { unchanged = 0, invalid = 0, read } = result.counts;
      // The workbook knows what its records were; a CSV says why a row can't be sent.
      if (ending === 'xlsx') expect([read, unchanged]).toEqual([given.length, given.length]);
      else expect([read, unchanged + invalid]).toEqual([given.length, given.length]);
      for (const { status, issues = [] } of result.rows)
        if (status === 'invalid')
          expect(issues.find(({ severity }) => severity === 'error')?.cell).toMatch(/^[A-Z]+\d+$/);
      expect(service.others.filter((one) => !one.startsWith('GET'))).toEqual([]);
    }),
    { numRuns: 2, seed: 45, endOnFailure: true },
  );
});

test('a guarded CSV that was saved as a workbook is read like the CSV, and a workbook of ours as it stands', async () => {
  const service = await openTestService();
  const { folder, url: baseUrl, token } = service;
  const options = {
    baseUrl,
    token,
    ledger: `${folder}/ledger.db`,
    log: `${folder}/log`,
    locale: 'nl' as const,
  };
  const named = async (ending: string): Promise<string> => {
    const out = join(folder, `uit.${ending}`);
    await exportRecords(packages, { ...options, out, overwrite: true });
    return out;
  };
  const rows = [
    ['ProductID', 'OmschrijvingIntern', 'Offertetekst'],
    [5001, "'=Buffet", "''+ kaas"],
  ];
  const saved = await makeWorkbook(join(folder, 'bewaard.xlsx'), { Pakketten: rows });
  const { counts } = await importWorkbook(saved, options);
  expect(counts).toMatchObject({ read: 1, updated: 1 });
  expect(readFileSync(await named('csv'), 'utf8')).toMatch(/\r\n5001;[^\r]*;'=Buffet;[^\r]*;''\+ kaas;/);
  const again = await importWorkbook(await named('xlsx'), { ...options, strict: true });
  expect(again.counts.unchanged).toBe(again.counts.read);
});
