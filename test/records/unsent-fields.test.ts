import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';
import { csvOf } from '../kinds/posting/stock-fixtures.ts';

const SAID = new Set(['cell-not-sent', 'create-only']);

async function imported(service: TestService, as: string, rows: readonly (readonly string[])[], more = {}) {
  const done = await importWorkbook(
    csvOf(service, rows),
    optionsFor(service, { as, allRows: true, ...more }),
  );
  const said = done.rows.flatMap(({ issues = [] }) => issues.filter(({ code }) => SAID.has(code)));
  return { done, said: said.map(({ field }) => field), words: said.map(({ message }) => message) };
}

const FIELDS: readonly [as: string, key: Record<string, string>, other: Record<string, string>][] = [
  ['packages', { ProductID: '5001' }, { LMT: '31-12-2030 10:00' }],
  ['recipes', { ExternalID: '50001' }, { Actief: 'Nee', Kostprijs: '93,5', IngredientDeclaratie: 'water' }],
  ['trips', { RitID: '8001' }, { KM: '99', Datum: '01-01-2031', Omschrijving: 'anders', Verwerkt: 'Ja' }],
  [
    'events',
    { PartijID: '9001' },
    { MeerdaagseEvenement: 'Ja', BronWaardeID: '413', AccountmanagerID: '77' },
  ],
  [
    'arrangements',
    { PartijID: '9001', ArrangementID: '1' },
    { VerkoopPrijs: '99,95', Actief: 'Nee', ArrangementNaam: 'Iets anders' },
  ],
];

describe('a filled cell that can’t be sent', () => {
  it.each(FIELDS)(
    'is a warning on its row of %s where its record holds something else',
    async (as, key, other) => {
      const service = await openTestService();
      const names = [...Object.keys(key), ...Object.keys(other)];
      const rows = [names, [...Object.values(key), ...Object.values(other)]];
      const { done, said } = await imported(service, as, rows);
      expect(said.toSorted()).toEqual(Object.keys(other).toSorted());
      expect(done.counts).toMatchObject({ read: 1, unchanged: 1 });
      const strict = await imported(service, as, rows, { strict: true });
      expect(strict.done.counts).toMatchObject({ read: 1, invalid: 1 });
      // Without the cells nothing is said.
      const bare = await imported(service, as, [
        names,
        [...Object.values(key), ...Object.keys(other).map(() => '')],
      ]);
      expect(bare.said).toEqual([]);
    },
  );

  it('is always said of a new record, and not of a row that is to be deleted or skipped', async () => {
    const service = await openTestService();
    const header = ['#action', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'LMT'];
    const row = (action: string, key: string): string[] => [action, key, 'Soep', '1', '3,50', '2020-01-01'];
    const rows = [header, row('', '71001'), row('skip', '71002'), row('delete', '71003')];
    const { done, said, words } = await imported(service, 'packages', rows, { allowDelete: true });
    expect(done.counts).toMatchObject({ created: 1, skipped: 1, unchanged: 1 });
    expect(said).toEqual(['LMT']);
    expect(words[0]).toBe(
      'F2 LMT: found "2020-01-01", expected what the record holds: this column is not sent (only the service fills it in)',
    );
  });

  it('says what the record holds, in both languages', async () => {
    const service = await openTestService();
    const rows = [
      ['ProductID', 'Kostprijs'],
      ['7001', '99,5'],
    ];
    const { words } = await imported(service, 'recipes', rows);
    expect(words[0]).toMatch(
      /^B2 Kostprijs: found "99,5", expected .*\(the record has \d+[,.]?\d*; only the service fills it in\)$/,
    );
    const dutch = await imported(service, 'recipes', rows, { lang: 'nl' });
    expect(dutch.words[0]).toMatch(/in het record staat \d+.*alleen het systeem vult hem in/);
  });

  it('is nothing where it holds when the record was read before its last change', async () => {
    const service = await openTestService();
    const rows = [
      ['ProductID', 'LMT'],
      ['5001', '2020-01-01 12:00:00'],
    ];
    expect((await imported(service, 'packages', rows)).said).toEqual([]);
  });
});

const DAYS = { from: '2020-01-01', to: '2035-12-31' };
const EXPORTS = [
  ['packages', {}],
  ['recipes', { declaration: true }],
  ['events', DAYS],
  ['arrangements', DAYS],
  ['trips', DAYS],
  ['stock-count', {}],
] as const;

/** What a spreadsheet makes of a CSV that it opens and saves again. */
const asSaved = (text: string): string =>
  text
    .replace(
      /\b(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d):\d\d\b/g,
      (_, year, month, day, time) => `${+day}-${+month}-${year} ${time}`,
    )
    .replace(/\b(\d{4})-(\d\d)-(\d\d)\b/g, (_, year, month, day) => `${+day}-${+month}-${year}`)
    .replace(/;(\d+,\d\d)\d+/g, ';$1');

describe('an export as CSV', () => {
  it.each(EXPORTS)(
    'of %s says nothing of its cells when it is imported again, also as a spreadsheet saves it',
    async (name, more) => {
      const service = await openTestService();
      const out = `${service.folder}/out.csv`;
      const options = optionsFor(service, { as: name });
      const { as: _, ...own } = serviceOnly(options);
      await exportRecords(name, { ...own, ...more, out });
      for (const change of [(text: string): string => text, asSaved]) {
        writeFileSync(out, change(readFileSync(out, 'utf8')));
        const done = await importWorkbook(out, { ...options, dryRun: true });
        expect(done.counts).toMatchObject({ unchanged: done.counts.read });
        expect(done.rows.flatMap(({ issues = [] }) => issues.map(({ message }) => message))).toEqual([]);
      }
    },
  );
});
