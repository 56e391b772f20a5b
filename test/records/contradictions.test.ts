import { describe, expect, it } from 'vitest';
import { importWorkbook, planImport, readRun } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

const HEADER = [
  '#action',
  'ProductID',
  'ExternalID',
  'OmschrijvingIntern',
  'ProductTypeID',
  'Verkoopprijs',
  'Volume',
];
type Cells = readonly (string | number | null)[];
const DAY = '2026-10-02';

const bookOf = (service: TestService, sheets: Record<string, readonly Cells[]>): Promise<string> =>
  makeWorkbook(
    `${service.folder}/in.xlsx`,
    Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, [HEADER, ...rows]])),
  );

type Told = Awaited<ReturnType<typeof importWorkbook>>['rows'];
const told = (rows: Told) =>
  rows.map(({ sheet, row, status, issues = [] }) =>
    [`${sheet} ${row} ${status}`, ...issues.map(({ cell, code }) => `${cell} ${code}`)].join(', '),
  );
const wordsOf = (rows: Told) => rows.map(({ issues = [] }) => issues.map(({ message }) => message).join(' '));

describe('two rows of a file on one record', () => {
  it('that create it with other values are both invalid, and name each other’s cell', async () => {
    const service = await openTestService();
    const before = await service.records('package');
    const file = await bookOf(service, {
      Pakketten: [
        [null, null, 71_001, 'Soep', 1, 10, null],
        [null, null, 71_002, 'Brood', 1, 11, null],
        [null, null, 71_001, 'Salade', 1, 12, null],
      ],
    });
    const { rows, counts } = await importWorkbook(file, optionsFor(service, { allRows: true }));
    expect(told(rows)).toEqual([
      'Pakketten 2 invalid, C2 created-twice',
      'Pakketten 3 created',
      'Pakketten 4 invalid, C4 created-twice',
    ]);
    expect(wordsOf(rows)[0]).toContain('Pakketten!C4');
    expect(wordsOf(rows)[2]).toContain('Pakketten!C2');
    expect(counts).toMatchObject({ read: 3, created: 1, invalid: 2 });
    expect((await service.records('package')).length).toBe(before.length + 1);
  });

  it('leave no row unchanged that only repeats what an invalid one was to write', async () => {
    const service = await openTestService();
    const options = optionsFor(service, { allRows: true });
    const first = await bookOf(service, { Pakketten: [[null, null, 71_001, 'Soep', 1, 10, null]] });
    await importWorkbook(first, options);
    const file = await bookOf(service, {
      Pakketten: [
        [null, null, 71_001, 'Bouillon', 1, 12, null],
        [null, null, 71_001, null, 1, 12, null],
        [null, null, 71_001, 'Salade', 1, null, null],
      ],
    });
    const { rows, counts } = await importWorkbook(file, options);
    expect(counts).toMatchObject({ invalid: 3, unchanged: 0 });
    expect(told(rows)[1]).toBe('Pakketten 3 invalid, C3 record-twice, F3 repeats-refused');
    expect(wordsOf(rows)[1]).toContain('Pakketten!F2');
    const [record] = (await service.records('package')).filter(({ ExternalID }) => ExternalID === 71_001);
    expect(record).toMatchObject({ OmschrijvingIntern: 'Soep', Verkoopprijs: 10 });
  });

  it('that say the same are sent once, with a warning', async () => {
    const service = await openTestService();
    const one = [null, null, 71_001, 'Soep', 1, 10, null];
    const file = await bookOf(service, { Pakketten: [one, one] });
    const { rows } = await importWorkbook(file, optionsFor(service, { allRows: true }));
    expect(told(rows)).toEqual(['Pakketten 2 created', 'Pakketten 3 unchanged, C3 record-twice']);
    const both = await bookOf(service, {
      Pakketten: [71_003, 71_003].map((key) => ['create', null, key, 'Thee', 1, 2, null]),
    });
    const twice = await importWorkbook(both, optionsFor(service, { allRows: true }));
    expect(twice.counts).toMatchObject({ read: 2, invalid: 2 });
  });

  it('that give a field two values are both invalid, also where the first is what the record holds, and found by another key', async () => {
    const service = await openTestService();
    const [one, two] = await service.records('package');
    const [id, price] = [Number(one?.id), Number(one?.Verkoopprijs)];
    const file = await bookOf(service, {
      Pakketten: [
        [null, id, null, null, null, price, null],
        [null, Number(two?.id), null, null, null, null, 3],
        [null, id, null, null, null, price + 1, null],
        [null, Number(two?.id), null, null, null, 77, null],
      ],
    });
    const before = await service.records('package');
    const done = await importWorkbook(file, optionsFor(service, { allRows: true }));
    expect(told(done.rows)).toEqual([
      'Pakketten 2 invalid, F2 value-twice',
      'Pakketten 3 updated',
      'Pakketten 4 invalid, F4 value-twice',
      'Pakketten 5 updated, B5 record-twice',
    ]);
    expect(wordsOf(done.rows)[0]).toContain(`Pakketten!F4 says "${price + 1}"`.replace('.', ','));
    const after = await service.records('package');
    expect(after.find((each) => each.id === id)).toEqual(before.find((each) => each.id === id));
  });

  it('found by id and by ExternalID, on two sheets, are held against each other', async () => {
    const service = await openTestService();
    const first = await bookOf(service, { Pakketten: [[null, null, 71_001, 'Soep', 1, 10, null]] });
    const made = await importWorkbook(first, optionsFor(service, { allRows: true }));
    const id = Number(made.rows[0]?.id);
    const file = await bookOf(service, {
      Pakketten: [[null, id, null, null, null, 20, null]],
      'Pakketten (2)': [[null, null, 71_001, null, null, 21, 4]],
    });
    const sheets = ['Pakketten', 'Pakketten (2)'];
    const { rows } = await importWorkbook(file, optionsFor(service, { allRows: true, dryRun: true, sheets }));
    expect(told(rows)).toEqual([
      'Pakketten 2 invalid, F2 value-twice',
      'Pakketten (2) 2 invalid, F2 value-twice',
    ]);
    expect(wordsOf(rows)[0]).toContain('Pakketten (2)!F2');
    expect(wordsOf(rows)[1]).toContain('Pakketten!F2');
  });

  const apart: readonly [string, readonly string[], Cells, Cells][] = [
    ['arrangements', ['PartijID', 'ArrangementID', 'Aantal', 'Datum'], [9001, 3, 5, DAY], [9001, 3, 7, DAY]],
    ['arrangements', ['PartijID', 'ArrangementID', 'Aantal'], [9001, 1, 5], [9001, 1, 7]],
    ['trips', ['RitID', 'Chauffeur'], [8001, 'J. de Boer'], [8001, 'S. Visser']],
    ['events', ['PartijID', 'AantalGasten'], [9001, 90], [9001, 91]],
    ['recipes', ['ProductID', 'OmschrijvingIntern'], [7001, 'Bisque'], [7001, 'Bouillon']],
  ];
  it.each(apart)('of %s (%j) are both invalid on two sheets too', async (as, header, ...rows) => {
    const service = await openTestService();
    const sheets = rows.map((row, at): [string, Cells[]] => [`Blad ${at + 1}`, [header, row]]);
    const file = await makeWorkbook(`${service.folder}/in.xlsx`, Object.fromEntries(sheets));
    const done = await importWorkbook(file, optionsFor(service, { as, allRows: true }));
    expect(done.counts).toMatchObject({ read: 2, invalid: 2 });
    expect(wordsOf(done.rows)[0]).toContain('Blad 2!');
    expect(wordsOf(done.rows)[1]).toContain('Blad 1!');
  });

  it('go in file order where the later is marked update', async () => {
    const service = await openTestService();
    const file = await bookOf(service, {
      Pakketten: [
        [null, null, 71_001, 'Soep', 1, 10, null],
        ['update', null, 71_001, 'Salade', 1, 12, null],
      ],
    });
    const { rows } = await importWorkbook(file, optionsFor(service, { allRows: true }));
    expect(told(rows)).toEqual(['Pakketten 2 created', 'Pakketten 3 updated, C3 record-twice']);
  });

  it('are all invalid where a third one disputes the record,', async () => {
    const service = await openTestService();
    const file = await bookOf(service, {
      Pakketten: ['Soep', 'Salade', 'Soep'].map((name) => [null, null, 71_001, name, 1, 10, null]),
    });
    const { counts } = await importWorkbook(file, optionsFor(service));
    expect(counts).toMatchObject({ read: 3, invalid: 3, created: 0 });
  });

  it('are both invalid where the first was planned many rows before, in the plan as it is sent and shown', async () => {
    const service = await openTestService();
    const rows = Array.from(
      { length: 1_300 },
      (_, at): Cells => [null, null, 80_000 + at, `Pakket ${at}`, 1, 10, null],
    );
    const twins = [3, 4, 777].map((at): Cells => [null, null, 80_000 + at, `Ander ${at}`, 1, 10, null]);
    const file = await bookOf(service, { Pakketten: [...rows, ...twins] });
    const options = optionsFor(service, { allRows: true });
    const plan = await planImport(file, options);
    expect(plan.counts).toMatchObject({ read: 1_303, created: 1_297, invalid: 6 });
    const needed = plan.requests;
    const shown = await readRun(plan.run, { ledger: options.ledger });
    const invalid = shown.rows.filter(({ status }) => status === 'invalid');
    expect(told(invalid)).toEqual([
      ...[5, 6, 779].map((row) => `Pakketten ${row} invalid, C${row} created-twice`),
      ...[1302, 1303, 1304].map((row) => `Pakketten ${row} invalid, C${row} created-twice`),
    ]);
    expect(wordsOf(invalid)[2]).toContain('Pakketten!C1304');
    expect(needed % 1_297).toBe(0);
    const group = plan.groups.find(({ issue }) => issue.code === 'created-twice');
    expect(group?.count).toBe(6);
  });

  it('link the same two records once: with other values both are invalid', async () => {
    const service = await openTestService();
    const header = ['PartijID', 'ArrangementID', 'Aantal', 'Datum'];
    const day = '2026-10-02';
    const file = await makeWorkbook(`${service.folder}/links.xlsx`, {
      Arrangementen: [
        header,
        [9001, 3, 40, day],
        [9001, 4, 40, day],
        [9001, 3, 41, day],
        [9001, 1, 5, null],
        [9001, 1, 6, null],
      ],
    });
    const { rows } = await importWorkbook(file, optionsFor(service, { allRows: true }));
    expect(told(rows)).toEqual([
      'Arrangementen 2 invalid, B2 created-twice',
      'Arrangementen 3 created',
      'Arrangementen 4 invalid, B4 created-twice',
      'Arrangementen 5 invalid, C5 value-twice',
      'Arrangementen 6 invalid, C6 value-twice',
    ]);
  });
});
