import type { CommandChange } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { kebab, kindOf } from '../../options/option.ts';
import { shellWord } from '../view/next-command.ts';
import {
  type Entry,
  entriesOf,
  hasValue,
  type ReadWords,
  readWords,
  type TypedFlag,
  typeOf,
  usualValue,
} from './read-words.ts';
import { setBlank, spliced, type Word, word } from './words.ts';

/** Words as a command line to copy, in either language. */
export function commandLine(words: readonly Word[]): Bilingual {
  const inLanguage = (language: Language): string =>
    ['catersheet', ...words.map((one) => one.blank?.[language] ?? shellWord(bare(one.text)))].join(' ');
  return t(inLanguage('en'), inLanguage('nl'));
}

/** What was made of a bare --json, as it was typed. */
const bare = (text: string): string => (text === '--json=rows' ? '--json' : text);

/** A command line with a change made to it; undefined for words that name no command of ours. */
export function changedCommand(given: readonly string[], change: CommandChange): Bilingual | undefined {
  const { without = [], drop = [], instead = {}, give = {}, set = [] } = change;
  let words: readonly Word[] = given.map(word);
  const { command } = readWords(words);
  if (command === undefined) return undefined;
  const entries = entriesOf(command);
  for (const name of without) words = withoutFlag(words, name);
  const { behind } = readWords(words);
  const dropped = behind.filter((at) => drop.includes(words[at]?.text ?? ''));
  words = words
    .map((one, at) => (behind.includes(at) ? word(instead[one.text] ?? one.text) : one))
    .filter((_, at) => !dropped.includes(at));
  for (const [name, value] of Object.entries(give)) {
    const entry = entries.find(({ flag }) => flag === name);
    if (entry !== undefined) words = withFlag(words, entry, value);
  }
  return commandLine([...words, ...set.flatMap((field) => [word('--set'), setBlank(field)])]);
}

/** The words without a flag, each time that it is given. */
function withoutFlag(words: readonly Word[], name: string): readonly Word[] {
  const found = flagsNamed(readWords(words), name).at(-1);
  return found === undefined ? words : withoutFlag(withoutOne(words, found), name);
}

/** Letters that stand together lose the one. */
function withoutOne(words: readonly Word[], { at, typed, valueAt }: TypedFlag): Word[] {
  const text = words[at]?.text ?? '';
  const others =
    /^-[a-zA-Z]{2,}$/.test(text) && !text.startsWith('--') ? text.replace(typed.slice(1), '') : '-';
  return spliced(words, at, valueAt === undefined ? 1 : 2, ...(others === '-' ? [] : [word(others)]));
}

function withFlag(
  words: readonly Word[],
  entry: Entry,
  value: string | number | true | null,
): readonly Word[] {
  const [first] = flagsNamed(readWords(words), entry.flag);
  const name = word(`--${kebab(entry.flag)}`);
  const isSwitch = !hasValue(entry) || kindOf(typeOf(entry)) === 'boolean';
  const own = isSwitch
    ? [name]
    : [name, value === null || value === true ? usualValue(entry) : word(`${value}`)];
  if (first === undefined) return [...words, ...own];
  return spliced(withoutFlag(words, entry.flag), first.at, 0, ...own);
}

const flagsNamed = ({ flags }: ReadWords, name: string): TypedFlag[] =>
  flags.filter(({ entry }) => entry?.flag === name);
