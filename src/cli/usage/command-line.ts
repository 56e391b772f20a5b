import { Parser } from 'yargs/helpers';
import type { CommandChange } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { kebab, kindOf } from '../../options/option.ts';
import { shellWord } from '../view/next-command.ts';
import { blankBehind, type Entry, entriesOf, hasValue, typeOf } from './words.ts';

/** The command that a command line names. */
export const commandIn = (words: readonly string[]): CommandName | undefined =>
  words.find((word): word is CommandName => Object.hasOwn(COMMANDS, word));

type Value = string | number | boolean | null | readonly (string | number)[];

/** A command line with a change made to it; undefined for words that name no command of ours. */
export function changedCommand(given: readonly string[], change: CommandChange): Bilingual | undefined {
  const { without = [], drop = [], instead = {}, give = {}, set = [] } = change;
  const command = commandIn(given);
  if (command === undefined) return undefined;
  const entries = entriesOf(command);
  const { _: words, ...flags } = parsed(given, entries);
  const behind = words.map(String).filter((word) => word !== command && !drop.includes(word));
  const changed: Record<string, Value> = { ...flags };
  for (const name of without) delete changed[kebab(name)];
  for (const [name, value] of Object.entries(give)) changed[kebab(name)] = value;
  const fields = set.map((field) => `${field}=…`);
  if (fields.length > 0) changed.set = [changed.set ?? []].flat().concat(fields) as string[];
  const inLanguage = (language: Language): string =>
    [
      'catersheet',
      command,
      ...behind.map((word) => shellWord(instead[word] ?? word)),
      ...Object.entries(changed).flatMap(([name, value]) => {
        const entry = entries.find(({ flag }) => kebab(flag) === name);
        return entry === undefined ? [] : flagWords(entry, value, language);
      }),
    ].join(' ');
  return t(inLanguage('en'), inLanguage('nl'));
}

function parsed(
  given: readonly string[],
  entries: readonly Entry[],
): { _: (string | number)[] } & Record<string, Value> {
  const names = (kinds: (entry: Entry) => boolean): string[] =>
    entries.filter(kinds).map(({ flag }) => kebab(flag));
  const isSwitch = (entry: Entry): boolean => kindOf(typeOf(entry)) === 'boolean';
  return Parser([...given], {
    boolean: names(isSwitch),
    string: ['_', ...names((entry) => !isSwitch(entry))],
    alias: Object.fromEntries(
      entries.flatMap(({ flag, alias }) => (alias === undefined ? [] : [[kebab(flag), alias]])),
    ),
    configuration: { 'dot-notation': false, 'camel-case-expansion': false, 'strip-aliased': true },
  }) as never;
}

/** A flag as it is typed; null stands for what only the user knows. */
function flagWords(entry: Entry, value: Value, language: Language): string[] {
  const name = `--${kebab(entry.flag)}`;
  if (value === false) return [`--no-${kebab(entry.flag)}`];
  if (entry.flag === 'json') return [value === 'rows' || value === true ? name : `${name}=${value}`];
  if (!hasValue(entry)) return [name];
  const values = [value].flat() as (string | number | boolean | null)[];
  return values.flatMap((one) => [
    name,
    one === null || one === true ? (blankBehind(entry)?.[language] ?? '') : shellWord(`${one}`),
  ]);
}
