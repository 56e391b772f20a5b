import { describe, it } from 'vitest';
import { playMachinesRound } from '../../campaigns/machines/play-machines-round.ts';
import { playWorkersRound } from '../../campaigns/machines/play-workers-round.ts';
import { postgresFolder, startPostgres, usePostgres } from '../../helpers/postgres.ts';

const MISSING = postgresFolder() === undefined;
const postgres = usePostgres();

/** The short form of the campaign: each mishap once, at one moment. */
describe.skipIf(MISSING)('with PostgreSQL', () => {
  const wishes = { machines: 2, workers: 3, lost: 0.05 };

  it.concurrent('one file that two people import at once is sent once, also where the database is restarted', async ({
    expect,
  }) => {
    const server = await startPostgres();
    const { findings } = await playMachinesRound(server, 1, { ...wishes, mishaps: ['database'], size: 1 });
    await server.stop();
    expect(findings).toEqual([]);
  });

  it.concurrent('files of two people that workers send together are sent once, also after a kill and a stop that outlasts the right to send', async ({
    expect,
  }) => {
    const mishaps = ['kill', 'stop'] as const;
    const { findings } = await playWorkersRound(postgres, 1, { ...wishes, mishaps, size: 2 });
    expect(findings).toEqual([]);
  });
});
