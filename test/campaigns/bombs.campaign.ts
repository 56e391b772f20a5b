import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { BOMBS, writeBomb } from './fuzz/bombs.ts';

/** What a workbook of 5 MB may take: seconds of work, and megabytes. */
const MOST_SECONDS = 10;
const MOST_MEGABYTES = 400;
const MOST_BYTES = 5_200_000;
/** Nothing is left of a program that goes on for so long. */
const KILLED_AFTER = 60_000;
const ALLOWED = [0, 2, 3, 4, 5];
const ONLY = process.env.ONLY;

/** Makes a process say what it took when it ends. */
const TELLS = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.USAGE, JSON.stringify(process.resourceUsage())));`;

async function measure(args: readonly string[], cwd: string, own: Readonly<Record<string, string>>) {
  const usage = join(cwd, 'usage.json');
  rmSync(usage, { force: true });
  const tells = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  const child = spawn(process.execPath, ['--import', tells, CLI, ...args], {
    ...{ cwd, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { PATH: process.env.PATH ?? '', LANG: 'en_US.UTF-8', USAGE: usage, ...own },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code === null) return { code, seconds: Number.POSITIVE_INFINITY, megabytes: Number.NaN, said };
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
  return { code, seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024, said };
}

it.each(BOMBS.filter(({ name }) => ONLY === undefined || new RegExp(ONLY).test(name)))(
  'a workbook of 5 MB with $full $name costs little, also to give back',
  { timeout: 600_000 },
  async (bomb) => {
    const service = await openTestService();
    const folder = mkdtempSync(join(tmpdir(), 'catersheet-bombs-'));
    try {
      const file = await writeBomb(join(folder, 'bom.xlsx'), bomb, bomb.full);
      const bytes = statSync(file).size;
      const own = {
        ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder },
      };
      const faults: string[] = [];
      for (const way of [['--dry-run'], ['--yes', '--out', 'uit.xlsx']]) {
        const { code, seconds, megabytes, said } = await measure(['import', file, ...way], folder, own);
        const words = said.trim().split('\n').slice(-2).join(' | ').slice(0, 200);
        console.log(
          `${bomb.name} ${way[0]}: ${(bytes / 1e6).toFixed(1)} MB, exit ${code}, ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB: ${words}`,
        );
        if (!ALLOWED.includes(code ?? -1)) faults.push(`exit ${code}: ${said.slice(-500)}`);
        if (seconds > MOST_SECONDS) faults.push(`${seconds} s`);
        if (!(megabytes <= MOST_MEGABYTES)) faults.push(`${megabytes} MB`);
      }
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect(faults).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
