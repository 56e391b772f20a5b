import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';

/** A service with nine events on these days, whose lists end after six; each import has a ledger of its own. */
async function open(dayOf: (at: number) => string, listCap = 6) {
  const { service, folder, options } = await openRows({ answers: { listCap } });
  for (let at = 0; at < 9; at++) service.add.event({ Datum: dayOf(at), ExternalID: 900 + at });
  const before = service.events.size;
  let ledgers = 0;
  const run = async (rows: readonly Cells[]) => {
    const file = writeRows(`${folder}/rijen.csv`, rows);
    const ledger = `${folder}/${++ledgers}.db`;
    return await importWorkbook(file, { ...options, ledger, as: resources.events, doubt: 0.2 });
  };
  return { service, run, made: () => service.events.size - before };
}

const row = (ExternalID: number, more: Cells = {}): Cells => ({ ExternalID, ...rowsOf.events(2), ...more });

it('an event that all lists end before is not made again with a new ledger, and its row says where to look', async () => {
  const { service, run, made } = await open(() => '2027-05-02');
  for (const rows of [
    [row(901), row(907), row(908)],
    [row(908), row(907)],
  ]) {
    const done = await run(rows);
    expect(done.counts).toMatchObject({ created: 0, conflict: 0, unknown: 2 });
    expect(done.rows.at(-1)?.message).toContain('put create in #action');
    expect(done.notes?.filter((note) => note.includes('leave records out'))).toHaveLength(1);
    expect(done.notes?.filter((note) => note.includes('ends before its last event'))).toHaveLength(1);
  }
  expect(made()).toBe(0);
  expect((await run([row(950, { '#action': 'create' })])).counts).toMatchObject({ created: 1 });
  service.set({ answers: { listCap: undefined } });
  expect((await run([row(907), row(951)])).counts).toMatchObject({ created: 1, updated: 1 });
  expect(made()).toBe(2);
});

it('an event that the list of its months ends before is found in lists of fewer days, and what is new there is made', async () => {
  const { run, made } = await open((at) => `2027-05-${String(30 - at * 3).padStart(2, '0')}`);
  const done = await run([row(907), row(908), row(950)]);
  expect(done.counts).toMatchObject({ created: 1, updated: 2, unknown: 0 });
  expect(made()).toBe(1);
});

it('an event that the list of all days ends before is found where its months are listed whole, for two requests at most', async () => {
  const { service, run } = await open((at) => `202${at < 6 ? 6 : 7}-05-0${(at % 6) + 1}`);
  const done = await run([row(907), row(950)]);
  expect(done.counts).toMatchObject({ created: 1, updated: 1, unknown: 0 });
  const whole = await open((at) => `202${at < 6 ? 6 : 7}-05-0${(at % 6) + 1}`, 99);
  await whole.run([row(907), row(950)]);
  const [cut, all] = [service, whole.service].map(({ journal }) => journal.requests.length);
  expect((cut ?? 0) - (all ?? 0)).toBeLessThanOrEqual(2);
});

it('a list that is late with a new event is not taken for one that is cut', async () => {
  const { service, run, made } = await open((at) => `2027-05-0${at + 1}`, 99);
  let left = 2;
  service.set({
    failures: {
      choose({ path }) {
        if (path.endsWith('event/all') && --left === 0)
          service.add.event({ Datum: '2027-05-02', ExternalID: 950 });
        return undefined;
      },
    },
  });
  const done = await run([row(951)]);
  expect(done.counts).toMatchObject({ created: 1, unknown: 0 });
  expect(done.notes).toBeUndefined();
  expect(made()).toBe(2);
});
