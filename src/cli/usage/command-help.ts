import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { CommandEntry } from '../../options/command-entry.ts';
import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { choicesOf, kebab } from '../../options/option.ts';
import { flagHelp } from '../../options/options.ts';
import { columnsOf, wrap } from '../view/wrap.ts';
import { GLOBAL, headOf, indented, type Row, rowLines, section } from './layout.ts';
import { NAMES_OF } from './names.ts';
import { type Entry, entriesOf, hasValue, typeOf } from './read-words.ts';
import { blankOf } from './words.ts';

/** The titles of groups of flags, in the order of the help. */
const GROUPS = {
  own: t('Flags', 'Vlaggen'),
  what: t('What is taken', 'Wat er genomen wordt'),
  reading: t('How the file is read', 'Hoe het bestand gelezen wordt'),
  service: t('Service', 'Systeem'),
  run: t('Run', 'Run'),
  output: t('Output', 'Uitvoer'),
} as const;

/** So long a list of choices stands behind its flag; a longer one in the text. */
const SHORT_CHOICES = 24;

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

/** What a flag has behind it: FILE, en|nl; none for a switch. */
function behindFlag(entry: Entry): Bilingual | undefined {
  if (!hasValue(entry)) return undefined;
  const choices = choicesOf(typeOf(entry))?.join('|') ?? '';
  if (entry.placeholder !== undefined) return blankOf(entry.placeholder);
  return choices.length > 0 && choices.length <= SHORT_CHOICES ? t(choices, choices) : blankOf('NAME');
}

function flagRow(entry: Entry, command: CommandName): Row {
  const { alias, flag } = entry;
  const value = behindFlag(entry);
  const typed = `${alias === undefined ? '    ' : `-${alias}, `}--${kebab(flag)}`;
  const left = value === undefined ? t(typed, typed) : t(`${typed} ${value.en}`, `${typed} ${value.nl}`);
  return { left: indented(left), text: flagText(entry, command) };
}

/** What a flag does, with what it chooses from where that is long, and what it is where it is not given. */
function flagText(entry: Entry, command: CommandName): Bilingual {
  const { initial, required } = entry;
  const { en, nl } = flagHelp(entry, command);
  const choices = choicesOf(typeOf(entry)) ?? [];
  const shown = behindFlag(entry)?.en === choices.join('|') || choices.length === 0;
  const list = shown ? '' : `: ${choices.join(', ')}`;
  const usual = typeof initial === 'string' || typeof initial === 'number' ? String(initial) : '';
  const more =
    required === true
      ? t(' (needed)', ' (verplicht)')
      : usual === ''
        ? t('', '')
        : t(` (default: ${usual})`, ` (standaard: ${usual})`);
  return t(`${en}${list}${more.en}`, `${nl}${list}${more.nl}`);
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
