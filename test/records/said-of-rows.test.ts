import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Values } from '../../src/core/value.ts';
import type { ImportWorkbookOptions } from '../../src/index.ts';
import type { ExistingRecord } from '../../src/records/existing-record.ts';
import { noteUnsent } from '../../src/records/row-warnings.ts';
import { resources } from '../../src/resources/registry.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { type CellInput, issuesOf, readRow } from '../import/map/sheet-of.ts';
import { openWorld } from '../promises/world.ts';
import { told, wordsOf } from './told.ts';

const held = (values: Values): ExistingRecord =>
  ({ id: 7, external: null, lmt: null, values }) as ExistingRecord;

describe('a filled cell that can’t be sent is said on its row (3)', () => {
  test.each<[string, string, readonly string[], readonly CellInput[], Values | null, readonly string[]]>([
    [
      'holds something else',
      'packages',
      ['ProductID', 'LMT'],
      [7, '31-12-2030 10:00'],
      { LMT: '2027-01-01 10:00:00' },
      ['B2 cell-not-sent'],
    ],
    [
      'was read before its last change',
      'packages',
      ['ProductID', 'LMT'],
      [7, '1-1-2020 12:00'],
      { LMT: '2027-01-01 10:00:00' },
      [],
    ],
    ['holds that', 'recipes', ['ProductID', 'Kostprijs'], [7, '93,50'], { Kostprijs: 93.5 }, []],
    [
      'holds that, of which a spreadsheet shows less',
      'recipes',
      ['ProductID', 'Kostprijs'],
      [7, '93,50'],
      { Kostprijs: 93.5012 },
      [],
    ],
    [
      'holds another number',
      'recipes',
      ['ProductID', 'Kostprijs'],
      [7, 99],
      { Kostprijs: 93.5 },
      ['B2 cell-not-sent'],
    ],
    [
      'holds another text',
      'trips',
      ['RitID', 'Omschrijving'],
      [7, 'anders'],
      { Omschrijving: 'heen' },
      ['B2 cell-not-sent'],
    ],
    ['is yet to be made', 'packages', ['ExternalID', 'LMT'], [7, '1-1-2020'], null, ['B2 cell-not-sent']],
    ['is left out', 'packages', ['ExternalID', 'LMT', '#action'], [7, '1-1-2020', 'skip'], null, []],
    [
      'is deleted',
      'packages',
      ['ExternalID', 'LMT', '#action'],
      [7, '1-1-2020', 'delete'],
      { LMT: '2027-01-01 10:00:00' },
      [],
    ],
  ])('unless there is no need: the record %s, %s', (_, as, headers, cells, values, expected) => {
    const resource = resources.find(({ name }) => name === as) ?? expect.fail('no kind');
    const row = readRow([...headers], cells, { resource }) ?? expect.fail('no row');
    const existing = values === null ? null : held(values);
    noteUnsent({
      row,
      existing,
      was: undefined,
      base: { shown: () => undefined },
      rules: { strict: false, locale: 'nl' },
    });
    expect(issuesOf(row)).toEqual(expected);
  });

  test('also of a field that only a create takes, with what the record holds, in both languages', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const id = service.add.event({ BronWaardeID: 521 });
    const file = sheet([
      ['PartijID', 'BronWaardeID'],
      [id, 522],
    ]);
    const options = { ...machine(), as: 'events' };
    const done = await importWorkbook(file, options);
    expect(told(done.rows)).toEqual(['unchanged, B2 create-only']);
    expect((await importWorkbook(file, { ...options, strict: true })).counts.invalid).toBe(1);
    expect(wordsOf((await importWorkbook(file, { ...options, lang: 'nl' })).rows)).toContain(
      'wordt niet verstuurd',
    );
  });
});

/** What a spreadsheet makes of a CSV that it opens and saves again. */
const asSaved = (text: string): string =>
  text
    .replace(
      /\b(\d{4})-(\d\d)-(\d\d)( \d\d:\d\d)?(:\d\d)?\b/g,
      (_, year, month, day, time = '') => `${+day}-${+month}-${year}${time}`,
    )
    .replace(/;(\d+,\d\d)\d+/g, ';$1');

test.each(['packages', 'recipes', 'events', 'arrangements', 'trips'])(
  'an export of %s as CSV says nothing of its cells when it is imported again, also as a spreadsheet saves it (27)',
  async (as) => {
    const { service, folder, machine, exportRecords, importWorkbook } = openWorld();
    // A day that can't be a month tells how all are written.
    const party = service.add.event({ Datum: '2027-01-28' });
    service.add.link(party, service.add.package(), { Aantal: 3, Datum: '2027-01-28' });
    const out = join(folder, 'uit.csv');
    const days = ['packages', 'recipes'].includes(as) ? {} : { from: '2027-01-01', to: '2027-03-01' };
    await exportRecords(as, { ...serviceOnly(machine()), ...days, out });
    for (const change of [(text: string): string => text, asSaved]) {
      writeFileSync(out, change(readFileSync(out, 'utf8')));
      const { rows } = await importWorkbook(out, { ...machine(), as, dryRun: true });
      expect(told(rows)).toEqual(rows.map(() => 'unchanged'));
    }
  },
);

describe('a row that names no record and has all that a new one needs', () => {
  const MENU = {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      [null, 1, 'Zomerbuffet', 24.5],
      [640_001, 1, 'Gazpacho', 7.25],
      [null, 1, 'Zonder prijs', null],
    ],
    Evenementen: [
      ['PartijID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
      [null, 4001, 6001, '21-06-2027', '17:00', '23:00'],
    ],
  };
  test.each<[string, object, boolean | null, number, number]>([
    ['is invalid where nobody can be asked', {}, null, 0, 1],
    ['is made where the answer is yes', {}, true, 1, 3],
    ['stays as it is where the answer is no', {}, false, 1, 1],
    ['is made by a flag, without a question', { set: { '#action': 'create' } }, false, 0, 3],
  ])('%s', async (_, more, answer, times, created) => {
    const { service, folder, machine, importWorkbook } = openWorld();
    const file = await makeWorkbook(join(folder, 'menu.xlsx'), MENU);
    const asked: unknown[] = [];
    const questions = {
      takeHeaders: async () => false,
      createUnnamed: async (rows: unknown) => {
        asked.push(rows);
        return answer;
      },
    };
    const options = { ...machine(), ...more } as ImportWorkbookOptions;
    const own = answer === null ? options : ({ ...options, questions } as ImportWorkbookOptions);
    const { counts, rows } = await importWorkbook(file, own);
    expect([asked.length, counts.created, counts.invalid]).toEqual([times, created, 4 - created]);
    const sheets = ['Pakketten', 'Evenementen'].map((sheet) => ({ sheet, rows: 1 }));
    if (times > 0) expect(asked[0]).toEqual(sheets);
    if (created === 1) expect(wordsOf(rows)).toContain('put create in #action.');
    const { length } = service.journal.writes;
    expect((await importWorkbook(file, own)).counts.created).toBe(0);
    expect(service.journal.writes).toHaveLength(length);
  });
});
