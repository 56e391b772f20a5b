import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRowChecks, rowsOfFile, sameCells } from '../../src/api/check-rows.ts';
import { importIn, planIn, type SessionInput } from '../../src/api/import-workbook.ts';
import type { RowDocument } from '../../src/import/import-document.ts';
import { exportRecords } from '../../src/index.ts';
import { openSession } from '../../src/session/open-session.ts';
import { makeWorkbook, packageRows, readBack } from '../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';
import { changePackage } from '../import/baseline/fixtures.ts';

type Corrections = NonNullable<SessionInput['corrections']>;
type Cells = readonly (string | number | boolean | Date | null)[];

async function rowsOf(plan: { rows(): AsyncIterable<RowDocument> }): Promise<RowDocument[]> {
  const rows: RowDocument[] = [];
  for await (const row of plan.rows()) rows.push(row);
  return rows;
}

/** Everything that the ledger holds, table by table. */
function ledgerOf({ folder }: TestService): Record<string, unknown[]> {
  const db = new Database(join(folder, 'ledger.db'), { readonly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table'").all() as {
    name: string;
  }[];
  const all = tables.map(({ name }) => [name, db.prepare(`select * from "${name}"`).all()]);
  db.close();
  return Object.fromEntries(all);
}

/** A session, a file that is planned in it, and checks of its rows. */
async function planned(
  service: TestService,
  sheets: Readonly<Record<string, readonly Cells[]>> | string,
  options: SessionInput = {},
) {
  const file = typeof sheets === 'string' ? sheets : await makeWorkbook(`${service.folder}/in.xlsx`, sheets);
  const session = await openSession(optionsFor(service), 'wait');
  onTestFinished(() => session.close());
  const rows = rowsOfFile();
  const plan = await planIn(session, file, { ...options, memory: rows });
  const checks = await openRowChecks(session, file, options, { run: plan.run, rows });
  onTestFinished(() => checks.close());
  return { file, session, plan, checks };
}

const sheet = 'Pakketten';
const price = (row: number, text: string) => ({ sheet, row, column: 4, text });

describe('a check of single rows', () => {
  it('comes to what a plan of the whole file comes to, whatever is corrected', async () => {
    const service = await openTestService();
    const made = packageRows(4, 700_000);
    const session = await openSession(optionsFor(service), 'wait');
    const known = await makeWorkbook(`${service.folder}/known.xlsx`, { [sheet]: made });
    await importIn(session, known, { out: `${service.folder}/known.result.xlsx` });
    await session.close();
    const text = fc.constantFrom(
      ...['', '5', '12,50', 'abc', '1.250', '#CLEAR', 'ja', 'Diner', '2', '#N/A', '=1+1', 'Soep\u00a0', '0'],
    );
    const cell = fc.oneof(text, fc.constant(null));
    const row = fc.tuple(fc.integer({ min: 1, max: 3 }), cell, cell, cell, cell);
    const correction = fc.record({
      row: fc.integer({ min: 2, max: 11 }),
      column: fc.integer({ min: 2, max: 5 }),
      text,
    });
    const check = async (
      rows: readonly Cells[],
      typed: readonly { row: number; column: number; text: string }[],
    ) => {
      // Each row is about a record of its own: half of them are there.
      const sheets = { [sheet]: [made[0] ?? [], ...rows.map((cells, at) => [700_000 + 2 * at, ...cells])] };
      const { file, session: own, checks } = await planned(service, sheets);
      const corrections: Corrections = typed.map((one) => ({ sheet, ...one }));
      const whole = await rowsOf(await planIn(own, file, { corrections }));
      const asked = [...new Set(typed.map((one) => one.row))].map((number) => ({ sheet, row: number }));
      const checked = await checks.check(corrections, [], asked);
      const found = checked.map(({ causes: _, recordKey: __, ...document }) => document);
      expect(found).toEqual(whole.filter((one) => asked.some((place) => place.row === one.row)));
      await checks.close();
      await own.close();
    };
    const rows = fc.array(
      row.map(([type, ...rest]) => [rest[0] ?? null, type, ...rest.slice(1)]),
      {
        minLength: 3,
        maxLength: 10,
      },
    );
    const property = fc.asyncProperty(rows, fc.array(correction, { minLength: 1, maxLength: 6 }), check);
    await fc.assert(property, { numRuns: 12 });
  });

  it('leaves no trace in the ledger, and the rows that are planned after it are the same', async () => {
    const service = await openTestService();
    const { session, checks, file } = await planned(service, { [sheet]: packageRows(6) });
    const before = ledgerOf(service);
    const corrections = [price(3, 'abc'), price(4, '9,95')];
    const rows = await checks.check(
      corrections,
      [],
      [3, 4].map((row) => ({ sheet, row })),
    );
    expect(rows.map(({ row, status }) => [row, status])).toEqual([
      [3, 'invalid'],
      [4, 'create'],
    ]);
    await checks.cells(sheet, [2, 3]);
    await checks.suggestions(sheet, 3);
    expect(ledgerOf(service)).toEqual(before);
    const writes = Object.keys((await service.log()).counts).filter((name) =>
      /create|update|delete/i.test(name),
    );
    expect(writes).toEqual([]);
    expect((await planIn(session, file, {})).counts).toMatchObject({ created: 6 });
    expect(ledgerOf(service)).not.toEqual(before);
  });

  it('asks for a list once for all checks', async () => {
    const service = await openTestService();
    const { checks } = await planned(service, { [sheet]: packageRows(6) });
    await service.clearLog();
    for (const text of ['Diner', 'Buffet', 'Borrel'])
      await checks.check([{ sheet, row: 3, column: 3, text }], [], [{ sheet, row: 3 }]);
    const lists = (await service.log()).requests.filter(({ endpoint }) => endpoint?.startsWith('lookups'));
    expect(lists.length).toBeLessThanOrEqual(1);
  });

  it('goes by the decisions on conflicts, and by what the workbook was written with', async () => {
    const service = await openTestService();
    const { allRows: _, doubt: __, ...options } = optionsFor(service);
    const out = `${service.folder}/export.xlsx`;
    await exportRecords('packages', { ...options, out });
    const cells = (await readBack(out)).get(sheet);
    const header = new Map(
      [...(cells?.get(1) ?? [])].map(([at, name]) => [String(name).replace(/ \*$/, ''), at]),
    );
    const [id, column] = ['ProductID', 'Verkoopprijs'].map((name) => header.get(name) as number) as [
      number,
      number,
    ];
    const ids = [2, 3].map((row) => Number(cells?.get(row)?.get(id)));
    for (const one of ids) await changePackage(service, one, { Verkoopprijs: 77 });
    const { checks } = await planned(service, out);
    const rows = [2, 3].map((row) => ({ sheet, row }));
    const corrections = rows.map(({ row }) => ({ sheet, row, column, text: '5,25' }));
    const statuses = async (decide?: 'mine' | 'theirs') =>
      (await checks.check(corrections, decide === undefined ? [] : [{ sheet, row: 3, decide }], rows)).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(['conflict', 'conflict']);
    expect(await statuses('mine')).toEqual(['conflict', 'update']);
    expect(await statuses('theirs')).toEqual(['conflict', 'unchanged']);
    expect(await checks.check([], [], rows)).toMatchObject([
      { status: 'unchanged' },
      { status: 'unchanged' },
    ]);
  });

  it('knows the records that other sheets of the file create', async () => {
    const service = await openTestService();
    const events = [
      ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
      [880_001, 1, 1, '2027-05-01', '2027-05-01 12:00', '2027-05-01 15:00'],
    ];
    const links = [
      ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
      [880_009, 20, 40, '2027-05-01'],
    ];
    const { checks, plan } = await planned(service, { Evenementen: events, Arrangementen: links });
    expect(plan.counts).toMatchObject({ created: 1, invalid: 1 });
    const place = { sheet: 'Arrangementen', row: 2 };
    expect(await checks.check([], [], [place])).toMatchObject([{ status: 'invalid' }]);
    const right = [{ ...place, column: 1, text: '880001' }];
    expect(await checks.check(right, [], [place])).toMatchObject([{ ...place, status: 'create' }]);
  });

  it('checks the other rows on the same record too', async () => {
    const service = await openTestService();
    const [header = [], one = [], two = []] = packageRows(2);
    const again = one.map((cell, at) => (at === 3 ? 99 : cell));
    const { checks, plan } = await planned(service, { [sheet]: [header, one, two, again] });
    expect(plan.counts).toMatchObject({ created: 1, invalid: 2 });
    const rows = await checks.check([price(4, String(one[3]).replace('.', ','))], [], [{ sheet, row: 4 }]);
    expect(rows.map(({ row }) => row)).toEqual([2, 4]);
    expect(rows[0]?.status).toBe('create');
  });

  it('takes a row that held nothing, one that is emptied, and another header', async () => {
    const service = await openTestService();
    const { checks } = await planned(service, { [sheet]: packageRows(2) });
    const typed = ['690000', 'Nieuw', '1', '4,50', 'ja'].map((text, at) => ({
      sheet,
      row: 20,
      column: at + 1,
      text,
    }));
    expect(await checks.check(typed, [], [{ sheet, row: 20 }])).toMatchObject([
      { row: 20, status: 'create' },
    ]);
    const none = [1, 2, 3, 4, 5].map((column) => ({ sheet, row: 2, column, text: '' }));
    expect(await checks.check(none, [], [{ sheet, row: 2 }])).toEqual([]);
    const title = { sheet, row: 1, column: 4, text: 'Kostprijs' };
    const [row] = await checks.check([title], [], [{ sheet, row: 2 }]);
    expect(row?.issues?.map(({ field, code }) => [field, code])).toContainEqual([
      'Verkoopprijs',
      'column-missing',
    ]);
  });

  it('needs no plan of its session: the file is read once, in a private file that goes with it', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/in.xlsx`, { [sheet]: packageRows(3) });
    const session = await openSession(optionsFor(service), 'try');
    onTestFinished(() => session.close());
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('catersheet-'));
    const before = new Set(folders());
    const checks = await openRowChecks(session, file, {});
    expect(await checks.check([price(3, 'x')], [], [{ sheet, row: 3 }])).toMatchObject([
      { status: 'invalid' },
    ]);
    const own = folders().filter(
      (name) => !before.has(name) && readdirSync(join(tmpdir(), name)).includes('rows'),
    );
    // Elsewhere than on Windows it has no name, so that a kill leaves nothing of it.
    if (process.platform !== 'win32') expect(own).toEqual([]);
    await checks.close();
    expect(folders().filter((name) => own.includes(name))).toEqual([]);
  });
});

describe('the cells of rows', () => {
  it('are those of the file as the sheet shows them, with its columns and what can be chosen for them', async () => {
    const service = await openTestService();
    const [header = [], one = [], two = []] = packageRows(2);
    const { checks } = await planned(service, { [sheet]: [[...header, 'Notitie'], one, [...two, 'bellen']] });
    const found = await checks.cells(sheet, [3, 9]);
    expect(found?.columns).toEqual([
      { column: 1, letters: 'A', header: 'ExternalID', field: 'ExternalID', list: false, number: true },
      {
        column: 2,
        letters: 'B',
        header: 'OmschrijvingIntern',
        field: 'OmschrijvingIntern',
        list: false,
        number: false,
      },
      { column: 3, letters: 'C', header: 'ProductTypeID', field: 'ProductTypeID', list: true, number: false },
      { column: 4, letters: 'D', header: 'Verkoopprijs', field: 'Verkoopprijs', list: false, number: true },
      { column: 5, letters: 'E', header: 'Actief', field: 'Actief', list: true, number: false },
      { column: 6, letters: 'F', header: 'Notitie', field: null, list: false, number: false },
    ]);
    expect(found?.rows).toEqual([
      {
        row: 3,
        cells: [
          { column: 1, type: 'number', text: '600001' },
          { column: 2, type: 'text', text: 'Lunchbuffet 600001' },
          { column: 3, type: 'number', text: '2' },
          { column: 4, type: 'number', text: '10,25' },
          { column: 5, type: 'boolean', text: 'ONWAAR' },
          { column: 6, type: 'text', text: 'bellen' },
        ],
      },
    ]);
    expect(await checks.cells('Elders', [1])).toBeUndefined();
  });

  it('can be chosen for: names of a list by their words, yes and no, what is to be done', async () => {
    const service = await openTestService();
    const rows = packageRows(1).map((row, at) => [...row, at === 0 ? '#action' : null]);
    const { checks } = await planned(service, { [sheet]: rows });
    const all = await checks.suggestions(sheet, 3);
    expect(all.kind).toBe('names');
    const [first] = all.entries;
    const word = first?.text.slice(1, 4).toUpperCase() ?? '';
    const some = await checks.suggestions(sheet, 3, { search: word });
    expect(some.entries).toContainEqual(first);
    expect(some.entries.every(({ text }) => text.toUpperCase().includes(word))).toBe(true);
    const one = await checks.suggestions(sheet, 3, { limit: 1 });
    expect([one.entries.length, one.more]).toEqual([1, true]);
    // What is chosen is read as the record that it was made from.
    const chosen = { sheet, row: 2, column: 3, text: first?.text ?? '' };
    const [row] = await checks.check([chosen], [], [{ sheet, row: 2 }]);
    expect(row?.changes).toContainEqual(expect.objectContaining({ field: 'ProductTypeID', to: first?.id }));
    expect((await checks.suggestions(sheet, 5)).entries.map(({ text }) => text)).toEqual(['yes', 'no']);
    expect((await checks.suggestions(sheet, 6, { search: 'de' })).entries).toEqual([
      { text: 'delete', id: null },
    ]);
    expect((await checks.suggestions(sheet, 4)).kind).toBe('none');
  });

  it('with the same problem are found together', async () => {
    const service = await openTestService();
    const wrong = (row: Cells, text: string) => row.map((cell, at) => (at === 3 ? text : cell));
    const [header = [], a = [], b = [], c = [], d = []] = packageRows(4);
    const rows = [header, wrong(a, 'gratis'), wrong(b, 'tbd'), c, wrong(d, 'gratis')];
    const { session, plan } = await planned(service, { [sheet]: rows });
    const [first] = await rowsOf(plan);
    const issue = first?.issues?.[0];
    if (issue === undefined) throw new Error('no issue');
    const cells = [2, 5].map((row) => ({ sheet, row, column: 4 }));
    expect(await sameCells(session, plan.run, issue)).toEqual(cells);
    expect(await sameCells(session, plan.run, { ...issue, sheet: 'Elders' })).toEqual([]);
  });
});
