import { expect, it } from 'vitest';
import { newPackages, openWorld } from '../../promises/world.ts';

it('a run whose service stays away stops and says so, and the next import sends the rest', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const [file, options] = [sheet(newPackages(80)), machine()];
  service.set({ failures: { mix: [{ probability: 1, failure: AWAY, match: ({ write }) => write }] } });
  const stop = { exit: 4, message: expect.stringMatching(/could not be reached for \d+ rows in a row/) };
  await expect(importWorkbook(file, { ...options, retries: 0 })).rejects.toMatchObject(stop);
  expect(service.journal.writes.length).toBeLessThan(40);
  service.set({ failures: { mix: [] } });
  expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 80, unknown: 0, notSent: 0 });
  expect(service.journal.doubled()).toEqual([]);
});

const AWAY = { kind: 'status', status: 503, when: 'before' } as const;
