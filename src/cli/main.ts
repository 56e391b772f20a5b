#!/usr/bin/env node
import './working-folder.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Argv, CommandModule } from 'yargs';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { EXIT, EXITS, type ExitCode, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { showLines } from '../core/standard-streams.ts';
import { COMMAND_LIST, COMMANDS, type CommandName, usageOf } from '../options/commands.ts';
import type { Given } from '../options/options.ts';
import { keepRowsYoung } from '../session/keep-rows-young.ts';
import { earlyLanguage, namedLanguage } from '../session/spoken-language.ts';
import { asStop, watchOutput, wrongUsage } from './stops.ts';

keepRowsYoung();

/** Each command's function, loaded only for the command that is given. */
const WORK: { readonly [C in CommandName]: () => Promise<(given: Given<C>) => Promise<ExitCode>> } = {
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  apply: async () => (await import('./commands/apply.ts')).applyCommand,
  undo: async () => (await import('./commands/undo.ts')).undoCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  template: async () => (await import('./commands/template.ts')).templateCommand,
  documents: async () => (await import('./commands/command-sheets.ts')).documentsCommand,
  invoices: async () => (await import('./commands/command-sheets.ts')).invoicesCommand,
  orders: async () => (await import('./commands/orders.ts')).ordersCommand,
  refresh: async () => (await import('./commands/command-sheets.ts')).refreshCommand,
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand,
  trust: async () => (await import('./commands/trust.ts')).trustCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  interface: async () => (await import('./commands/interface.ts')).interfaceCommand,
};

/** A bare --json would take the next word, the file, as its value. */
const words = wordsOf(hideBin(process.argv)).map((word) => (word === '--json' ? '--json=rows' : word));

/** Help is in English unless `--lang` is given: it is looked up, quoted and searched for. */
const helping = words.includes('--help') || words.includes('-h');
const language = helping ? (namedLanguage(words) ?? 'en') : earlyLanguage(words, process.env);

const NO_COMMAND = t('Name a command.', 'Noem een opdracht.')[language];
const ABOUT = t(
  'Spreadsheets in and out of a catering and event-management service.',
  'Spreadsheets je cateringsysteem in en uit.',
)[language];

let exitCode: ExitCode = EXIT.ok;
let lost: ExitCode = EXIT.ok;

function toModule(name: CommandName): CommandModule {
  const builder = async (argv: Argv): Promise<Argv> =>
    (await import('./flags.ts')).addFlags(argv, name, language);
  return {
    command: usageOf(name),
    describe: COMMANDS[name].help[language],
    // yargs awaits it, but its types do not tell.
    builder: builder as unknown as NonNullable<CommandModule['builder']>,
    async handler(given) {
      exitCode = await (await WORK[name]())(given as never);
    },
  };
}

function exitCodesText(): string {
  const lines = Object.values(EXITS).map(
    ({ code, text }) => `  ${String(code).padEnd(3)}  ${text[language]}`,
  );
  return [t('Exit codes:', 'Exitcodes:')[language], ...lines].join('\n');
}

function version(): string {
  // By the package's own name: the bundle and the compiled files lie at different depths.
  const manifest = createRequire(import.meta.url)('catersheet/package.json') as { version: string };
  return manifest.version;
}

watchOutput(words, (code) => {
  lost = code;
  process.exitCode ||= code;
});

// What nobody awaits would be shown by Node itself, as it stands.
process.on('uncaughtException', async (error) => {
  await showStop(asStop(error));
  process.exit(EXIT.fault);
});

/** The only place that catches what stops the program and makes it an exit code. */
try {
  refuseNames(words);
  await yargs(words)
    // Or `--yes.xlsx` would be taken for a part of --yes.
    .parserConfiguration({ 'dot-notation': false })
    .scriptName('catersheet')
    .usage(`$0 <${t('command', 'opdracht')[language]}>\n\n${ABOUT}`)
    .command(COMMAND_LIST.map(([name]) => toModule(name)))
    .demandCommand(1, NO_COMMAND)
    .strict()
    .locale(language)
    .version(version())
    .alias('help', 'h')
    .epilog(exitCodesText())
    .wrap(Math.min(110, process.stdout.columns || 110))
    .fail((message, error, parser) => {
      const help = `catersheet ${commandOf(words)}--help`;
      const next = t(`See ${help}.`, `Zie ${help}.`);
      if (error instanceof StopError)
        throw error.next === undefined ? wrongUsage(error.texts.message, next) : error;
      if (error !== undefined && message === undefined) throw error;
      if (process.argv.length <= 2) parser.showHelp((help) => showLines('stderr', help.split('\n')));
      const what = (unknownCommand(words) ?? message ?? error?.message ?? NO_COMMAND).replace(
        /\s*\n\s*/g,
        ' ',
      );
      throw wrongUsage(t(what, what), next);
    })
    .parseAsync();
} catch (error) {
  const stop = error instanceof Error && error.name === 'YError' ? badFlags(error) : asStop(error);
  exitCode = stop.exit;
  await showStop(stop);
}

process.exitCode = exitCode === EXIT.ok ? lost : exitCode;

async function showStop(stop: StopError): Promise<void> {
  const { earlyView } = await import('./show.ts');
  earlyView(words, process.env).stop(stop, null);
}

/** Words without a `--`; what stands behind it is a name, also where it begins as a flag does. */
function wordsOf(given: readonly string[]): string[] {
  const at = given.indexOf('--');
  if (at < 0) return [...given];
  return [...given.slice(0, at), ...given.slice(at + 1).map((word) => word.replace(/^-(?=.)/, './-'))];
}

/**
 * Throws StopError for a word that is a flag, and the name of a file here too: with `*.xlsx` a folder that
 * somebody sent could give flags of its own.
 */
function refuseNames(given: readonly string[]): void {
  const name = given.find((word) => /^-./.test(word) && existsSync(word));
  if (name === undefined) return;
  throw wrongUsage(
    t(
      `${name} would be taken for an option, and is the name of a file in this folder.`,
      `${name} zou als optie worden opgevat, en is de naam van een bestand in deze map.`,
    ),
    t(`Name that file as ./${name}, or move it away.`, `Noem dat bestand ./${name}, of haal het daar weg.`),
  );
}

function commandOf([first = '']: readonly string[]): string {
  return Object.hasOwn(COMMANDS, first) ? `${first} ` : '';
}

/** The stop for words that yargs itself cannot parse. */
function badFlags({ message }: Error): StopError {
  const help = `catersheet ${commandOf(words)}--help`;
  return wrongUsage(t(message, message), t(`See ${help}.`, `Zie ${help}.`));
}

/** The message for a first word that is no command; yargs would only call it an unknown argument. */
function unknownCommand(given: readonly string[]): string | undefined {
  const [first = '-'] = given;
  if (first.startsWith('-') || commandOf(given) !== '') return undefined;
  return t(`There is no command ${first}.`, `Er is geen opdracht ${first}.`)[language];
}
