import { expect, it, onTestFinished } from 'vitest';
import type { PlannedRow } from '../../src/core/plan.ts';
import { systemTime } from '../../src/core/time.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { createLmtLook } from '../../src/records/lmt-look.ts';
import { packages } from '../../src/resources/packages.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const NEWEST = '2027-01-01 10:00:00.000';

function lookAt(listed: readonly string[] = []) {
  const ledger = openLedger(`${tempFolder()}/ledger.db`);
  onTestFinished(() => ledger.close());
  const summary = { strategy: 'list', newest: NEWEST } as const;
  const context = { ledger, serviceKey: 's', resource: packages, time: systemTime, summary };
  const existing = (id: number) => ({ id, external: null, lmt: NEWEST, values: {} });
  return createLmtLook(context as unknown as Parameters<typeof createLmtLook>[0], {
    since: async () => listed.map((lmt, at) => ({ id: at + 1, lmt, existing: { ...existing(at + 1), lmt } })),
    all: async () => [1, 2, 3].map((id) => ({ id, lmt: NEWEST, existing: existing(id) })),
    one: async (id) => ({ ...existing(id), lmt: listed[id - 1] ?? NEWEST }),
  });
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('a program whose rows all wait to learn whether LMT moves does not end early', async () => {
  const { look, ended } = lookAt();
  const before = timers();
  expect(await look(1, NEWEST)).toMatchObject({ id: 1 });
  const rows = Promise.all([look(2, NEWEST), look(3, NEWEST)]);
  // A timer that would let the program end is not among these.
  await expect.poll(timers, { interval: 5 }).toBe(before + 1);
  ended({ id: 1 } as PlannedRow);
  expect(await rows).toMatchObject([{ id: 2 }, { id: 3 }]);
});

it('rows wait for the first one that is sent, and believe the list once its write stood there', async () => {
  const listed: string[] = [];
  const { look, wrote } = lookAt(listed);
  await look(1, NEWEST);
  let known = false;
  const row = look(2, NEWEST).finally(() => (known = true));
  await new Promise(setImmediate);
  expect(known).toBe(false);
  listed.push('2027-01-01 10:00:05.000');
  const step = { purpose: 'update', endpoint: 'packages.update', body: {} } as const;
  await wrote({ step, id: 1, planned: { lmt: NEWEST, changes: [] }, body: {} } as unknown as Parameters<
    typeof wrote
  >[0]);
  expect(await row).toBe('unchanged');
});
