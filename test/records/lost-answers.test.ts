import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';
import { type Cell, openWorld } from '../promises/world.ts';
import type { Failure, KnobChanges } from '../second-service/knobs.ts';
import type { Received } from '../second-service/types.ts';

const isWrite = ({ write }: Received): boolean => write;
const LOST: Failure = { kind: 'reset', when: 'after' };
const NEVER: Failure = { kind: 'reset', when: 'before' };

const SHEETS = {
  packages: {
    header: ['OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    row: (at: number): Cell[] => [`Lunch ${at}`, 1, 20 + at],
  },
  recipes: {
    header: ['OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
    row: (at: number): Cell[] => [`Soep ${at}`, 11, 501, 1, at],
  },
  events: {
    header: ['RelatieID', 'ContactpersoonID', 'LocatieID', 'Datum', 'Starttijd', 'Eindtijd'],
    row: (at: number): Cell[] => {
      const day = `2027-05-0${at}`;
      return [4001, 6001, 801, day, `${day} 12:00`, `${day} 17:00`];
    },
  },
} as const;
type Kind = keyof typeof SHEETS;
const KINDS = Object.keys(SHEETS) as Kind[];

/** Rows to create: without a key, or with one. */
const rowsOf = (kind: Kind, numbers: readonly number[], key = false): Cell[][] => [
  [key ? 'ExternalID' : '#action', ...SHEETS[kind].header],
  ...numbers.map((at) => [key ? 900_000 + at : 'create', ...SHEETS[kind].row(at)]),
];

describe('a create whose answer is lost is told from one that was not done, and takes effect once', () => {
  test.each<[string, KnobChanges]>([
    ['the clock is 11 minutes behind', { clock: { skewMs: -660_000 } }],
    ['the clock counts in minutes', { clock: { resolution: 'min', zone: 'Europe/Amsterdam' } }],
    ['no clock is shown', { clock: { lmt: 'absent' } }],
    ['ids are random, and no clock is shown', { clock: { lmt: 'absent' }, values: { newIds: 'random' } }],
    ['lists show a write a while later', { speed: { lagMs: 5000 } }],
    ['lists leave out what is not in use', { answers: { inactiveInLists: false } }],
  ])('where %s', async (_, knobs) => {
    for (const kind of KINDS) {
      const values = { ...knobs.values, externalId: 'never' } as const;
      const { service, sheet, machine, importWorkbook } = openWorld({ ...knobs, values });
      const before = service[kind].size;
      let sent = 0;
      const choose = ({ endpoint }: Received) =>
        endpoint.endsWith('.create') ? [LOST, undefined, NEVER][sent++] : undefined;
      service.set({ failures: { choose } });
      const file = sheet(rowsOf(kind, [1, 2, 3, 4]));
      const { counts } = await importWorkbook(file, { ...machine(), as: kind, doubt: 60 });
      await service.settled();
      // What can't be told is unknown; the rest is there once.
      expect([kind, counts.created + counts.unknown]).toEqual([kind, 4]);
      expect([kind, service.journal.doubled()]).toEqual([kind, []]);
      const made = service[kind].size - before;
      expect([kind, made >= counts.created && made <= 4]).toEqual([kind, true]);
    }
  });

  test.each(KINDS)('of equal %s without a key each takes effect', async (kind) => {
    const { service, sheet, machine, importWorkbook } = openWorld({
      values: { externalId: 'never' },
      speed: { afterMs: 150 },
    });
    const before = service[kind].size;
    service.failNext(NEVER, isWrite);
    const file = sheet(rowsOf(kind, [1, 1, 1]));
    const { counts, rows } = await importWorkbook(file, { ...machine(), as: kind });
    expect(counts).toMatchObject({ created: 3, unknown: 0 });
    expect([service[kind].size - before, new Set(rows.map(({ id }) => id)).size]).toEqual([3, 3]);
  });
});

test.each(KINDS)(
  'creates of %s after which nothing can be read are unknown, and the next import settles them',
  async (as) => {
    const { service, sheet, machine, planImport, applyPlan, importWorkbook } = openWorld();
    const options = { ...machine(), retries: 0 };
    const file = sheet(rowsOf(as, [1, 2, 3], true));
    const { run } = await planImport(file, { ...options, as });
    let isOut = false;
    const choose = ({ write }: Received): Failure | undefined => {
      isOut ||= write;
      return isOut ? LOST : undefined;
    };
    service.set({ failures: { choose } });
    expect((await applyPlan(run, options)).counts).toMatchObject({ unknown: 3 });
    service.set({ failures: { choose: undefined } });
    expect((await importWorkbook(file, { ...options, as })).counts).toMatchObject({ unknown: 0, created: 0 });
    expect((await importWorkbook(file, { ...options, as })).counts).toMatchObject({ unchanged: 3 });
    expect(service.journal.doubled()).toEqual([]);
  },
);

test.each(['update', 'create', 'never'] as const)(
  'a key that the service stores with %s alone is one record after three imports, and is not sent for ever',
  async (when) => {
    const externalId = ({ update: 'updated', create: 'created', never: 'never' } as const)[when];
    for (const as of ['packages', 'events'] as const) {
      const { service, sheet, machine, importWorkbook } = openWorld({ values: { externalId } });
      const before = service[as].size;
      const options = { ...machine(), as };
      const file = sheet(rowsOf(as, [1, 2, 3], true));
      for (const _ of [1, 2]) await importWorkbook(file, options);
      const { length } = service.journal.writes;
      expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 3 });
      expect([as, service[as].size - before, service.journal.writes.length]).toEqual([as, 3, length]);
    }
  },
);

const LINKS = ['PartijID', 'ArrangementID', 'Aantal', 'Datum'];

test.each([...KINDS, 'arrangements'] as const)(
  'of %s that came late beside the one that was sent again, the next import and undo name both (13, 14)',
  async (as) => {
    const { service, sheet, machine, time, folder, ...program } = openWorld({
      values: { externalId: 'never' },
    });
    const { importWorkbook, undoRun } = program;
    const [event, child] = [service.add.event({}), service.add.package({})];
    const links = (amount: number): Cell[][] => [LINKS, [event, child, amount, '2027-01-08']];
    const options = { ...machine(), as, doubt: 1, retries: 0 };
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 60_000 }, isWrite);
    const first = await importWorkbook(sheet(as === 'arrangements' ? links(10) : rowsOf(as, [1])), options);
    expect(first.counts).toMatchObject({ created: 1 });
    await time.sleep(120_000);
    const id = first.rows[0]?.id;
    const other = as === 'arrangements' ? 'twice' : `came late beside ${id}`;
    const without =
      as === 'arrangements' ? [LINKS, [event, service.add.package({}), 1, '2027-01-08']] : rowsOf(as, [2]);
    const noted = await importWorkbook(sheet(without), { ...options, dryRun: true });
    expect([noted.exit, noted.notes?.join()]).toEqual([5, expect.stringContaining(other)]);
    const undone = undoRun(first.run, { ...options, out: join(folder, 'u.xlsx') });
    // An event can't be taken back at all: that stops it, and says why.
    const said = await undone.then(({ cannot }) => cannot.map(({ why }) => why).join(), String);
    expect(said).toContain(other);
  },
);

describe('a posting whose answer tells nothing is unknown, and is not posted again', () => {
  test.each([408, 444, 460, 499, 503])('after %i', async (status) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const product = service.add.product({ OmschrijvingIntern: 'Roggebloem' });
    const before = service.mutations.size;
    service.failNext({ kind: 'status', status, when: 'after', retryAfter: 0 }, isWrite);
    const file = sheet([
      ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
      [product, 12, '2026-10-01 08:00', -2, 4901, 'Bederf'],
    ]);
    const options = { ...machine(), as: 'stock-mutations', doubt: 600 };
    for (const _ of [1, 2])
      expect((await importWorkbook(file, options)).counts).toMatchObject({ unknown: 1 });
    expect(service.mutations.size).toBe(before + 1);
  });
});

describe('a delete that was done is deleted, whatever a second try is answered', () => {
  test.each<[string, Failure, KnobChanges]>([
    ['after 408', { kind: 'status', status: 408, when: 'after' }, {}],
    ['after a lost connection, and HTML then', LOST, { answers: { missing: '404 html' } }],
    ['after nothing', { kind: 'empty 200', when: 'after' }, {}],
    [
      'after 503, and an empty list then',
      { kind: 'status', status: 503, when: 'after' },
      { answers: { missing: '[]' } },
    ],
    [
      'after a lost connection, while reads show it still',
      LOST,
      { answers: { refusal: '200 success false', missing: '{}' }, speed: { lagMs: 300, detailLags: true } },
    ],
  ])('%s', async (_, failure, knobs) => {
    const { service, sheet, machine, importWorkbook } = openWorld(knobs);
    const id = service.add.package({ ExternalID: 600_000 });
    service.failNext(failure, isWrite);
    const file = sheet([
      ['#action', 'ExternalID'],
      ['delete', 600_000],
    ]);
    const { counts } = await importWorkbook(file, { ...machine(), as: 'packages', allowDelete: true });
    expect(counts).toMatchObject({ deleted: 1, failed: 0 });
    expect(service.packages.get(id)).toBeUndefined();
  });
});

test('a lost create that was not done is sent again, whatever other rows of the run changed meanwhile', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 10 });
  let creates = 0;
  const choose = ({ endpoint }: Received) =>
    endpoint.endsWith('.create') && creates++ === 1 ? NEVER : undefined;
  service.set({ failures: { choose } });
  const file = sheet([
    ['#action', 'ProductID', ...SHEETS.packages.header],
    ['create', null, ...SHEETS.packages.row(1)],
    [null, id, null, null, 12],
    ['create', null, ...SHEETS.packages.row(2)],
  ]);
  const { counts } = await importWorkbook(file, { ...machine(), as: 'packages', doubt: 60 });
  expect(counts).toMatchObject({ created: 2, updated: 1, unknown: 0 });
  expect(service.journal.doubled()).toEqual([]);
});

describe('an update that was given up, and is done late,', () => {
  const late = { kind: 'late', giveUp: 504, commitAfterMs: 30_000 } as const;
  const open = () => {
    const world = openWorld();
    const id = world.service.add.package({ ExternalID: 600_000, Verkoopprijs: 12 });
    world.service.failNext(late, isWrite);
    const options = { ...world.machine(), as: 'packages', doubt: 60 };
    const price = () => world.service.packages.get(id)?.Verkoopprijs;
    const header = ['ExternalID', 'Verkoopprijs'];
    const priced = (value: number) => world.sheet([header, [600_000, value]]);
    return { ...world, options, price, priced };
  };

  test('does not undo a later row of the same run', async () => {
    const { service, sheet, importWorkbook, options, price } = open();
    const header = ['ExternalID', 'Verkoopprijs', 'OmschrijvingIntern'];
    // An update sends the name along as it was.
    const file = sheet([header, [600_000, 20, null], [600_000, null, 'Diner']]);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ updated: 2 });
    await service.settled();
    expect(price()).toBe(20);
    expect([...service.packages.all()].map(({ OmschrijvingIntern }) => OmschrijvingIntern)).toContain(
      'Diner',
    );
  });

  test('does not undo the next run', async () => {
    const { service, importWorkbook, options, price, priced } = open();
    for (const value of [20, 21])
      expect((await importWorkbook(priced(value), options)).counts).toMatchObject({ updated: 1 });
    await service.settled();
    expect(price()).toBe(21);
  });

  test.each([21, 20])(
    'after its program was killed, is not overwritten unasked by the next run that says %i',
    async (value) => {
      const { service, sheet, machine, importWorkbook } = openWorld();
      const id = service.add.package({ Verkoopprijs: 12 });
      const options = { ...machine(), as: 'packages', doubt: 60, timeout: 1000 };
      const [left, killed] = [tempFolder(), new AbortController()];
      service.failNext({ kind: 'late', giveUp: 'hang', commitAfterMs: 30_000 }, ({ write }) => {
        if (!write) return false;
        cpSync(dirname(options.ledger), left, { recursive: true });
        killed.abort();
        return true;
      });
      const priced = (price: number) =>
        sheet([
          ['ProductID', 'Verkoopprijs'],
          [id, price],
        ]);
      const first = importWorkbook(priced(20), { ...options, signal: killed.signal });
      await expect(first).rejects.toThrow('Interrupted');
      const ledger = join(left, basename(options.ledger));
      const { counts } = await importWorkbook(priced(value), { ...options, ledger });
      // Where it comes before the plan, that shows it.
      const isSent = value === 21 && counts.updated === 1;
      expect(counts).toMatchObject(value === 20 ? { unchanged: 1 } : isSent ? {} : { conflict: 1 });
      await service.settled();
      expect(service.packages.get(id)?.Verkoopprijs).toBe(isSent ? 21 : 20);
    },
  );

  test('does not undo the next run where it stored the key of a new record', async () => {
    const { service, sheet, machine, importWorkbook, time } = openWorld();
    const options = { ...machine(), as: 'packages', doubt: 60, retries: 0 };
    // Nobody waits between the runs, and time would pass up to the late one.
    const ticks = async (): Promise<void> => {
      while (time.steady() < 40_000) await time.sleep(100);
    };
    void ticks();
    const key = ({ endpoint }: Received): boolean => endpoint === 'package.update';
    service.failNext({ kind: 'late', giveUp: 'RST', commitAfterMs: 30_000 }, key);
    const [header = [], row = []] = rowsOf('packages', [1], true);
    expect((await importWorkbook(sheet([header, row]), options)).counts).toMatchObject({ created: 1 });
    const next = sheet([header, [...row.slice(0, -1), 35]]);
    expect((await importWorkbook(next, options)).counts).toMatchObject({ updated: 1 });
    await service.settled();
    expect(service.packages.where({ ExternalID: 900_001 })).toMatchObject([{ Verkoopprijs: 35 }]);
  });
});

test('where reads show late what was written, what is said to be there is there', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const id = service.add.package({ OmschrijvingIntern: 'Borrel', Verkoopprijs: 12 });
  service.set({ speed: { lagMs: 20_000, detailLags: true } });
  const options = { ...machine(), as: 'packages', doubt: 60 };
  for (const value of [20, 12, 20]) {
    const file = sheet([
      ['ProductID', 'Verkoopprijs'],
      [id, value],
    ]);
    const { counts } = await importWorkbook(file, options);
    expect(counts).toMatchObject({ updated: 1, unchanged: 0, conflict: 0 });
    expect(service.packages.get(id)?.Verkoopprijs).toBe(value);
  }
});
