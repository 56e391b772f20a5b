import { expect, test } from 'vitest';
import { type Cell, newPackages, openWorld } from './world.ts';

const AWAY = { kind: 'status', status: 503, when: 'before' } as const;

test.each(['created', 'updated'] as const)(
  'a run whose service turns all writes away stops and says so, and the next import sends the rest: %s',
  async (status) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const add = (at: number): Cell[] => [service.add.package({ OmschrijvingIntern: `Lunch ${at}` }), at + 10];
    const changed = () => [['ProductID', 'Verkoopprijs'], ...Array.from({ length: 80 }, (_, at) => add(at))];
    const file = sheet(status === 'created' ? newPackages(80) : changed());
    const options = { ...machine(), as: 'packages' };
    service.set({ failures: { mix: [{ probability: 1, failure: AWAY, match: ({ write }) => write }] } });
    const stop = { exit: 4, message: expect.stringMatching(/could not be reached for \d+ rows in a row/) };
    await expect(importWorkbook(file, { ...options, retries: 0 })).rejects.toMatchObject(stop);
    expect(service.journal.writes.length).toBeLessThan(40);
    service.set({ failures: { mix: [] } });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ [status]: 80, unknown: 0 });
    expect(service.journal.doubled()).toEqual([]);
  },
);
