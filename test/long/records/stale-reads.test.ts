import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook, undoRun } from '../../../src/index.ts';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { atOnce } from '../../helpers/at-once.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';
import type { Value } from '../../second-service/types.ts';

type Cells = Readonly<Record<string, string | number>>;
const resources = { packages, recipes, events, arrangements, trips };
type Kind = keyof typeof resources;

/** A service whose reads lag behind from now on, and imports that look for longer than that. */
async function open(kind: Kind, speed: KnobChanges['speed'] = {}, more: KnobChanges = {}, doubt = 0.9) {
  const service = await startSecondService(more);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const options = {
    ...optionsFor({ folder, url: service.url, token: service.token }),
    allowDelete: true,
    doubt,
  };
  const subject = SUBJECTS[kind](service);
  service.set({ speed });
  const csv = (rows: readonly Cells[]): string => {
    const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
    writeFileSync(`${folder}/rijen.csv`, lines.map((line) => line.join(';')).join('\r\n'));
    return `${folder}/rijen.csv`;
  };
  const as = resources[kind];
  const run = (...rows: Cells[]) => importWorkbook(csv(rows), { ...options, as });
  const plan = (...rows: Cells[]) => importWorkbook(csv(rows), { ...options, as, dryRun: true });
  return { service, folder, options, run, plan, ...subject };
}

/** A record of each kind that has always been there, and rows that say `A` or another value of one of its fields. */
const SUBJECTS: Record<
  Kind,
  (service: SecondService) => {
    says(value: 'A' | 'B' | 'C'): Cells;
    held(): Value | undefined;
    colleague(value: 'A' | 'B' | 'C'): void;
  }
> = {
  packages: (service) => {
    const id = service.add.package({ ExternalID: 700_001, OmschrijvingIntern: 'A' });
    return {
      says: (value) => ({ ExternalID: 700_001, OmschrijvingIntern: value }),
      held: () => service.packages.get(id)?.OmschrijvingIntern,
      colleague: (value) => service.other.change('package', id, { OmschrijvingIntern: value }),
    };
  },
  recipes: (service) => {
    const units = { A: 1, B: 2, C: 3 };
    const id = service.add.recipe({ OmschrijvingIntern: 'Soep', RekenEenheidID: units.A });
    return {
      says: (value) => ({ ProductID: id, RekenEenheidID: units[value] }),
      held: () => namedBy(units, service.recipes.get(id)?.RekenEenheidID),
      colleague: (value) => service.other.change('recipe', id, { RekenEenheidID: units[value] }),
    };
  },
  events: (service) => {
    const id = service.add.event({ PartijOmschrijving: 'A' });
    return {
      says: (value) => ({ PartijID: id, PartijOmschrijving: value }),
      held: () => service.events.get(id)?.PartijOmschrijving,
      colleague: (value) => service.other.change('event', id, { PartijOmschrijving: value }),
    };
  },
  arrangements: (service) => {
    const amounts = { A: 10, B: 20, C: 30 };
    const keys = [service.add.event({}), service.add.package({})] as const;
    const id = service.add.link(...keys, { Aantal: amounts.A });
    return {
      says: (value) => ({ PartijID: keys[0], ArrangementID: keys[1], Aantal: amounts[value] }),
      held: () => namedBy(amounts, service.links.get(id)?.Aantal),
      colleague: (value) => service.other.change('link', id, { Aantal: amounts[value] }),
    };
  },
  trips: (service) => {
    const id = service.add.trip({ Chauffeur: 'A' });
    return {
      says: (value) => ({ RitID: id, Datum: '2026-12-18', Chauffeur: value }),
      held: () => service.trips.get(id)?.Chauffeur,
      colleague: (value) => service.other.change('trip', id, { Chauffeur: value }),
    };
  },
};

function namedBy(names: Readonly<Record<string, Value>>, value: Value | undefined): string | undefined {
  return Object.keys(names).find((name) => names[name] === value);
}

const KINDS = Object.keys(SUBJECTS) as Kind[];
const LATE = { lagMs: 220, detailLags: true };
/** Where all kinds are tried at once: longer than all take from a write to the next read. */
const ALL_LATE = { ...LATE, lagMs: 600 };

/** Lets reads show a service as it was at a moment until so many were made; that one shows it as it is. */
function lagUntil(service: SecondService, moment: number, shown: number): void {
  let reads = 0;
  const stop = service.at(
    ({ write }) => !write,
    () => {
      reads += 1;
      service.set({ speed: { detailLags: true, lagMs: reads < shown ? performance.now() - moment : 0 } });
      if (reads === shown) stop();
    },
    { times: Number.POSITIVE_INFINITY },
  );
}

it('where reads show late what an import wrote, the value from before it is written back and not said to be there', async () => {
  await atOnce(KINDS, async (kind) => {
    const { run, says, held } = await open(kind, ALL_LATE);
    expect((await run(says('B'))).counts).toMatchObject({ updated: 1 });
    expect((await run(says('A'))).counts).toMatchObject({ updated: 1, unchanged: 0, conflict: 0 });
    expect(held()).toBe('A');
    expect((await run(says('B'))).counts).toMatchObject({ updated: 1 });
    expect(held()).toBe('B');
    expect((await run(says('B'))).counts).toMatchObject({ unchanged: 1 });
  });
});

it('where reads show late what an import wrote, another value, imported at once after, is no conflict with one’s own', async () => {
  await atOnce(KINDS, async (kind) => {
    const { run, plan, says, held, options } = await open(kind, { ...ALL_LATE, detailLags: false });
    await run(says('B'));
    const { run: planned } = await plan(says('C'));
    const memory = openLedger(options.ledger);
    const [row] = await memory.readRows(planned, { after: -1, limit: 1 });
    await memory.close();
    expect(row?.planned.changes.map(({ from }) => from)).toEqual([FROM[kind] ?? 'B']);
    expect((await run(says('C'))).counts).toMatchObject({ updated: 1, conflict: 0 });
    expect(held()).toBe('C');
  });
});

it('where reads show late what an import wrote, an undo right after the import takes it back', async () => {
  await atOnce(KINDS, async (kind) => {
    const { run, says, held, options, folder } = await open(kind, ALL_LATE);
    const { run: done } = await run(says('B'));
    const { baseUrl, token, ledger, log, lang, doubt } = options;
    const out = `${folder}/undo.xlsx`;
    await undoRun(done, { baseUrl, token, ledger, log, lang, doubt, out });
    expect((await importWorkbook(out, options)).counts).toMatchObject({
      updated: 1,
      conflict: 0,
      unchanged: 0,
    });
    expect(held()).toBe('A');
  });
});

it('what somebody put back is believed once no read can be late any more, and at once after that', async () => {
  await atOnce(KINDS, async (kind) => {
    const { service, run, says, held, colleague } = await open(kind, {}, { clock: { moves: 'never' } });
    await run(says('B'));
    colleague('A');
    const asked: number[] = [];
    for (let time = 1; time <= 2; time++) {
      const { length } = service.journal.requests;
      expect((await run(says('A'))).counts).toMatchObject({ unchanged: 1, conflict: 0 });
      asked.push(service.journal.requests.length - length);
    }
    expect(asked[1]).toBeLessThan(asked[0] ?? 0);
    expect((await run(says('C'))).counts).toMatchObject({ updated: 1, conflict: 0 });
    expect(held()).toBe('C');
  });
});

/** Reads of a recipe come in two: by itself, and in the list that tells its unit. */
const READS = KINDS.flatMap((kind) =>
  (kind === 'recipes' ? [1, 2, 3, 4] : [2, 3]).map((shown) => [kind, shown] as const),
);

it('what was written is written back whichever read shows it first', async () => {
  await atOnce(READS, async ([kind, shown]) => {
    // Until a read shows it, however long all of them take.
    const { service, run, says, held } = await open(kind, {}, {}, 20);
    for (const [value, counts] of [
      ['B', { updated: 1 }],
      ['A', { updated: 1 }],
      ['B', { updated: 1 }],
      ['B', { updated: 0, unchanged: 1 }],
    ] as const) {
      const before = performance.now();
      expect((await run(says(value))).counts).toMatchObject({ ...counts, conflict: 0 });
      expect(held()).toBe(value);
      if (counts.updated > 0) lagUntil(service, before, shown);
    }
  });
});

it.each([2, 3, 4])(
  'a recipe that is read by itself is seen to be late by its LMT, where read %i shows it first',
  async (shown) => {
    const { service, run, says } = await open('recipes', {}, { answers: { pageSize: 1, whole: 'refused' } });
    for (const OmschrijvingIntern of ['Brood', 'Kaas', 'Appel', 'Peer', 'Taart'])
      service.add.recipe({ OmschrijvingIntern });
    const { ProductID = 0 } = says('A');
    let before = performance.now();
    await run(says('B'));
    lagUntil(service, before, shown);
    before = performance.now();
    const renamed = await run({ ProductID, OmschrijvingIntern: 'Erwtensoep' });
    expect(renamed.counts).toMatchObject({ updated: 1, conflict: 0 });
    lagUntil(service, before, shown);
    expect((await run(says('A'))).counts).toMatchObject({ updated: 1, conflict: 0 });
    const now = service.recipes.get(Number(ProductID));
    expect(now).toMatchObject({ OmschrijvingIntern: 'Erwtensoep', RekenEenheidID: 1 });
  },
);

it('a service whose LMT never moves is waited for once', async () => {
  const { service, run, says } = await open(
    'recipes',
    {},
    { clock: { moves: 'never' }, answers: { pageSize: 1, whole: 'refused' } },
  );
  for (const OmschrijvingIntern of ['Brood', 'Kaas', 'Appel', 'Peer', 'Taart'])
    service.add.recipe({ OmschrijvingIntern });
  const { ProductID = 0 } = says('A');
  const asked: number[] = [];
  for (const [unit, OmschrijvingIntern] of [
    ['B', 'Snert'],
    ['C', 'Erwtensoep'],
  ] as const) {
    await run(says(unit));
    const { length } = service.journal.requests;
    expect((await run({ ProductID, OmschrijvingIntern })).counts).toMatchObject({ updated: 1, conflict: 0 });
    asked.push(service.journal.requests.length - length);
  }
  expect(asked[1]).toBeLessThan(asked[0] ?? 0);
});

/** The numbers that stand for B. */
const FROM: Readonly<Partial<Record<Kind, number>>> = { recipes: 2, arrangements: 20 };

it.each(KINDS)('no more requests are sent for %s where reads show at once what was written', async (kind) => {
  const { service, run, says } = await open(kind);
  await run(says('B'));
  const { length } = service.journal.requests;
  await run(says('B'));
  const reads = service.journal.requests.length - length;
  service.set({ speed: { lagMs: 0 } });
  const other = await open(kind);
  const before = other.service.journal.requests.length;
  await other.run(other.says('A'));
  expect(reads).toBe(other.service.journal.requests.length - before);
});

it.each(['packages', 'trips'] as const)(
  'one’s own delete of %s that reads show late is done',
  async (kind) => {
    const { service, run, says } = await open(kind, LATE);
    const row = says('A');
    const named = kind === 'trips' ? row : { ExternalID: 700_001, ProductTypeID: 1, Verkoopprijs: 3, ...row };
    expect((await run({ '#action': 'delete', ...row })).counts).toMatchObject({ deleted: 1 });
    const { counts } = await run(named);
    expect(counts).toMatchObject(
      kind === 'trips' ? { unchanged: 0, invalid: 1 } : { unchanged: 0, created: 1 },
    );
    const gone = service.journal.ours.filter(({ what }) => what === 'deleted').map(({ id }) => id);
    expect(service.journal.ours.filter(({ what, id }) => what === 'updated' && gone.includes(id))).toEqual(
      [],
    );
  },
);

it('a delete of what was made just before is not left out because lists show it late', async () => {
  const { service, run } = await open('packages', LATE);
  const made = { ExternalID: 9_001, ProductTypeID: 1, OmschrijvingIntern: 'Nieuw', Verkoopprijs: 3 };
  expect((await run(made)).counts).toMatchObject({ created: 1 });
  expect((await run({ '#action': 'delete', ExternalID: 9_001 })).counts).toMatchObject({ deleted: 1 });
  expect(service.packages.all().some(({ OmschrijvingIntern }) => OmschrijvingIntern === 'Nieuw')).toBe(false);
});

it('a colleague’s value is believed at once where LMT shows that it came after', async () => {
  const { service, run, says, held, colleague } = await open('packages');
  await run(says('B'));
  colleague('A');
  const { length } = service.journal.requests;
  expect((await run(says('A'))).counts).toMatchObject({ unchanged: 1 });
  expect(service.journal.requests.length - length).toBe(1);
  expect(held()).toBe('A');
});
