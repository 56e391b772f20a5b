import { describe, it } from 'vitest';
import { playMachinesRound } from '../../campaigns/machines/play-machines-round.ts';
import { playWorkersRound } from '../../campaigns/machines/play-workers-round.ts';
import { postgresFolder, startPostgres, usePostgres } from '../../helpers/postgres.ts';

const MISSING = postgresFolder() === undefined;
const postgres = usePostgres();

/** The short form of the campaign: each mishap once, at one moment. */
describe.skipIf(MISSING)('with PostgreSQL', () => {
  it.concurrent.for([
    ['a kill', ['kill']],
    ['a restart of the database', ['database']],
  ] as const)(
    'one file that two people import at once, with one ledger, is sent once: %s',
    async ([name, mishaps], { expect }) => {
      const server = name.includes('database') ? await startPostgres() : postgres;
      const { findings } = await playMachinesRound(server, 1, { machines: 2, mishaps, size: 1, lost: 0.05 });
      if (server !== postgres) await server.stop();
      expect(findings).toEqual([]);
    },
  );

  it.concurrent.for([['a kill, and a stop that outlasts the right to send', ['kill', 'stop']]] as const)(
    'files of two people that workers send together are sent once: %s',
    async ([, mishaps], { expect }) => {
      const { findings } = await playWorkersRound(postgres, 1, { workers: 3, mishaps, size: 3, lost: 0.05 });
      expect(findings).toEqual([]);
    },
  );
});
