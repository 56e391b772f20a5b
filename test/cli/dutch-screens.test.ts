import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { englishIn } from '../helpers/english-words.ts';
import { hasProgram, runCli, tempFolder } from '../helpers/run-cli.ts';

const SAMPLES = fileURLToPath(new URL('../../fixtures/samples', import.meta.url));

/** What a Dutch user does in a first hour; RUN is the last run. */
const COMMANDS = [
  '--help',
  'import catalogus-voorjaar.xlsx --yes',
  'runs RUN',
  'undo RUN --out terug.xlsx',
  'check',
  'export packages --out pakketten.xlsx',
  'export finance --from 2027-01-01 --to 2027-03-31 --out omzet.xlsx',
  'template packages --out sjabloon.xlsx',
];

it.skipIf(!hasProgram)(
  'Dutch screens have no English words but flags, commands, names of fields and statuses',
  {
    timeout: 290_000,
  },
  async () => {
    const folder = tempFolder();
    cpSync(SAMPLES, folder, { recursive: true });
    const env = { CATERSHEET_HOME: join(folder, 'home') };
    let last = '';
    for (const command of COMMANDS) {
      const args = command.replace('RUN', last).split(' ');
      const { stdout, stderr } = await runCli([...args, '--lang', 'nl'], { cwd: folder, env });
      const shown = `${stdout}\n${stderr}`;
      last = /\d{8}-\d{6}-[a-z0-9]{4}/.exec(shown)?.[0] ?? last;
      const found = shown.split('\n').flatMap((line) => {
        const words = englishIn(line);
        return words.length === 0 ? [] : [`${words.join(', ')}: ${line}`];
      });
      expect.soft(shown.trim(), command).not.toBe('');
      expect.soft(found, command).toEqual([]);
    }
  },
);
