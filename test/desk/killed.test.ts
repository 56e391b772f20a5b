import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasProgram } from '../helpers/run-cli.ts';
import { openGatedService } from '../helpers/test-service.ts';
import { newPackages } from '../promises/world.ts';
import { startProgram } from './own-program.ts';

const ROWS = 24;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0] as number | null;
}

test.skipIf(!hasProgram)(
  'a program that is killed while it sends finds the run again, and nothing is created twice',
  async () => {
    const service = await openGatedService();
    const file = join(service.folder, 'kaart.csv');
    writeFileSync(
      file,
      newPackages(ROWS)
        .map((row) => row.join(';'))
        .join('\n'),
    );
    const first = await startProgram(service);
    const draft = await first.bring(file);
    await first.planned(draft);
    const { run, counts } = await first.plan(draft);
    expect(counts).toMatchObject({ read: ROWS, created: ROWS });
    const isHalfway = service.gate.shut(6, { held: 'answers' });
    await first.ask('send', { run, deletes: 0 });
    await isHalfway;
    await ended(first.child, 'SIGKILL');
    service.gate.open();

    const second = await startProgram(service);
    const { runs } = await second.ask('home');
    expect(runs).toMatchObject([{ run, state: 'interrupted', open: true, source: draft, file: 'kaart.csv' }]);
    const { job } = await second.ask('send', { run });
    expect((await second.ended(job)).state).toBe('done');
    expect((await second.ask('run', { run })).run.counts).toMatchObject({ created: ROWS });
    const made = (await service.records('package')).map(({ ExternalID }) => Number(ExternalID));
    expect(made.filter((external) => external >= 900_001)).toHaveLength(ROWS);
    expect(await ended(second.child, 'SIGTERM')).toBe(0);
  },
);
