import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { rewriteSheet, type SheetRow } from '../import/baseline/fixtures.ts';
import { type Cell, openWorld } from '../promises/world.ts';
import type { AnswerKnobs, Failure } from '../second-service/knobs.ts';
import { told, wordsOf } from './told.ts';

const PACKAGE = ['ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
const STOCK = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'];
const stock = [12, '2026-10-01 08:00', 4901, 'Bederf'];

describe('a key that two records have is a conflict that names both (10)', () => {
  test.each<[string, Partial<AnswerKnobs>]>([
    ['in a short list', {}],
    ['in a long list that comes whole', { pageSize: 2 }],
    ['in a long list that comes as data', { pageSize: 2, whole: 'data' }],
  ])('of two packages %s, neither of which is changed', async (_, answers) => {
    const { service, sheet, machine, importWorkbook } = openWorld({ answers });
    const ids = [1, 2].map((at) => {
      for (let more = 0; more < 20 * at; more++) service.add.package();
      return service.add.package({ ExternalID: 9001 });
    });
    const rows = [9001, 9002].map((key) => [null, key, 'Soep', 1, 5]);
    const done = await importWorkbook(sheet([PACKAGE, ...rows]), machine());
    expect(told(done.rows)).toEqual(['conflict', 'created']);
    for (const id of ids) expect(done.rows[0]?.message).toContain(String(id));
    expect(ids.map((id) => service.packages.get(id)?.Verkoopprijs)).toEqual([12.5, 12.5]);
  });

  test.each<[string, readonly string[], readonly Cell[]]>([
    ['stock-mutations', ['Product.ExternalID', ...STOCK, 'AantalRekeneenheid'], [888, ...stock, -2]],
    ['stock-count', ['Product.ExternalID', ...STOCK, 'GeteldRekeneenheid'], [888, ...stock, 8]],
    ['arrangements', ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'], [888, 1001, 10, '2027-01-08']],
  ])('in a reference of %s: nothing is sent', async (as, header, row) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const ids =
      as === 'arrangements'
        ? [1, 2].map(() => service.add.event({ ExternalID: 888, Datum: '2027-01-08 00:00:00' }))
        : // A package and a recipe may share one: each sheet of its own finds its own.
          [service.add.package({ ExternalID: 888 }), service.add.recipe({ ExternalID: 888 })];
    const { rows } = await importWorkbook(sheet([header, row]), { ...machine(), as });
    expect(told(rows)).toEqual(['invalid, A2 reference-ambiguous']);
    for (const id of ids) expect(wordsOf(rows)).toContain(String(id));
    expect(service.journal.writes).toEqual([]);
  });
});

describe('however a service says that it has no such record, its row says so and the others are sent', () => {
  test.each<[string, Failure]>([
    ['400', { kind: 'answer', when: 'before', status: 400, body: { error: 'Bad request' } }],
    [
      '422',
      { kind: 'answer', when: 'before', status: 422, body: { message: 'Invalid.', errors: { ID: ['?'] } } },
    ],
    ['500', { kind: 'answer', when: 'before', status: 500, body: { message: 'Property of non-object' } }],
    ['an empty 200', { kind: 'empty 200', when: 'before' }],
    [
      'a message with 200',
      { kind: 'answer', when: 'before', status: 200, body: { message: 'Niet gevonden' } },
    ],
  ])('%s', async (_, missing) => {
    const choose = ({ path }: { readonly path: string }) => (/99999\d\d/.test(path) ? missing : undefined);
    const { service, sheet, machine, importWorkbook } = openWorld({
      answers: { pageSize: 2, whole: 'refused' },
      failures: { choose },
    });
    const options = { ...machine(), retries: 0 };
    const soup = service.add.package({ ExternalID: 600_001 });
    const packages = [
      [soup, null, 'Soep', 1, 14.5],
      [null, 9_999_998, 'Brood', 1, 5],
      [9_999_999, null, 'Thee', 1, 2],
    ];
    expect(
      told((await importWorkbook(sheet([PACKAGE, ...packages]), { ...options, locale: 'en' })).rows),
    ).toEqual([...['updated', 'created', 'invalid, A4 record-missing']]);
    const [one, other] = [1, 3].map((at) => service.add.event({ Datum: `203${at}-03-03` })) as [
      number,
      number,
    ];
    const events = [one, 9_999_999, other].map((id) => [id, `Borrel ${id}`]);
    const named = await importWorkbook(sheet([['PartijID', 'PartijOmschrijving'], ...events]), {
      ...options,
      as: 'events',
    });
    expect(told(named.rows)).toEqual(['updated', 'invalid, A3 record-missing', 'updated']);
    const links = [9_999_999, one].map((id) => [id, soup, 10, '2031-03-03']);
    const header = ['PartijID', 'ArrangementID', 'Aantal', 'Datum'];
    const linked = await importWorkbook(sheet([header, ...links]), { ...options, as: 'arrangements' });
    expect(told(linked.rows)).toEqual(['invalid, A2 record-missing', 'created']);
  });

  test('but one that answers 500 for all events stops the import, and nothing is sent', async () => {
    const choose = ({ path }: { readonly path: string }): Failure | undefined =>
      /event\/\d+$/.test(path) ? { kind: 'status', status: 500, when: 'before' } : undefined;
    const { service, sheet, machine, importWorkbook } = openWorld({ failures: { choose } });
    const file = sheet([
      ['PartijID', 'PartijOmschrijving'],
      [service.add.event(), 'Borrel'],
    ]);
    const done = importWorkbook(file, { ...machine(), as: 'events', retries: 0 });
    await expect(done).rejects.toMatchObject({ exit: EXIT.service });
    expect(service.journal.writes).toEqual([]);
  });
});

test('a row with an ExternalID that is not found, and too few columns to make it, was not found, and says which columns a new one needs', async () => {
  const { sheet, machine, importWorkbook } = openWorld();
  const file = sheet([
    ['ExternalID', 'OmschrijvingIntern'],
    [79_999, 'Soep'],
  ]);
  const { rows } = await importWorkbook(file, { ...machine(), as: 'recipes' });
  expect(rows[0]?.issues?.[0]?.message).toMatch(
    /The service has no “79999” in recipes; a new one needs a column Product/,
  );
});

test('a record that a colleague deleted since its export is not made anew where its row still names it, but is a conflict', async () => {
  const { service, folder, machine, exportRecords, importWorkbook } = openWorld();
  const out = join(folder, 'uit.xlsx');
  const options = { ...machine(), allowDelete: true, out: join(folder, 'r.xlsx') };
  const ids = [1, 2, 3, 4, 5].map((at) => service.add.package({ ExternalID: 700 + at }));
  await exportRecords('packages', { ...serviceOnly(machine()), out });
  const keyed = { ProductID: null, Verkoopprijs: 61 };
  await rewriteSheet(out, 'Pakketten', (rows) => {
    const [a = {}, b = {}, c = {}, d = {}, e = {}] = ids.map(
      (id): SheetRow => rows.find(({ ProductID }) => ProductID === id) ?? {},
    );
    const [f = {}] = rows;
    const changes = [
      { ...c, ...keyed },
      { ...d, ...keyed, '#action': 'create' },
      { ...e, '#action': 'delete' },
    ];
    return [a, { ...b, Verkoopprijs: 61 }, ...changes, { ...f, Verkoopprijs: 61 }];
  });
  for (const id of ids) service.other.remove('package', id);
  const { rows } = await importWorkbook(out, options);
  expect(told(rows)).toEqual([
    ...['conflict', 'conflict', 'created, P4 cell-not-sent', 'created, P5 cell-not-sent'],
    ...['unchanged', 'updated, F7 price-leaps'],
  ]);
  expect(wordsOf(rows)).toMatch(/someone removed it since; delete the row, or empty its id/);
});
