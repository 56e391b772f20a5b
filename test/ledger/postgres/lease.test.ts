import { execFileSync } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { applyPlan, planImport } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

const TAKEN = `update catersheet.leases set holder = 'een ander', token = token + 1, until = now() + interval '1 hour'`;
const GIVEN_BACK = `update catersheet.leases set until = now() - interval '1 second'`;

/** Does something as the first request that fits is about to be written: all in it is done, but its bytes. */
function atWrite(fits: (path: string) => boolean, action: () => void): void {
  const created = channel('undici:request:create');
  let done = false;
  const listen = (message: unknown): void => {
    const { path } = (message as { request: { path: string } }).request;
    if (done || !fits(path)) return;
    done = true;
    action();
  };
  created.subscribe(listen);
  onTestFinished(() => void created.unsubscribe(listen));
}

describe.skipIf(MISSING)('with PostgreSQL, a program that wakes up after its right to send is over', () => {
  test.each([
    ['an update', 'pakket/update', { '#action': 'update', Verkoopprijs: 20 }],
    ['a delete', 'pakket/delete', { '#action': 'delete' }],
    [
      'a create',
      'pakket/create',
      { '#action': 'create', OmschrijvingIntern: 'Buffet', ProductTypeID: 1, Verkoopprijs: 9 },
    ],
  ] as const)('sends nothing more, and who has it then sends each row once: %s', async (_, path, cells) => {
    const { service, folder, options } = await openRows();
    const ids = [1, 2, 3, 4, 5].map(() => service.add.package({ Verkoopprijs: 12 }));
    const isNew = cells['#action'] === 'create';
    const rows = ids.map((ProductID, at) =>
      isNew ? { ...cells, '#key': `b${at}` } : { ProductID, ...cells },
    );
    const address = await server.database();
    const own = { ...serviceOnly(options), ledger: address };
    const psql = (sql: string): void =>
      void execFileSync(join(postgresFolder() ?? '', 'psql'), ['-q', '-d', address, '-c', sql]);
    const file = writeRows(`${folder}/rijen.csv`, rows);
    const { run } = await planImport(file, { ...own, as: packages, allowDelete: true });
    const now = Date.now;
    const woken = vi.spyOn(Date, 'now');
    onTestFinished(() => woken.mockRestore());
    atWrite(
      (to) => to.includes(path),
      () => {
        psql(TAKEN);
        woken.mockImplementation(() => now() + 30_000);
      },
    );
    await expect(applyPlan(run, own)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('silent for so long'),
    });
    // Until here all that came was sent by the one that slept.
    expect(service.journal.writes).toEqual([]);
    woken.mockRestore();
    psql(GIVEN_BACK);
    const { counts } = await applyPlan(run, own);
    expect(counts).toMatchObject({ [`${cells['#action']}d`]: 5, unknown: 0, failed: 0 });
    expect(service.journal.writes).toHaveLength(5);
  });
});
