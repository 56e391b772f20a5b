import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { reportEnvironment, runReportCommand } from '../../../src/queue/schedule/report-command.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

/** A program of a user's: Node with this text. */
function program(text: string) {
  const folder = tempFolder();
  writeFileSync(join(folder, 'program.mjs'), text);
  const command = [process.execPath, join(folder, 'program.mjs'), 'own words; rm -rf $HOME'];
  const run = (timeout = 30) =>
    runReportCommand({
      command,
      folder,
      words: ['/tmp/r.html', '5'],
      told: { CATERSHEET_EXIT: '5' },
      timeout,
    });
  return { folder, run };
}

const isAlive = (id: number): boolean => {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a program that gets a report', () => {
  it('gets its own words, the page and the exit code as they are, in the folder of the page', async () => {
    const { folder, run } = program(
      `import { writeFileSync } from 'node:fs';
       writeFileSync('said.json', JSON.stringify([process.argv.slice(2), process.env.CATERSHEET_EXIT]));`,
    );
    await run();
    expect(JSON.parse(readFileSync(join(folder, 'said.json'), 'utf8'))).toEqual([
      ['own words; rm -rf $HOME', '/tmp/r.html', '5'],
      '5',
    ]);
  });

  it('has none of the secrets of this program in its environment', () => {
    const environment = {
      ...{ PATH: '/bin', HOME: '/home/jan', LANG: 'nl_NL.UTF-8' },
      ...{ CATERSHEET_TOKEN: 'geheim', CATERSHEET_LEDGER_PASSWORD: 'geheim', PGPASSWORD: 'geheim' },
      ...{ CATERSHEET_HOME: '/srv', AWS_SECRET_ACCESS_KEY: 'geheim' },
    };
    expect(reportEnvironment({ CATERSHEET_EXIT: '0' }, environment)).toEqual({
      ...{ PATH: '/bin', HOME: '/home/jan', LANG: 'nl_NL.UTF-8', CATERSHEET_EXIT: '0' },
    });
  });

  it('is named with what it said last where it fails', async () => {
    const { run } = program(`console.error('geen mailserver'); process.exit(7);`);
    await expect(run()).rejects.toThrow(/did not get through by .*: it ended with 7: geen mailserver\./);
  });

  it('is named where it is not there', async () => {
    const folder = tempFolder();
    const wanted = { command: [join(folder, 'nergens')], folder, words: [], told: {}, timeout: 5 };
    await expect(runReportCommand(wanted)).rejects.toThrow('it can’t be started (ENOENT)');
  });

  it.skipIf(process.platform === 'win32')(
    'is ended with what it started where it takes too long, though it listens to nothing',
    async () => {
      const { folder, run } = program(
        `import { spawn } from 'node:child_process';
         import { writeFileSync } from 'node:fs';
         process.on('SIGTERM', () => {});
         const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 99)']);
         writeFileSync('ids', [process.pid, child.pid].join(' '));
         setInterval(() => {}, 99);`,
      );
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const ended = expect(run(30)).rejects.toThrow('it was not done after 30 s, and was ended');
      const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
      while (!existsSync(join(folder, 'ids'))) await turn();
      await vi.advanceTimersByTimeAsync(60_000);
      await ended;
      const ids = readFileSync(join(folder, 'ids'), 'utf8').split(' ').map(Number);
      while (ids.some(isAlive)) await turn();
    },
  );
});
