import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook, PACKAGE_HEADER } from '../../helpers/make-workbook.ts';
import { CLI } from '../../helpers/run-cli.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import { randomFrom } from './random.ts';
import { type SettingsCase, settingsCase } from './settings-files.ts';

const MOST_SECONDS = 20;
const MOST_MEGABYTES = 400;
const MOST_WORDS = 20_000;
/** Sound, wrong settings, a refused file, rows, an unreachable service, doubt: never a fault of our own. */
const ALLOWED: readonly (number | null)[] = [0, 2, 3, 4, 5];

const TELLS = `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const status = readFileSync('/proc/self/status', 'latin1');
  writeFileSync(process.env.USAGE, /VmHWM:\\s*(\\d+)/.exec(status)[1]);
});`;

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(TELLS)}`, CLI, ...args],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LANG: 'en_US.UTF-8', ...env },
    },
  );
  let [stdout, stderr, hung] = ['', '', false];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, MOST_SECONDS * 1000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, stdout, stderr, hung };
}

/** What is wrong with how a run ended; undefined when nothing is. */
function faultOf(
  token: string,
  { code, stdout, stderr, hung }: Awaited<ReturnType<typeof run>>,
  { file, where, args }: SettingsCase,
  megabytes: number,
): string | undefined {
  const words = stdout + stderr;
  if (hung) return `hang: no end after ${MOST_SECONDS} s`;
  if (!ALLOWED.includes(code)) return `exit ${code}: ${words.slice(-600)}`;
  if (/\n\s+at .*:\d+:\d+/.test(words)) return `trace: ${words.slice(0, 600)}`;
  if (words.includes(token) || words.includes('user:secret')) return `token: ${words.slice(0, 600)}`;
  if (megabytes > MOST_MEGABYTES) return `memory: ${Math.round(megabytes)} MB`;
  if (code !== 2) return undefined;
  if (words.length > MOST_WORDS) return `words: ${words.length} characters`;
  if (where === 'environment' || words.includes('catersheet trust')) return undefined;
  // Of a file with headers that are wrong its setting is named.
  const named = [
    file,
    file.split('/').at(-1) ?? '',
    'catersheet.config.json',
    'headers of profile',
    '--profile',
  ];
  const isNamed =
    named.some((name) => words.includes(name)) || /token|base-url|address|log|ledger/i.test(words);
  return isNamed ? undefined : `unnamed: ${args.join(' ')}: ${words.slice(0, 600)}`;
}

/** Runs the program on so many files of settings and reports what came of them. */
export async function runSettings({ seed, from = 0, files }: { seed: number; from?: number; files: number }) {
  const service = await startSecondService();
  const seen: string[] = [];
  const attacker = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  const attack = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`;
  const faults: string[] = [];
  const exits: Record<string, number> = {};
  let [slowest, most] = [0, 0];
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < from + files) {
      const index = next++;
      const [folder, home] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'catersheet-settings-'))) as [
        string,
        string,
      ];
      try {
        await makeWorkbook(join(folder, 'boek.xlsx'), { Pakketten: [PACKAGE_HEADER, [1, 'Soep', 1, 2.5]] });
        const random = randomFrom(Math.imul(seed, 1_000_003) + index);
        const one = settingsCase(random, { folder, home, service: service.url, attack }, index);
        const usage = join(folder, 'usage');
        const started = performance.now();
        const own = { CATERSHEET_HOME: home, CATERSHEET_TOKEN: service.token, USAGE: usage };
        const done = await run(one.args, folder, { ...own, ...one.env });
        slowest = Math.max(slowest, (performance.now() - started) / 1000);
        const megabytes = existsSync(usage) ? Number(readFileSync(usage, 'utf8')) / 1024 : 0;
        most = Math.max(most, megabytes);
        exits[String(done.code)] = (exits[String(done.code)] ?? 0) + 1;
        // What the environment names, the user said.
        if (one.where === 'environment') seen.length = 0;
        const told =
          faultOf(service.token, done, one, megabytes) ??
          (seen.length > 0 ? `sent: ${seen.splice(0).join(', ')}` : undefined);
        if (told !== undefined)
          faults.push(`${seed}/${index} ${one.where} (${one.what}), ${one.args.join(' ')}: ${told}`);
      } finally {
        for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
      }
    }
  };
  try {
    // One at a time: what the attacker sees is of the file that is tried.
    await lane();
  } finally {
    await service.close();
    attacker.close();
  }
  return { files, exits, slowest, megabytes: Math.round(most), faults };
}
