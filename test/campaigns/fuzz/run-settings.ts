import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook, PACKAGE_HEADER } from '../../helpers/make-workbook.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import { measured } from './measured.ts';
import { randomFrom } from './random.ts';
import { type SettingsCase, settingsCase } from './settings-files.ts';

const MOST_SECONDS = 20;
const MOST_MEGABYTES = 400;
const MOST_WORDS = 20_000;
/** Sound, wrong settings, a refused file, rows, an unreachable service, doubt: never a fault of our own. */
const ALLOWED: readonly (number | null)[] = [0, 2, 3, 4, 5];

/** What is wrong with how a run ended; undefined when nothing is. */
function faultOf(
  token: string,
  { code, said: words, megabytes }: Awaited<ReturnType<typeof measured>>,
  { file, args }: SettingsCase,
): string | undefined {
  if (code === null) return `hang: no end after ${MOST_SECONDS} s`;
  if (!ALLOWED.includes(code)) return `exit ${code}: ${words.slice(-600)}`;
  if (/\n\s+at .*:\d+:\d+/.test(words)) return `trace: ${words.slice(0, 600)}`;
  if (words.includes(token) || words.includes('user:secret')) return `token: ${words.slice(0, 600)}`;
  if (megabytes > MOST_MEGABYTES) return `memory: ${Math.round(megabytes)} MB`;
  if (code !== 2) return undefined;
  if (words.length > MOST_WORDS) return `words: ${words.length} characters`;
  if (words.includes('catersheet trust')) return undefined;
  // Of a file with headers that are wrong its setting is named.
  const isNamed =
    words.includes(file.split('/').at(-1) ?? '') ||
    /config\.json|headers of profile|--profile|token|base-url|address|log|ledger/i.test(words);
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
  try {
    // One at a time: what the attacker sees is of the file that is tried.
    for (let index = from; index < from + files; index++) {
      const [folder, home] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'catersheet-settings-'))) as [
        string,
        string,
      ];
      try {
        await makeWorkbook(join(folder, 'boek.xlsx'), { Pakketten: [PACKAGE_HEADER, [1, 'Soep', 1, 2.5]] });
        const random = randomFrom(Math.imul(seed, 1_000_003) + index);
        const one = settingsCase(random, { folder, home, service: service.url, attack }, index);
        const started = performance.now();
        const env = { CATERSHEET_HOME: home, CATERSHEET_TOKEN: service.token };
        const done = await measured(one.args, { cwd: folder, seconds: MOST_SECONDS, env });
        slowest = Math.max(slowest, (performance.now() - started) / 1000);
        most = Math.max(most, done.megabytes);
        exits[String(done.code)] = (exits[String(done.code)] ?? 0) + 1;
        const told =
          faultOf(service.token, done, one) ??
          (seen.length > 0 ? `sent: ${seen.splice(0).join(', ')}` : undefined);
        if (told !== undefined)
          faults.push(`${seed}/${index} ${one.where} (${one.what}), ${one.args.join(' ')}: ${told}`);
      } finally {
        for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
      }
    }
  } finally {
    await service.close();
    attacker.close();
  }
  return { files, exits, slowest, megabytes: Math.round(most), faults };
}
