import { describe, expect, test } from 'vitest';
import { EXPORT_NAMES } from '../../src/api/export.ts';
import { positionalHelp } from '../../src/cli/parse.ts';
import { EXIT } from '../../src/core/errors.ts';
import type { Language } from '../../src/core/language.ts';
import * as library from '../../src/index.ts';
import { COMMAND_LIST, type CommandEntry, type CommandName } from '../../src/options/commands.ts';
import { FUNCTIONS, type FunctionName, kebab } from '../../src/options/option.ts';
import { flagHelp, OPTION_LIST } from '../../src/options/options.ts';
import { packages } from '../../src/resources/packages.ts';
import { resources } from '../../src/resources/registry.ts';
import { runCli } from '../helpers/run-cli.ts';

const flagsOf = (command: CommandName) => OPTION_LIST.filter(({ commands }) => commands.includes(command));

const asked = new Map<string, ReturnType<typeof runCli>>();

/** What a command says of itself; asked once. */
async function helpOf(command: CommandName, language: Language): Promise<string> {
  const key = `${command} ${language}`;
  const help = asked.get(key) ?? runCli([command, '--help', '--lang', language]);
  asked.set(key, help);
  const { code, stdout } = await help;
  expect(code).toBe(0);
  return stdout;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** The flags that help lists, in its order; not those that every command has. */
function listed(help: string): string[] {
  const names = [...help.matchAll(/^ {2}(?:-\w, | {4})--([a-z-]+)\b/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help' && name !== 'version');
}

// That of `help` is the help of the program.
describe.each(COMMAND_LIST.filter(([name]) => name !== 'help'))(
  'the help of %s is what the tables say',
  (command, entry) => {
    test.each(['en', 'nl'] as const)('of its flags, in %s', async (language) => {
      const help = await helpOf(command, language);
      const names = flagsOf(command).map(({ flag }) => kebab(flag));
      expect(listed(help).sort()).toEqual(names.sort());
      const said = oneLine(help);
      for (const option of flagsOf(command)) expect(said).toContain(oneLine(flagHelp(option)[language]));
    });

    test('of what stands behind it, and of its examples', async () => {
      const { help, positionals, examples = {} }: CommandEntry = entry;
      for (const language of ['en', 'nl'] as const) {
        const text = oneLine(await helpOf(command, language));
        expect(text).toContain(oneLine(help[language]));
        for (const one of positionals) expect(text).toContain(oneLine(positionalHelp(one)[language]));
        for (const line of Object.keys(examples))
          expect(text).toContain(`catersheet ${line.split(' ').slice(0, 2).join(' ')}`);
      }
    });
  },
);

test('help names the kinds of sheets and of exports that there are', () => {
  const named = COMMAND_LIST.flatMap(([, { positionals }]: readonly [string, CommandEntry]) =>
    positionals.flatMap(({ names }) => (names === undefined ? [] : [names])),
  );
  expect(named).toEqual([EXPORT_NAMES, resources.map(({ name }) => name)]);
});

test('the help of the program lists the commands of the table, in its order', async () => {
  const { stdout } = await runCli(['--help']);
  const [, list = ''] = /^Commands:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}catersheet (\w+)/gm)].map(([, name]) => name);
  expect(names).toEqual(COMMAND_LIST.map(([name]) => name));
});

test.each(COMMAND_LIST.map(([name]) => name))('no two options of %s share a flag or a letter', (command) => {
  const words = flagsOf(command).flatMap(({ flag, alias }) => [
    flag,
    ...(alias === undefined ? [] : [alias]),
  ]);
  expect(new Set(words).size).toBe(words.length);
});

test('every option is of some use, is explained in both languages, and says *je* in Dutch', () => {
  for (const {
    commands,
    functions,
    help: { en, nl },
    name,
  } of OPTION_LIST) {
    expect([name, commands.length + functions.length]).not.toEqual([name, 0]);
    expect(en).toMatch(/^\S.*\S$/);
    expect(nl).toMatch(/^\S.*\S$/);
    expect(nl).not.toBe(en);
    expect(nl).not.toMatch(/\bu(w)?\b/);
  }
});

describe('a number on the command line is held to the range of the table', () => {
  const numbers = OPTION_LIST.flatMap(({ flag, type, commands }) =>
    commands[0] !== undefined && type.def.type === 'number' ? [[kebab(flag), commands[0]] as const] : [],
  );
  const behind: Partial<Record<CommandName, string[]>> = { import: ['x.csv'] };

  test.each(numbers)('--%s of %s', async (flag, command) => {
    const { code, stderr } = await runCli([command, ...(behind[command] ?? []), `--${flag}=-1`]);
    expect(stderr).toMatch(new RegExp(`^--${flag} must be at least `));
    expect(code).toBe(EXIT.usage);
  });
});

/** Every function of the library that takes options, called with these alone. */
const CALLS: { readonly [F in FunctionName]: (options: never) => Promise<unknown> } = {
  importWorkbook: (options) => library.importWorkbook('x.xlsx', options),
  planImport: (options) => library.planImport('x.xlsx', options),
  readSheets: (options) => library.readSheets('x.xlsx', options),
  applyPlan: (options) => library.applyPlan('20270331-074512-k3vq', options),
  undoRun: (options) => library.undoRun('20270331-074512-k3vq', options),
  listRuns: (options) => library.listRuns(options),
  readRun: (options) => library.readRun('20270331-074512-k3vq', options),
  readRecord: (options) => library.readRecord('packages:30001', options),
  withdrawRun: (options) => library.withdrawRun('20270331-074512-k3vq', options),
  pruneRuns: (options) => library.pruneRuns(options),
  exportRecords: (options) => library.exportRecords(packages, options),
  exportFinance: (options) => library.exportFinance(options),
  checkService: (options) => library.checkService(options),
  writeTemplate: (options) => library.writeTemplate([packages], options),
  uploadDocuments: (options) => library.uploadDocuments('x.csv', options),
  fetchInvoices: (options) => library.fetchInvoices('x.csv', options),
  refreshEvents: (options) => library.refreshEvents('x.csv', options),
  refreshEventIds: (options) => library.refreshEventIds([9023], options),
  sendOrders: (options) => library.sendOrders([4501], options),
};

describe.each(FUNCTIONS)('%s', (name) => {
  const taken = OPTION_LIST.filter(({ functions }) => functions.includes(name)).map((one) => one.name);

  test('refuses an option that is misspelt, with the name that is meant', async () => {
    await expect(CALLS[name]({ concurency: 4 } as never)).rejects.toMatchObject({
      name: 'StopError',
      exit: EXIT.usage,
      message: `${name} takes no option concurency.`,
      next: expect.stringContaining('concurrency'),
    });
  });

  test('refuses the options of others', async () => {
    const others = OPTION_LIST.filter((one) => one.functions.length > 0 && !taken.includes(one.name));
    expect(others.length).toBeGreaterThan(0);
    for (const other of others)
      await expect(CALLS[name]({ [other.name]: undefined, lang: 'nl' } as never)).rejects.toMatchObject({
        exit: EXIT.usage,
        texts: { message: { nl: `${name} kent geen optie ${other.name}.` } },
      });
  });

  test('refuses a value of another kind', async () => {
    for (const [option, value, said] of [
      ['baseUrl', 8080, 'baseUrl must be a text, not a number'],
      ['concurrency', 0, 'concurrency must be at least 1'],
      ['lang', 'fr', 'lang must be one of en, nl'],
      ['verbose', 'yes', 'verbose must be true or false, not a text'],
    ] as const)
      await expect(CALLS[name]({ [option]: value } as never)).rejects.toMatchObject({
        exit: EXIT.usage,
        message: expect.stringContaining(said),
      });
  });
});
