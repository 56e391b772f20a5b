import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RowDocument } from '../../src/api/documents.ts';
import type { SessionInput } from '../../src/api/import-workbook.ts';
import { rowDocument } from '../../src/api/make-documents.ts';
import type { PlannedRow } from '../../src/core/plan.ts';
import { FileRows, openRowChecks } from '../../src/desk/server/row-checks.ts';
import { openSession } from '../../src/session/open-session.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { planIn } from '../helpers/plan-in.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { type Cell, openWorld } from '../promises/world.ts';

type Corrections = NonNullable<SessionInput['corrections']>;

async function rowsOf(plan: { rows(): AsyncIterable<RowDocument> }): Promise<RowDocument[]> {
  const rows: RowDocument[] = [];
  for await (const row of plan.rows()) rows.push(row);
  return rows;
}

/** A world, and checks of the rows of a file that is planned in it. */
async function open() {
  const world = openWorld();
  const options = world.machine();
  const { time, service } = world;
  const session = await openSession(serviceOnly(options), 'wait', { time, connect: service.connect });
  onTestFinished(() => session.close());
  return {
    ...world,
    options,
    session,
    planned: async (rows: readonly (readonly Cell[])[]) => {
      const [file, read] = [world.sheet(rows), new FileRows()];
      const input = { as: 'packages' } as const;
      const plan = await planIn(session, file, { ...input, memory: read });
      const checks = await openRowChecks(session, file, input, { run: plan.run, rows: read });
      onTestFinished(() => read.close());
      return { file, read, plan, checks, sheet: file.replace(/.*\/|\.csv$/g, ''), input };
    },
  };
}

const plain = (count: number): Cell[][] =>
  packageRows(count).map(([key, name, type, price, active], at) =>
    [key, name, at === 0 ? type : 1, at === 0 ? price : 9 + at, at === 0 ? active : 'Ja'].map(
      (cell) => cell as Cell,
    ),
  );
const PRICE = 4;

/** Cells that were corrected, and nothing decided. */
const corrected = (cells: Corrections) => ({
  corrections: cells.map((one) => ({ ...one, was: '' })),
  decisions: [],
});

/** A row that was planned, as it is told. */
const shown = (planned: PlannedRow): RowDocument => rowDocument({ planned, outcome: null }, true, 'en');

const withoutWords = (rows: unknown): unknown =>
  JSON.parse(
    JSON.stringify(rows, (key, value) => (['message', 'expected'].includes(key) ? undefined : value)),
  );

describe('a check of single rows', () => {
  test('comes to what a plan of the whole file comes to, whatever is corrected', async () => {
    const { planned, session, service } = await open();
    // Half of the rows are about a record that is there.
    for (let at = 0; at < 6; at += 2)
      service.add.package({ ExternalID: 700_000 + at, OmschrijvingIntern: `Lunch ${at}` });
    const texts = '|5|12,50|abc|1.250|#CLEAR|ja|Diner|2|#N/A|=1+1|Soep\u00a0|0';
    const text = fc.constantFrom(...texts.split('|'));
    const rows = fc.array(fc.tuple(text, text, text, text), { minLength: 3, maxLength: 6 });
    const correction = fc.record({ at: fc.nat(5), column: fc.integer({ min: 2, max: 5 }), text });
    const check = async (
      cells: readonly (readonly string[])[],
      typed: readonly { at: number; column: number; text: string }[],
    ) => {
      const file = [plain(0)[0] ?? [], ...cells.map((row, at) => [700_000 + at, ...row])];
      const { checks, read, sheet, file: path, input } = await planned(file);
      // The last of those about one cell counts.
      const corrections: Corrections = typed.map(({ at, ...one }) => ({
        sheet,
        row: 2 + (at % cells.length),
        ...one,
      }));
      const whole = await rowsOf(await planIn(session, path, { ...input, corrections }));
      const asked = [...new Set(corrections.map(({ row }) => row))].map((row) => ({ sheet, row }));
      const checked = await checks.check(corrected(corrections), asked);
      const found = checked.map(shown);
      // What is expected is said in the way that numbers are typed.
      const wanted = whole.filter((one) => asked.some((place) => place.row === one.row));
      expect(withoutWords(found)).toEqual(withoutWords(wanted));
      await read.close();
    };
    const property = fc.asyncProperty(rows, fc.array(correction, { minLength: 1, maxLength: 6 }), check);
    await fc.assert(property, { seed: 39, numRuns: 12 });
  });

  test('leaves no trace in the ledger, on the disk or on the service, and asks for a list once', async () => {
    const { planned, service, options } = await open();
    const ledger = () => ['', '-wal'].map((end) => readFileSync(options.ledger + end, 'latin1'));
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('catersheet-'));
    const before = folders();
    const { checks, read, sheet } = await planned(plain(6));
    const held = ledger();
    service.journal.requests.length = 0;
    for (const text of ['Diner', 'Buffet', '1'])
      await checks.check(corrected([{ sheet, row: 3, column: 3, text }]), [{ sheet, row: 3 }]);
    const typed = [
      { sheet, row: 3, column: PRICE, text: 'abc' },
      { sheet, row: 4, column: PRICE, text: '9,95' },
    ];
    const rows = await checks.check(corrected(typed), typed);
    expect(rows.map(({ row, action }) => [row, action])).toEqual([
      [3, 'invalid'],
      [4, 'create'],
    ]);
    await checks.cells({ sheet, row: 2 }, [], 'en');
    await checks.choices(sheet, 3, 'en');
    expect(ledger()).toEqual(held);
    const asked = service.journal.requests;
    expect(asked.filter(({ write }) => write)).toEqual([]);
    expect(asked.filter(({ path }) => path.includes('producttype')).length).toBeLessThan(2);
    await read.close();
    // Others make such folders too, and remove them at once.
    const left = () =>
      folders().filter((name) => !before.includes(name) && existsSync(join(tmpdir(), name, 'rows')));
    if (process.platform !== 'win32') await expect.poll(left).toEqual([]);
  });

  test('checks rows on one record together, and one that is emptied; a row that holds nothing has no cells', async () => {
    const { planned } = await open();
    const [header = [], one = [], two = []] = plain(2);
    const again = one.map((cell, at) => (at === 3 ? 99 : cell));
    const { checks, plan, sheet } = await planned([header, one, two, again]);
    expect(plan.counts).toMatchObject({ created: 1, invalid: 2 });
    const check = async (row: number, texts: Readonly<Record<number, string>>, ...others: number[]) => {
      const typed = Object.entries(texts).map(([at, text]) => ({ sheet, row, column: Number(at), text }));
      const asked = others.length === 0 ? [row] : others;
      const rows = await checks.check(
        corrected(typed),
        asked.map((one) => ({ sheet, row: one })),
      );
      return rows.map(({ row: of, action }) => `${of} ${action}`);
    };
    expect(await check(4, { [PRICE]: String(one[3]).replace('.', ',') }, 2, 4)).toEqual([
      '2 create',
      expect.stringMatching(/^4 /),
    ]);
    await expect(check(20, { 1: '690000' })).rejects.toThrow('has no cell A20');
    expect(await check(3, { 1: '', 2: '', 3: '', 4: '', 5: '' })).toEqual([]);
  });
});

describe('the cells of rows', () => {
  test('are those of the file as the sheet shows them, with its columns and what can be chosen for them', async () => {
    const { planned } = await open();
    const rows = plain(1).map((row, at) => [
      ...row,
      at === 0 ? '#action' : null,
      at === 0 ? 'Notitie' : 'bellen',
    ]);
    const { checks, sheet } = await planned(rows);
    const cells = await checks.cells({ sheet, row: 2 }, [], 'en');
    expect(cells.map(({ letters, field, list, text }) => [letters, field, list, text])).toEqual([
      ['A', 'ExternalID', false, '600000'],
      ['B', 'OmschrijvingIntern', false, 'Lunchbuffet 600000'],
      ['C', 'ProductTypeID', true, '1'],
      ['D', 'Verkoopprijs', false, '10'],
      ['E', 'Actief', true, 'Ja'],
      ['F', '#action', true, ''],
      ['G', null, false, 'bellen'],
    ]);
    expect(await checks.cells({ sheet: 'Elders', row: 1 }, [], 'en')).toEqual([]);
    const [first] = await checks.choices(sheet, 3, 'en');
    // What is chosen is read as the record that it was made from.
    const chosen = { sheet, row: 2, column: 3, text: first?.text ?? '' };
    const [row] = await checks.check(corrected([chosen]), [{ sheet, row: 2 }]);
    expect(row && shown(row).changes).toContainEqual(
      expect.objectContaining({ field: 'ProductTypeID', to: first?.id }),
    );
    expect((await checks.choices(sheet, 5, 'en')).map(({ text }) => text)).toEqual(['yes', 'no']);
    expect(await checks.choices(sheet, 6, 'en')).toContainEqual({ text: 'skip', id: null });
    expect(await checks.choices(sheet, PRICE, 'en')).toEqual([]);
  });
});

test('a corrected row is held against the rules of its workbook and those of the settings', async () => {
  const { session, folder } = await open();
  const file = await makeWorkbook(join(folder, 'p.xlsx'), {
    Pakketten: plain(3),
    Regels: [['Regel'], ['Verkoopprijs <= 20 ! | Te duur']],
  });
  const [read, input] = [new FileRows(), { rules: ['Verkoopprijs != 19'] }];
  const { run, counts, notes } = await planIn(session, file, { ...input, memory: read });
  expect([counts.invalid, notes.map(({ text }) => text.en)]).toEqual([
    0,
    [expect.stringContaining('Regels')],
  ]);
  const checks = await openRowChecks(session, file, input, { run, rows: read });
  onTestFinished(() => read.close());
  const said = async (text: string) => {
    const place = { sheet: 'Pakketten', row: 3 };
    const rows = await checks.check(corrected([{ ...place, column: PRICE, text }]), [place]);
    return rows.map(({ action, issues }) =>
      [action, ...issues.map(({ address, code }) => `${address} ${code}`)].join(' '),
    );
  };
  expect(await said('21')).toEqual(['invalid D3 rule-not-held']);
  expect(await said('19')).toEqual(['create D3 rule-not-held']);
  expect(await said('18')).toEqual(['create']);
});
