import { expect, test } from 'vitest';
import { applyPlan } from '../../src/index.ts';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';
import { draftOn, openDesk } from './open-desk.ts';

const server = usePostgres();

test.skipIf(postgresFolder() === undefined)(
  'a run that was handed over to workers is neither corrected, planned anew nor removed on the page',
  async () => {
    const ledger = await server.database();
    const desk = await openDesk({}, { ledger });
    const { draft, planned } = await draftOn(desk, 'Pakketten.csv', [
      'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
      '71001;Buffet;Lentebuffet;12,50',
    ]);
    await planned();
    const { run } = await desk.plan(draft);
    const { url: baseUrl, token } = desk.service;
    // Whoever hands it over goes away at once: no worker has sent it yet.
    const leaving = new AbortController();
    const handed = applyPlan(run, { baseUrl, token, ledger, queue: true, signal: leaving.signal });
    handed.catch(() => {});
    while ((await desk.plan(draft)).of.workers === undefined)
      await new Promise((wait) => setTimeout(wait, 20));
    leaving.abort();
    await handed.catch(() => {});
    const corrections = [{ sheet: 'Pakketten', row: 2, column: 4, text: '99' }];
    for (const [route, asked] of [
      ['correct', { run, corrections }],
      ['makePlan', { file: draft }],
      ['dropRun', { run }],
    ] as const) {
      const refused = await desk.fetch(route, asked);
      expect([route, refused.status, await refused.text()]).toEqual([
        route,
        409,
        expect.stringContaining('Workers have this run'),
      ]);
    }
    expect((await desk.plan(draft)).of.stale).toBe(false);
  },
);
