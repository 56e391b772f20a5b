import { expect, it, onTestFinished } from 'vitest';
import { playWorkersRound } from '../../campaigns/machines/play-workers-round.ts';
import { postgresFolder, startPostgres } from '../../helpers/postgres.ts';

/** The short form of the campaign: each mishap once, at one moment. */
it.skipIf(postgresFolder() === undefined)(
  'files of two people that workers send together are sent once, whatever befalls a worker or the database',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const mishaps = ['kill', 'database', 'stop'] as const;
    const { findings } = await playWorkersRound(server, 1, { workers: 3, mishaps, size: 3, lost: 0.05 });
    expect(findings).toEqual([]);
  },
);
