import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { refreshCommand } from '../../src/cli/commands/command-sheets.ts';
import { exportCommand } from '../../src/cli/commands/export.ts';
import { checkUsage } from '../../src/cli/usage/check-usage.ts';
import { EXIT } from '../../src/core/errors.ts';
import { t } from '../../src/core/language.ts';
import type { CommandName } from '../../src/options/commands.ts';
import type { FunctionName } from '../../src/options/option.ts';
import { OPTION_LIST } from '../../src/options/options.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** Adds an option `newest` to the table for one test. */
function addOption(command: CommandName, functions: readonly FunctionName[], type: z.ZodType): void {
  const table = OPTION_LIST as (typeof OPTION_LIST)[number][];
  const option = { name: 'newest', flag: 'newestOne', type, help: t('New', 'Nieuw') };
  table.push({ ...option, commands: [command], functions });
  onTestFinished(() => void table.pop());
}

/** What a command says on stderr, run in this process with a home of its own. */
async function runHere(work: () => Promise<number>): Promise<{ code: number; stderr: string }> {
  vi.stubEnv('CATERSHEET_HOME', tempFolder());
  vi.stubEnv('CATERSHEET_BASE_URL', '');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    shown.mockRestore();
    vi.unstubAllEnvs();
  });
  const code = await work();
  return { code, stderr: written.mock.calls.map(([text]) => String(text)).join('') };
}

const COMMON = { quiet: true, color: false, lang: 'en' };

test('a flag for exports of records that is new in the option table is refused by export finance', async () => {
  addOption('export', ['exportRecords'], z.string());
  const flags = { ...COMMON, what: ['finance'], newestOne: '3' } as unknown as Parameters<
    typeof exportCommand
  >[0];
  const { code, stderr } = await runHere(() => exportCommand(flags));
  expect(stderr).toContain('A finance export takes no --newest-one.');
  expect(code).toBe(EXIT.usage);
});

test('a flag for finance that is new in the option table is refused by exports of records', async () => {
  addOption('export', ['exportFinance'], z.string());
  const flags = { ...COMMON, what: ['packages'], newestOne: '3' } as unknown as Parameters<
    typeof exportCommand
  >[0];
  const { code, stderr } = await runHere(() => exportCommand(flags));
  expect(stderr).toContain('--newest-one is for export finance.');
  expect(code).toBe(EXIT.usage);
});

test('a flag about a file that is new in the option table is refused where refresh gets ids', async () => {
  addOption('refresh', ['refreshEvents'], z.string());
  const flags = { ...COMMON, what: ['9023'], sheet: [], dryRun: false, yes: false, newestOne: '3' };
  const { code, stderr } = await runHere(() =>
    refreshCommand(flags as unknown as Parameters<typeof refreshCommand>[0]),
  );
  expect(stderr).toContain('events that are named have no plan and no result');
  expect(code).toBe(EXIT.usage);
});

test('flags of the program and values that the command line fills in are not refused', async () => {
  const flags = { ...COMMON, what: ['9023'], sheet: [], dryRun: false, yes: true, verbose: false };
  const { code } = await runHere(() =>
    refreshCommand(flags as unknown as Parameters<typeof refreshCommand>[0]),
  );
  expect(code).not.toBe(EXIT.usage);
});

test.each([
  [z.int().min(1), 'en', '--newest-one must be a whole number, 1 or more.'],
  [z.int().min(1), 'nl', '--newest-one moet een geheel getal zijn, 1 of meer.'],
  [z.int().min(1).max(9), 'en', '--newest-one must be a whole number from 1 to 9.'],
] as const)('a number that is out of range is refused with its range (%#)', async (type, language, said) => {
  addOption('check', [], type);
  await expect(checkUsage(['check', '--newest-one', '0'])).rejects.toMatchObject({
    exit: EXIT.usage,
    texts: { message: { [language]: said } },
  });
});
