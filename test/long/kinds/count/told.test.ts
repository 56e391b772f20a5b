import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import {
  applyPlan,
  exportRecords,
  type ImportWorkbookOptions,
  importWorkbook,
  planImport,
  undoRun,
} from '../../../../src/index.ts';
import { stockCount } from '../../../../src/resources/stock-count.ts';
import { serviceOnly } from '../../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../../helpers/test-service.ts';
import {
  type Cells,
  importSheet,
  MUTATION_HEADER,
  mutate,
  recipeIds,
  stockOf,
  workbookOf,
} from '../../../kinds/posting/stock-fixtures.ts';
import { pack, partsOf } from '../../../template/fill-in.ts';

afterEach(() => {
  vi.useRealTimers();
});

const SHEET = 'Voorraadtelling';
const HEADER = [
  ...['#key', 'ProductID', 'GeteldRekeneenheid', 'GeteldProducteenheid', 'WerknemerID', 'DatumTijd'],
  ...['MutatieCategorieID', 'MutatieReden'],
];
const [NIGHT, MORNING, NOON, EVENING] = ['00:00', '08:00', '12:00', '18:00'].map(
  (time) => `2026-10-01 ${time}`,
);

interface Shelf {
  readonly service: TestService;
  readonly id: number;
  /** Imports one count, and answers what became of it. */
  count(amount: number, moment?: string | null, more?: More): Promise<Told>;
  /** Imports one mutation. */
  use(amount: number, moment: string | undefined): Promise<unknown>;
  stock(): Promise<number>;
}

interface More extends Pick<ImportWorkbookOptions, 'onConflict' | 'strict' | 'report'> {
  readonly key?: string;
  readonly boxes?: boolean;
}

interface Told {
  readonly run: string;
  readonly status: string | undefined;
  readonly message: string;
  readonly issues: readonly string[];
}

/** A product with 24 in stock. */
async function shelf(): Promise<Shelf> {
  const service = await openTestService();
  const [id = 0] = await recipeIds(service, 1);
  await mutate(service, id, 24 - (await stockOf(service, id)));
  const rest = (moment: string | null): Cells => [12, moment, 4901, 'Telling'];
  return {
    service,
    id,
    async count(amount, moment = MORNING ?? '', { key = null, boxes = false, ...options } = {}) {
      const amounts = boxes ? [null, amount] : [amount, null];
      const rows = [HEADER, [key, id, ...amounts, ...rest(moment)]] as Cells[];
      const done = await importSheet(service, SHEET, rows, options);
      const [row] = done.rows;
      const issues = (row?.issues ?? []).map(({ code, severity }) => `${code} ${severity}`);
      return { run: done.run, status: row?.status, message: row?.message ?? '', issues };
    },
    use: (amount, moment = '') =>
      importSheet(service, 'Voorraadmutaties', [
        [...MUTATION_HEADER],
        [id, 12, moment, amount, 4902, 'Keuken'],
      ]),
    stock: () => stockOf(service, id),
  };
}

it('a count that equals the total is remembered, and posts nothing when the same file comes a day later', async () => {
  const { service, id, count, stock } = await shelf();
  expect(await count(24)).toMatchObject({ status: 'unchanged' });
  await mutate(service, id, -16);
  expect(await count(24)).toMatchObject({
    ...{ status: 'unchanged', message: expect.stringContaining('imported before, in run') },
  });
  expect(await stock()).toBe(8);
});

it('a dry run of a count that equals the total remembers nothing', async () => {
  const { service, id, count, stock } = await shelf();
  const rows = [HEADER, [null, id, 24, null, 12, MORNING, 4901, 'Telling']] as Cells[];
  await importSheet(service, SHEET, rows, { dryRun: true });
  await mutate(service, id, -16);
  expect(await count(24)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(24);
});

it('a count without a DatumTijd that equals the total is about no moment, and is not remembered', async () => {
  const { service, id, count } = await shelf();
  expect(await count(24, null)).toMatchObject({ status: 'unchanged' });
  await mutate(service, id, -16);
  expect(await count(24, null)).toMatchObject({ status: 'invalid' });
});

it('a corrected count posts the difference to what was counted then, whatever the total is by now', async () => {
  const { service, id, count, stock } = await shelf();
  await count(30);
  await mutate(service, id, -5);
  expect(await count(32)).toMatchObject({
    ...{
      status: 'created',
      message: expect.stringMatching(/^counted 30 in run .+, corrected to 32: difference \+2$/),
    },
  });
  expect(await stock()).toBe(27);
  // The file of before and that of after, in any order.
  for (const [amount, says] of [
    [30, 'was corrected to 32'],
    [32, 'imported before'],
    [30, 'was corrected to 32'],
  ] as const)
    expect(await count(amount)).toMatchObject({
      status: 'unchanged',
      message: expect.stringContaining(says),
    });
  expect(await stock()).toBe(27);
});

it('a count that equalled the total and posted nothing is corrected by the difference too', async () => {
  const { service, id, count, stock } = await shelf();
  await count(24);
  await mutate(service, id, -4);
  expect(await count(23.5)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(19.5);
});

it('a corrected count goes back to what it was with a #key of its own', async () => {
  const { count, stock } = await shelf();
  await count(30);
  await count(32);
  expect(await count(30, MORNING, { key: 'toch 30' })).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(30);
});

it('a correction in the other unit is a conflict that names the column of the count', async () => {
  const { count, stock } = await shelf();
  await count(30);
  expect(await count(4, MORNING, { boxes: true })).toMatchObject({
    ...{ status: 'conflict', message: expect.stringContaining('entered in GeteldRekeneenheid (30') },
  });
  expect(await stock()).toBe(30);
});

it('a later count holds: an earlier one, corrected or new, posts nothing and says so', async () => {
  const { count, stock } = await shelf();
  await count(30, MORNING);
  const { run } = await count(20, EVENING);
  for (const [amount, moment] of [
    [32, MORNING],
    [25, NOON],
  ] as const)
    expect(await count(amount, moment)).toMatchObject({
      ...{ status: 'unchanged', message: expect.stringContaining(`(run ${run}) is later and holds`) },
    });
  expect(await stock()).toBe(20);
  expect(await count(21, EVENING)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(21);
});

it('a count that is not posted because a later one holds has a warning that names it and a way out, also when it comes again', async () => {
  const { service, id, count, stock } = await shelf();
  await count(24, NOON);
  for (const amount of [20, 20]) {
    const held = await count(amount, MORNING);
    expect(held).toMatchObject({ status: 'unchanged', issues: ['later-count warning'] });
    expect(held.message).toMatch(
      /the count of 1 Oct 2026 12:00 \(run .+\) is later and holds.+--on-conflict mine posts this one/,
    );
  }
  expect(await count(20, NIGHT)).toMatchObject({
    message: expect.stringContaining('without a time this count is taken for 00:00'),
  });
  expect(await count(20, MORNING, { strict: true })).toMatchObject({ status: 'invalid' });
  const file = `${service.folder}/t.csv`;
  const report = `${service.folder}/t.html`;
  writeFileSync(file, `${HEADER.slice(1).join(';')}\n${id};20;;12;${MORNING};4901;Telling\n`);
  const { code, stdout } = await service.run([
    'import',
    file,
    '--as',
    'stock-count',
    '-y',
    '--report',
    report,
  ]);
  expect(code).toBe(0);
  for (const shown of [stdout, readFileSync(report, 'utf8')]) expect(shown).toContain('is later and holds');
  expect(await stock()).toBe(24);
});

it('a count is posted with --on-conflict mine though a later one is known, also one that posted nothing, and is told by then', async () => {
  const { count, stock } = await shelf();
  // Of the wrong day, and equal to the total: there is nothing to undo.
  await count(24, EVENING);
  expect(await count(20, MORNING)).toMatchObject({ status: 'unchanged' });
  expect(await count(20, MORNING, { onConflict: 'mine' })).toMatchObject({ status: 'created', issues: [] });
  expect(await stock()).toBe(20);
  const again = await count(20, MORNING);
  expect(again).toMatchObject({ status: 'unchanged', issues: [] });
  expect(again.message).toMatch(/^this count was imported before, in run [^;]+$/);
  expect(await count(21, MORNING)).toMatchObject({ status: 'created' });
  expect(await stock()).toBe(21);
});

it('a count that is posted in spite of a later one is stopped by one that was told since its plan', async () => {
  const { service, id, count, stock } = await shelf();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const minute = (): unknown => vi.setSystemTime(Date.now() + 60_000);
  const options = optionsFor(service);
  const planned = async (amount: number, moment: string | undefined) => {
    minute();
    const rows = [HEADER, [null, id, amount, null, 12, moment, 4901, 'Telling']] as Cells[];
    const file = await workbookOf(service, { [SHEET]: rows });
    const plan = await planImport(file, { ...options, onConflict: 'mine' });
    minute();
    return plan;
  };
  await count(24, NOON);
  const plan = await planned(20, MORNING);
  expect((await applyPlan(plan, options)).counts).toMatchObject({ created: 1 });
  expect(await stock()).toBe(20);
  const next = await planned(18, NIGHT);
  await count(25, EVENING);
  expect((await applyPlan(next, options)).counts).toMatchObject({ conflict: 1 });
  expect(await stock()).toBe(25);
});

it('a count of more than a day ahead is invalid, and one that is in the ledger all the same holds nothing back', async () => {
  const { count, stock } = await shelf();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2028-10-01T09:00:00') });
  const ahead = await count(24, '2028-10-02 09:00:01');
  expect(ahead).toMatchObject({ status: 'invalid', issues: ['counted-ahead error'] });
  expect(ahead.message).toContain('it is 1 Oct 2028 09:00 now: correct the date');
  // A day is what the time zones of a kitchen and of this machine may be apart.
  expect(await count(24, '2028-10-02 09:00')).toMatchObject({ status: 'unchanged', issues: [] });
  expect(await count(20, MORNING)).toMatchObject({ issues: ['later-count warning'] });
  // As in the ledger of a version that took any moment, or of a clock that was put right.
  vi.setSystemTime(new Date('2026-11-01T09:00:00'));
  expect(await count(20, MORNING)).toMatchObject({ status: 'created', issues: [] });
  expect(await stock()).toBe(20);
});

it('a count that is imported late leaves alone what was used after it, when this program posted that', async () => {
  const { count, use, stock } = await shelf();
  await use(-3, NIGHT);
  await use(-5, NOON);
  expect(await count(20, MORNING)).toMatchObject({
    ...{ status: 'created', message: 'total 21 (without -5 of later), counted 20: difference -1' },
  });
  expect(await stock()).toBe(15);
});

it('what was used on the day of a count without a time is before or after it, so that it is a conflict', async () => {
  const { count, use, stock } = await shelf();
  await use(-5, NOON);
  expect(await count(20, NIGHT)).toMatchObject({
    ...{ status: 'conflict', message: expect.stringContaining('give DatumTijd a time') },
  });
  expect(await stock()).toBe(19);
});

it('a mutation that was taken back moves no count', async () => {
  const { service, count, use, stock } = await shelf();
  const { run } = (await use(-5, NOON)) as Told;
  const { file } = await undoRun(run, {
    ...serviceOnly(optionsFor(service)),
    out: `${service.folder}/terug.xlsx`,
  });
  await importWorkbook(file, optionsFor(service));
  expect(await stock()).toBe(24);
  await count(20, MORNING);
  expect(await stock()).toBe(20);
});

it('the undo of a run takes its counts back, and a count that was taken back is no fact any more', async () => {
  const { service, count, stock } = await shelf();
  const first = await count(30);
  const { file, cannot } = await undoRun(first.run, {
    ...serviceOnly(optionsFor(service)),
    out: `${service.folder}/terug.xlsx`,
  });
  expect(cannot).toEqual([]);
  expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ created: 1 });
  expect(await stock()).toBe(24);
  expect(await count(30)).toMatchObject({
    status: 'conflict',
    message: expect.stringContaining('taken back in run'),
  });
  // Not the difference to the 30 that was taken back.
  expect(await count(32)).toMatchObject({
    status: 'created',
    message: expect.stringContaining('total 24, counted 32'),
  });
  expect(await stock()).toBe(32);
});

it('the undo of a correction brings back the count of before', async () => {
  const { service, count, stock } = await shelf();
  await count(30);
  const { run } = await count(33);
  const { file } = await undoRun(run, {
    ...serviceOnly(optionsFor(service)),
    out: `${service.folder}/terug.xlsx`,
  });
  await importWorkbook(file, optionsFor(service));
  expect(await stock()).toBe(30);
  expect(await count(31)).toMatchObject({
    status: 'created',
    message: expect.stringContaining('counted 30'),
  });
  expect(await stock()).toBe(31);
});

it('a correction of a count in doubt is a conflict, until its run is told what came of it', async () => {
  const { service, count, stock } = await shelf();
  await service.faults({ lostAnswer: 1, onlyWrites: true });
  const { run } = await count(30);
  await service.faults({ lostAnswer: 0 });
  const again = await count(32);
  expect(again).toMatchObject({
    status: 'conflict',
    message: expect.stringContaining(`catersheet apply ${run}`),
  });
  expect(await stock()).toBe(30);
});

it('another ledger learns from a result what was told, also where nothing was posted', async () => {
  const { service, id, stock } = await shelf();
  const rows = [HEADER, [null, id, 24, null, 12, MORNING, 4901, 'Telling']] as Cells[];
  const { result } = await importSheet(service, SHEET, rows);
  await mutate(service, id, -16);
  const other = {
    ...optionsFor(service),
    ledger: `${service.folder}/ander.db`,
    out: `${service.folder}/r2.xlsx`,
  };
  const done = await importWorkbook(result ?? '', other);
  expect(done.rows[0]).toMatchObject({
    status: 'unchanged',
    message: expect.stringContaining('imported before'),
  });
  expect(await stock()).toBe(8);
});

/** Fills in who counted a product and when in an exported sheet, and how much where that is another amount. */
async function fillIn(file: string, id: number, moment = '', counted?: number): Promise<void> {
  const parts = await partsOf(readFileSync(file));
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const row = new RegExp(`<c r="A(\\d+)"[^>]*><v>${id}</v>`).exec(sheet)?.[1];
  const more = `<c r="G${row}"><v>12</v></c><c r="H${row}" t="inlineStr"><is><t>${moment}</t></is></c><c r="I${row}"><v>4901</v></c><c r="J${row}" t="inlineStr"><is><t>Telling</t></is></c>`;
  const amount = new RegExp(`(<c r="E${row}"[^>]*><v>)([^<]*)(</v></c>)`);
  const filled = (_: string, open: string, was: string, close: string): string =>
    `${open}${counted ?? was}${close}${more}`;
  parts.set('xl/worksheets/sheet1.xml', sheet.replace(amount, filled));
  writeFileSync(file, await pack(parts));
}

it('a counted row of an export whose total moved since is a conflict with all three numbers', async () => {
  const { service, id, stock } = await shelf();
  const out = `${service.folder}/telling.xlsx`;
  const options = optionsFor(service);
  await exportRecords(stockCount, { ...serviceOnly(options), out });
  await fillIn(out, id, MORNING, 30);
  await mutate(service, id, -5);
  const done = await importWorkbook(out, options);
  const touched = done.rows.find(({ status }) => status !== 'unchanged');
  expect(touched).toMatchObject({
    status: 'conflict',
    message: expect.stringContaining('since the export: it was 24, it is 19 now, counted 30;'),
  });
  expect(await stock()).toBe(19);
  expect((await importWorkbook(out, { ...options, onConflict: 'mine' })).counts).toMatchObject({
    created: 1,
  });
  expect(await stock()).toBe(30);
  // It was told by now: its own posting moved the total.
  expect((await importWorkbook(out, options)).counts).toMatchObject({ conflict: 0 });
});

it('a row of an export that is confirmed with who counted and when is remembered as a count, though its amount is as it was', async () => {
  const { service, id, count, stock } = await shelf();
  const out = `${service.folder}/telling.xlsx`;
  const options = optionsFor(service);
  await exportRecords(stockCount, { ...serviceOnly(options), out });
  await fillIn(out, id, NOON);
  await importWorkbook(out, options);
  expect(await stock()).toBe(24);
  // What was counted before that says no more of today's stock.
  await count(20, MORNING);
  expect(await stock()).toBe(24);
});
