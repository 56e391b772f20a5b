import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { CommandEntry } from '../../options/command-entry.ts';
import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { columnsOf, wrap } from '../view/wrap.ts';
import { flagText, flagTyped, GROUPS } from './flag-words.ts';
import { GLOBAL, headOf, indented, type Row, rowLines, section } from './layout.ts';
import { NAMES_OF } from './names.ts';
import { type Entry, entriesOf } from './read-words.ts';
import { blankOf } from './words.ts';

/** The help of a command: its own flags first, then those that others have too, and examples. */
export async function commandHelp(
  name: CommandName,
  language: Language,
  width = columnsOf(),
): Promise<string[]> {
  const { help, positionals, examples }: CommandEntry = COMMANDS[name];
  const behind = await Promise.all(
    positionals.map(async (one) => ({
      left: indented(blankOf(one.name.toUpperCase())),
      text: await positionalHelp(one),
    })),
  );
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const entries = entriesOf(name).filter((entry) => (entry.group ?? 'own') === group);
    const rows = entries.map((entry) => flagRow(entry, name));
    return { title, rows: group === 'output' ? [...rows, ...GLOBAL] : rows };
  });
  const all = [...behind, ...groups.flatMap(({ rows }) => rows)];
  return [
    `catersheet ${headOf(name)[language]}`,
    '',
    ...wrap(`${help[language]}.`, width),
    ...(behind.length === 0 ? [] : ['', ...rowLines(behind, all, language, width)]),
    ...groups.flatMap(({ title, rows }) => section(title, rows, language, width, all)),
    ...exampleLines(examples, language, width),
  ];
}

/** The help of a positional, with what it chooses from. */
export async function positionalHelp({
  help,
  names,
}: CommandEntry['positionals'][number]): Promise<Bilingual> {
  if (names === undefined) return help;
  const list = (await NAMES_OF[names]()).join(', ');
  return t(`${help.en}: ${list}`, `${help.nl}: ${list}`);
}

function flagRow(entry: Entry, command: CommandName): Row {
  return { left: indented(flagTyped(entry)), text: flagText(entry, command) };
}

function exampleLines(examples: CommandEntry['examples'], language: Language, width: number): string[] {
  const lines = Object.entries(examples).flatMap(([line, text]) => [
    ...commandLines(`  catersheet ${line}`, width),
    ...wrap(`      ${text[language]}`, width, 6),
  ]);
  return lines.length === 0 ? [] : ['', t('Examples:', 'Voorbeelden:')[language], ...lines];
}

/** A command in lines that can be copied: the mark of the shell that it goes on ends each but the last. */
function commandLines(command: string, width: number): string[] {
  // A flag and its value stay together.
  const lines = wrap(command.replace(/( --?[\w-]+) (?!-)/g, '$1\u00a0'), width - 2, 6);
  const mark = process.platform === 'win32' ? '`' : '\\';
  return lines.map(
    (line, at) => `${line.replaceAll('\u00a0', ' ')}${at === lines.length - 1 ? '' : ` ${mark}`}`,
  );
}
