import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { systemTime } from '../../../src/core/time.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { atOnce } from '../../helpers/at-once.ts';
import { programAt } from '../../helpers/program-at.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { VirtualTime } from '../../helpers/virtual-time.ts';
import type { ClockKnobs, Failure } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const DAY = '2027-01-08 00:00:00';
const SHEETS = { package: packages, recipe: recipes, event: events, link: arrangements, trip: trips };
type Named = keyof typeof SHEETS;

/** A record of a kind, a file of one row about it, and a first write of it that fails. */
async function open(kind: Named, failure: Failure, clock: Partial<ClockKnobs> = {}) {
  const service = await startSecondService({ clock });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const product = service.add.package({});
  const party = service.add.event({ Datum: DAY, AantalGasten: 12 });
  const id = {
    package: () => service.add.package({ Verkoopprijs: 12 }),
    recipe: () => service.add.recipe({ OPK: 12 }),
    event: () => party,
    link: () => service.add.link(party, product, { Aantal: 12, Datum: DAY }),
    trip: () => service.add.trip({ PartijID: party, Datum: DAY, Chauffeur: '12' }),
  }[kind]();
  const [header, cells, field] = {
    package: ['ProductID', `${id}`, 'Verkoopprijs'],
    recipe: ['ProductID', `${id}`, 'OPK'],
    event: ['PartijID', `${id}`, 'AantalGasten'],
    link: ['PartijID;ArrangementID;Datum', `${party};${product};2027-01-08`, 'Aantal'],
    trip: ['RitID', `${id}`, 'Chauffeur'],
  }[kind] as [string, string, string];
  const store = { package: service.packages, recipe: service.recipes, event: service.events };
  const record = () => ({ ...store, link: service.links, trip: service.trips })[kind].get(id);
  const file = `${folder}/rijen.csv`;
  const options = optionsFor({ folder, url: service.url, token: service.token });
  let failed = false;
  let beside = (): void => {};
  service.set({
    failures: {
      choose({ write }) {
        if (!write || failed) return undefined;
        failed = true;
        beside();
        return failure;
      },
    },
  });
  return {
    ...{ service, record, isFailed: () => failed, held: () => record()?.[field] },
    /** A colleague changes the record beside the write that fails. */
    changes(value: number | string): void {
      beside = () => void service.other.change(kind, id, { [field]: value });
    },
    async sending(action: 'update' | 'delete') {
      const [lastHeader, last] = action === 'update' ? [`;${field}`, ';20'] : ['', ''];
      writeFileSync(file, `#action;${header}${lastHeader}\r\n${action};${cells}${last}`);
      const wishes = { as: SHEETS[kind], allowDelete: true, timeout: 3_000, allRows: true };
      // A connection's own timeout passes in real time alone.
      const time = failure.kind === 'hang' ? systemTime : new VirtualTime({ now: Date.now() });
      return await programAt({ time }).importWorkbook(file, { ...options, ...wishes });
    },
  };
}

const PAUSE: Failure = { kind: 'status', status: 429, when: 'before', retryAfter: 3, body: 'json' };
const HANGS: Failure = { kind: 'hang', when: 'before' };

const WRITES: readonly (readonly [Named, 'update' | 'delete'])[] = [
  ...(['package', 'recipe', 'event', 'link', 'trip'] as const).map((kind) => [kind, 'update'] as const),
  ...(['package', 'recipe', 'link', 'trip'] as const).map((kind) => [kind, 'delete'] as const),
];

/** Of a record without LMT a delete says nothing that a change could be told by. */
const WAITS: readonly (readonly [string, Failure, Partial<ClockKnobs>, typeof WRITES])[] = [
  ['turned away', PAUSE, {}, WRITES],
  ['turned away, without LMT', PAUSE, { lmt: 'null' }, WRITES.filter(([, action]) => action === 'update')],
  ['not answered', HANGS, {}, WRITES],
];

it('a record that a colleague changed while its write waited some seconds is a conflict, and not overwritten', async () => {
  const cases = WAITS.flatMap(([why, failure, clock, writes]) =>
    writes.map(([kind, action]) => ({ why, failure, clock, kind, action })),
  );
  await atOnce(cases, async ({ failure, clock, kind, action }) => {
    const { sending, changes, held, record, isFailed } = await open(kind, failure, clock);
    const theirs = kind === 'trip' ? '99' : 99;
    changes(theirs);
    const { counts } = await sending(action);
    expect([isFailed(), counts]).toMatchObject([true, { conflict: 1, failed: 0 }]);
    expect([held(), record()?.DEL ?? false]).toEqual([theirs, false]);
  });
}, 60_000);

it('a record that nobody changed while its write waited is read once more, and written', async () => {
  await atOnce(WRITES, async ([kind, action]) => {
    const { service, sending, held, record } = await open(kind, PAUSE);
    const { counts } = await sending(action);
    expect([kind, action, counts]).toMatchObject([kind, action, { [`${action}d`]: 1, conflict: 0 }]);
    if (action === 'update') expect(Number(held())).toBe(20);
    else expect(record()?.DEL ?? true).toBe(true);
    const writes = service.journal.requests.filter(({ write }) => write);
    expect([kind, action, writes.length]).toEqual([kind, action, 2]);
    const [first, last] = writes.map(({ n }) => n) as [number, number];
    const between = service.journal.requests.filter(({ n, write }) => !write && n > first && n < last);
    expect([kind, action, between.length]).not.toEqual([kind, action, 0]);
  });
}, 60_000);
