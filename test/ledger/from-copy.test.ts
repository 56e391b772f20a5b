import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpLedger, chooseCopy, putBack, restoreLedger } from '../../src/ledger/ledger-files.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { ends, openKind, type Row } from '../kinds/open-kind.ts';

const NEW = { '#action': 'create' };
/** Rows of kinds that are known again in their own way. */
const KINDS: Readonly<Record<string, (product: number) => Row>> = {
  packages: () => ({ ...NEW, OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: '10,25' }),
  events: () => ({
    ...{ ...NEW, RelatieID: 4001, ContactpersoonID: 6001, Datum: '2027-05-01' },
    ...{ Starttijd: '12:00', Eindtijd: '17:30' },
  }),
  'stock-mutations': (ProductID) => ({
    ...{ ProductID, WerknemerID: 12, DatumTijd: '2026-11-20 06:00', AantalRekeneenheid: -2 },
    ...{ MutatieCategorieID: 4901, MutatieReden: 'Week' },
  }),
};

/** Two equal rows of a kind, and a ledger that is copied and put back. */
function openCopied(kind: string) {
  const opened = openKind(kind);
  const { service, own, plan, send, folder } = opened;
  const product = service.add.package();
  service.add.stock(product, 10);
  const rows = Array<Row>(2).fill(KINDS[kind]?.(product) ?? {});
  const { ledger } = own;
  const copy = join(folder, 'kopie.db');
  return {
    ...{ ...opened, rows },
    planned: () => plan(rows),
    again: () => send(rows),
    backUp: () => void backUpLedger(copy, ledger),
    restore: () => restoreLedger(chooseCopy(copy, ledger)),
  };
}

test.each(Object.keys(KINDS))(
  'a plan of %s that was sent after a copy was made is not sent once that copy is put back, and its file sends nothing anew',
  async (kind) => {
    const { service, rows, planned, apply, backUp, restore, again } = openCopied(kind);
    const { run } = await planned();
    backUp();
    expect(ends(await apply(run))).toEqual(rows.map(() => 'created'));
    restore();
    const { length } = service.journal.writes;
    await expect(apply(run)).rejects.toMatchObject({
      ...{ exit: 2, next: 'Import the file again.' },
      message: expect.stringContaining(`The plan of run ${run} comes from before the ledger was put back`),
    });
    expect(new Set(ends(await again()))).toEqual(new Set(['unchanged']));
    expect(service.journal.writes).toHaveLength(length);
  },
);

test.each(['kopie.db', 'later.db'])(
  '%s, put back by hand after the program put one back, is noticed before anything is sent',
  async (name) => {
    const { service, own, folder, planned, apply, backUp, restore, again } = openCopied('stock-mutations');
    const { run } = await planned();
    backUp();
    await apply(run);
    backUpLedger(join(folder, 'later.db'), own.ledger);
    restore();
    copyFileSync(join(folder, name), own.ledger);
    const stopped = { exit: 2, message: expect.stringContaining('is another one than was here') };
    await expect(again()).rejects.toMatchObject(stopped);
    expect(service.mutations.size).toBe(2);
  },
);

test('what was in doubt when a copy was made, and is known since, is known once that copy is put back', async () => {
  const { service, own, planned, apply, applyPlan, backUp, restore, again } = openCopied('stock-mutations');
  service.failNext({ kind: 'answer', when: 'after', status: 504, body: {} });
  const { run } = await planned();
  const first = ends(await apply(run));
  expect(first.toSorted()).toEqual(['created', 'unknown']);
  backUp();
  const { allRows: _, ...rest } = own;
  await applyPlan(run, { ...rest, done: [String(first.indexOf('unknown') + 2)] });
  restore();
  expect(ends(await again())).toEqual(['unchanged', 'unchanged']);
  expect(service.mutations.size).toBe(2);
});

test('what a read does not tell is sent again where it was sent since a copy was made that is put back', async () => {
  const { service, send, backUp, restore } = openCopied('events');
  const { '#action': _, ...event } = KINDS.events?.(0) ?? {};
  const key = { ...event, ExternalID: 51 };
  const set = async (row: Row) => ends(await send([row]));
  expect(await set(key)).toEqual(['created']);
  backUp();
  expect(await set({ ...key, Starttijd: '14:00' })).toEqual(['updated']);
  restore();
  expect(await set(key)).toEqual(['updated']);
  expect(JSON.stringify(service.journal.writes.at(-1))).toContain('12:00');
});

test.each([
  ['earlier', 'later'],
  ['later', 'earlier'],
])(
  'what was sent last stays, also where the copy that is put back is the %s one and the ledger the %s',
  async (...names) => {
    const folder = tempFolder();
    const [file, copy] = [join(folder, 'ledger.db'), join(folder, 'kopie.db')];
    const at = ['http://127.0.0.1:1/', 'events'] as const;
    const sent = (value: string) => ({ sent: value, held: value });
    for (const [name, applied] of [
      ['earlier', { Starttijd: sent('12:00') }],
      ['later', { Starttijd: sent('14:00'), Eindtijd: sent('17:00') }],
    ] as const) {
      const ledger = openLedger(file);
      const posting = { run: name, seq: 0, at: '2026-11-20 06:01:00', state: 'done', id: null } as const;
      await ledger.claimPosting(...at, { ...posting, fingerprint: name });
      await ledger.remember(...at, 'applied', 'id:5', applied);
      await ledger.close();
      copyFileSync(file, join(folder, name));
    }
    for (const [place, name = ''] of [copy, file].map((one, index) => [one, names[index]] as const))
      copyFileSync(join(folder, name), place);
    putBack(file, copy);
    const ledger = openLedger(file);
    const known = await ledger.recall(...at, 'applied');
    expect(known.get('id:5')).toEqual({ Starttijd: sent('14:00'), Eindtijd: sent('17:00') });
    await ledger.close();
  },
);

test('a row whose posting is done is not sent by the run that made it either, and is done by it', async () => {
  const { service, own, planned, apply } = openCopied('stock-mutations');
  const { run } = await planned();
  const ledger = openLedger(own.ledger);
  const [{ planned: row } = {}] = await ledger.readRows(run, { after: -1, limit: 1 });
  const fingerprint = row?.steps[0]?.fingerprint ?? '';
  const place = String((await ledger.findRun(run))?.service);
  const posting = { fingerprint, run, seq: 0, at: '2026-11-20 06:01:00', state: 'done', id: 77 } as const;
  await ledger.claimPosting(place, 'stock-mutations', posting);
  await ledger.close();
  const done = await apply(run);
  expect([ends(done), done.rows[0]?.id]).toEqual([['created', 'created'], 77]);
  expect(service.mutations.size).toBe(1);
});
