import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { put } from '../kinds/document/fixtures.ts';
import { ends, openKind } from '../kinds/open-kind.ts';
import type { Failure, KnobChanges } from '../second-service/knobs.ts';
import type { Received } from '../second-service/types.ts';
import { openWorld } from './world.ts';

const MINUTE = 60_000;
const ROWS = 20;
const FIRST = 600_000;

/** A world in which a write may still appear two minutes after it was given up. */
function open(knobs: KnobChanges) {
  const { importWorkbook, machine, ...world } = openWorld({ company: 'lookups', ...knobs });
  const options = { ...machine(), doubt: 120 };
  return { ...world, run: (file: string) => importWorkbook(file, options) };
}

/** Lets creates fail, each the first time that it is sent, by which row it is. */
function failing(failureOf: (row: number) => Failure | undefined): KnobChanges {
  const seen = new Set<number>();
  const choose = ({ endpoint, body }: Received): Failure | undefined => {
    // Whether a create carries its key is the dialect's.
    const name = String((body as { readonly OmschrijvingIntern?: string } | undefined)?.OmschrijvingIntern);
    const row = Number(/\d+$/.exec(name)?.[0]) - FIRST;
    if (endpoint !== 'package.create' || seen.has(row)) return undefined;
    seen.add(row);
    return failureOf(row);
  };
  return { failures: { choose } };
}

const LOST: Failure = { kind: 'reset', when: 'after' };
const NEVER: Failure = { kind: 'reset', when: 'before', how: 'FIN' };
const LATE: Failure = { kind: 'late', giveUp: 504, commitAfterMs: MINUTE };
const SILENT: Failure = { kind: 'late', giveUp: 'hang', commitAfterMs: MINUTE };
const BUSY: Failure = { kind: 'status', status: 503, when: 'before', retryAfter: 30 };

describe('what is sent takes effect once', () => {
  it.each<[string, (row: number) => Failure | undefined, number]>([
    ['answers are lost', (row) => (row % 3 === 0 ? LOST : undefined), 0],
    ['requests are lost', (row) => (row % 5 === 0 ? NEVER : undefined), 2 * MINUTE],
    ['the service does it a minute after it gave up', (row) => (row % 4 === 0 ? LATE : undefined), MINUTE],
    [
      'the service is silent, and does it a minute later',
      (row) => (row % 9 === 0 ? SILENT : undefined),
      MINUTE,
    ],
    ['the service asks for 30 seconds', (row) => (row === 3 ? BUSY : undefined), MINUTE / 2],
    ['all of this happens', (row) => [LOST, NEVER, LATE, SILENT, BUSY, undefined][row % 6], MINUTE],
  ])('where %s, and no wait for it is one of the test', async (_, failureOf, atLeast) => {
    const { time, service, folder, run } = open(failing(failureOf));
    const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(ROWS, FIRST) });
    const [virtual, real] = [time.steady(), performance.now()];
    const first = await run(file);
    const [passed, took] = [time.steady() - virtual, performance.now() - real];
    expect(first.counts).toMatchObject({ created: ROWS, unknown: 0, failed: 0 });
    await service.settled();
    expect(service.journal.doubled()).toEqual([]);
    expect(service.packages.size).toBe(ROWS);
    expect(passed).toBeGreaterThanOrEqual(atLeast);
    if (atLeast > 0) expect(took).toBeLessThan(passed / 2);
    const { length } = service.journal.writes;
    expect((await run(file)).counts).toMatchObject({ unchanged: ROWS });
    expect(service.journal.writes).toHaveLength(length);
    expect(service.faults).toEqual([]);
  });
});

test('no wait is over while the system reads what is sent, however long that takes', async () => {
  const { service, folder, command } = openKind('documents');
  const PartijID = service.add.event();
  put(`${folder}/map/plan.png`, 'x'.repeat(300_000));
  // Every thread that could read the file has other work, of some tenths of a second.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 200_000, 64, 'sha512'));
  const sent = await command(
    'documents',
    [{ PartijID, Submap: 'Offertes', Document: 'plan.png' }],
    `${folder}/map`,
  );
  expect(ends(sent)).toEqual(['created']);
  await Promise.all(busy);
});
