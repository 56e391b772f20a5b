import { describe, expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { bestGuess } from '../../src/records/guesses.ts';
import { packages } from '../../src/resources/packages.ts';
import { many, SENDING } from '../ledger/fixtures.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { type Cells, openRows, writeRows } from './keyed-rows.ts';

async function open(knobs: KnobChanges = {}) {
  const { service, folder, options: own } = await openRows(knobs);
  const options = { ...own, doubt: 0.4 };
  const before = service.packages.size;
  const run = async (rows: readonly Cells[], more: object = {}) => {
    const file = writeRows(`${folder}/pakketten.csv`, rows);
    return await importWorkbook(file, { ...options, as: packages, allRows: true, ...more });
  };
  const made = () => service.packages.all().slice(before);
  const names = () => made().map(({ OmschrijvingIntern }) => OmschrijvingIntern);
  return { service, run, made, names };
}

const row = (name: string, price: number, more: Cells = { '#action': 'create' }): Cells => ({
  ...{ OmschrijvingIntern: name, ProductTypeID: 1, Verkoopprijs: String(price).replace('.', ',') },
  ...more,
});

const creates =
  (name?: string) =>
  ({ endpoint, body }: { endpoint: string; body: unknown }): boolean =>
    endpoint === 'package.create' &&
    (name === undefined || (body as Cells | null)?.OmschrijvingIntern === name);

describe('a create whose answer is lost', () => {
  it('does not take the record of a row whose name begins the same', async () => {
    const { service, run, names } = await open();
    service.failNext({ kind: 'reset', when: 'after' }, creates('Lunch'));
    service.failNext({ kind: 'reset', when: 'before' }, creates('Lunch luxe'));
    const { counts } = await run([row('Lunch', 12.5), row('Lunch luxe', 12.5)]);
    expect([counts.created, names().sort()]).toEqual([2, ['Lunch', 'Lunch luxe']]);
  });

  it.each([
    ['a shorter name', { OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: 12.5 }],
    [
      'a shorter name and a rounded price',
      { OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: 12 },
    ],
  ])('does not take a colleague’s new record with %s', async (_, theirs) => {
    const { service, run } = await open();
    service.failNext({ kind: 'reset', when: 'before' }, creates());
    let id = 0;
    service.at(
      ({ endpoint }) => endpoint === 'package.allModified' && service.journal.requests.some(creates()),
      () => (id = service.other.create('package', theirs)),
    );
    await run([row('Lunch luxe', 12.5, { ExternalID: 700 })]);
    expect(service.packages.get(id)).toMatchObject(theirs);
    expect(service.packages.where({ ProductID: id, ExternalID: 700 })).toEqual([]);
  });

  it.each([
    ['of the run was cut', { cutAt: 20 }],
    ['of the run was rounded', { rounding: 'half up' as const, places: 1 }],
    ['of the run was escaped', { escapeHtml: true }],
  ])('is found at once where another record %s the same way', async (_, values) => {
    const { service, run, made } = await open({ values });
    service.failNext({ kind: 'reset', when: 'after' }, creates('Diner & dansant voor "allen"'));
    const rows = [row('Lunch & koffie met "iets" erbij', 9.55), row('Diner & dansant voor "allen"', 12.55)];
    // Not found at once, it would be looked for longer than a test may take.
    const { counts } = await run(rows, { doubt: 600, concurrency: 1 });
    expect([counts.created, counts.unknown, made().length]).toEqual([2, 0, 2]);
  });

  it('is taken for a record that may be it where nothing speaks against that', async () => {
    const { service, run, made } = await open({
      values: { rounding: 'half up', escapeHtml: true, cutAt: 30 },
    });
    service.failNext({ kind: 'reset', when: 'after' }, creates());
    const { counts } = await run([row('Diner & dansant voor "allen" en een glas na', 12.555)]);
    expect([counts.created, counts.unknown, made().length]).toEqual([1, 0, 1]);
  });

  it('is unknown where two rows in doubt may have made the one record there is', async () => {
    const { service, run, made } = await open({ values: { cutAt: 12 } });
    service.failNext({ kind: 'reset', when: 'after' }, creates('Lunch buffet luxe'));
    service.failNext({ kind: 'reset', when: 'before' }, creates('Lunch buffet groot'));
    const { counts } = await run([row('Lunch buffet luxe', 12.5), row('Lunch buffet groot', 12.5)]);
    expect([counts.unknown, made().length]).toEqual([2, 1]);
  });
});

describe('many creates whose answers are lost', () => {
  it('share a few readings of the list', async () => {
    const { service, run, made } = await open({ answers: { pageSize: 500 }, values: { cutAt: 20 } });
    service.set({
      failures: { choose: (one) => (creates()(one) ? { kind: 'reset', when: 'after' } : undefined) },
    });
    const rows = Array.from({ length: 150 }, (_, at) => row(`Buffet ${at + 100} voor iedereen`, at));
    const { counts } = await run(rows);
    expect([counts.created, made().length]).toEqual([150, 150]);
    // Each row looks three times, at what was written last and at all.
    expect(service.journal.of('package.allModified').length).toBeLessThan(30);
  });

  it('read the rows of their run once for all that look at one list', async () => {
    const ledger = openLedger(':memory:');
    onTestFinished(() => ledger.close());
    const count = 300;
    const body = (seq: number) => ({ OmschrijvingIntern: `Buffet ${seq + 100} voor iedereen` });
    const planned = many(count, (seq) => ({
      steps: [{ purpose: 'create', endpoint: 'packages.create', body: body(seq) }],
    }));
    const run = 'r';
    await ledger.startRun({ run, service: 's', file: 'a.csv', startedAt: '2027-05-01 09:00:00' });
    await ledger.savePlan(run, planned);
    for (const { seq } of planned) await ledger.saveProgress(run, seq, SENDING);
    let read = 0;
    const readRows: typeof ledger.readRows = async (...asked) => {
      const rows = await ledger.readRows(...asked);
      read += rows.length;
      return rows;
    };
    const context = { ledger: { ...ledger, readRows }, serviceKey: 's', resource: packages } as never;
    const all = planned.map(({ seq }) => ({
      ...{ id: seq + 1, external: null, lmt: null },
      values: { OmschrijvingIntern: body(seq).OmschrijvingIntern.slice(0, 20) },
    }));
    for (const one of planned) {
      const doubt = {
        run,
        planned: one,
        step: one.steps[0],
        id: null,
        body: body(one.seq),
        since: new Date(),
      };
      const guess = await bestGuess(
        context,
        doubt as never,
        {
          keyed: async () => null,
          list: async () => all,
          holds: ({ values }, sent, alike) =>
            alike('OmschrijvingIntern', values.OmschrijvingIntern, sent.OmschrijvingIntern ?? null),
        },
        { mark: null, guesses: all, all, made: () => true },
      );
      expect(guess).toMatchObject({ id: one.seq + 1 });
    }
    expect(read).toBe(count);
  });
});
