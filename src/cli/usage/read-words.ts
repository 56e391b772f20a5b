import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { choicesOf, kebab, kindOf } from '../../options/option.ts';
import { OPTION_LIST } from '../../options/options.ts';
import { meant } from './near.ts';
import { blank, type Word, word } from './words.ts';

/** An entry of the option table. */
export type Entry = (typeof OPTION_LIST)[number];

/** A flag as it was typed. */
export interface TypedFlag {
  /** Which word it is. */
  readonly at: number;
  /** Without its value: `--out`, `-o`. */
  readonly typed: string;
  /** What the table has for it; undefined for a flag that the command does not take. */
  readonly entry: Entry | undefined;
  readonly value: string | undefined;
  /** Which word its value is, where that is one of its own. */
  readonly valueAt: number | undefined;
}

/** What the words of a command line are. */
export interface ReadWords {
  readonly command: CommandName | undefined;
  /** Which word stands for the command; -1 where none does. */
  readonly commandAt: number;
  readonly flags: readonly TypedFlag[];
  /** The words behind the command that are no flags, by their places. */
  readonly behind: readonly number[];
}

/** What starts with a dash and is no flag. */
const NUMBER = /^-(\d+(\.\d+)?|\.\d+)$/;

/** Whether a word begins as a flag does. */
export const isFlag = (text: string): boolean => /^--?[^-]/.test(text) && !NUMBER.test(text);

/** The type of a flag on the command line. */
export const typeOf = ({ typed, type }: Entry): Entry['type'] => typed ?? type;

/** Whether a flag has a value; of --json that stands behind a `=` alone. */
export const hasValue = (entry: Entry): boolean =>
  kindOf(typeOf(entry)) !== 'boolean' && entry.flag !== 'json';

/** What is typed for the value of a flag: its only choice, or what is to be filled in. */
export function usualValue(entry: Entry): Word {
  const choices = choicesOf(typeOf(entry)) ?? [];
  if (choices.length > 0) return choices.length === 1 ? word(choices[0] ?? '') : blank('VALUE');
  return blank(entry.placeholder ?? 'N');
}

/** The flags of a command; of all of them where it is not known. */
export const entriesOf = (command: CommandName | undefined): readonly Entry[] =>
  command === undefined ? OPTION_LIST : OPTION_LIST.filter(({ commands }) => commands.includes(command));

/** Tells the words of a command line apart as yargs does, and where each of them stands. */
export function readWords(words: readonly Word[]): ReadWords {
  const [commandAt = -1] = tellApart(words, OPTION_LIST).others;
  const name = words[commandAt]?.text ?? '';
  const command = Object.hasOwn(COMMANDS, name) ? (name as CommandName) : undefined;
  const { flags, others } = tellApart(words, entriesOf(command));
  return { command, commandAt, flags, behind: others.filter((at) => at !== commandAt) };
}

interface Apart {
  readonly flags: TypedFlag[];
  readonly others: number[];
}

function tellApart(words: readonly Word[], entries: readonly Entry[]): Apart {
  const apart: Apart = { flags: [], others: [] };
  for (let at = 0; at < words.length; at++) {
    const { text = '' } = words[at] ?? {};
    if (isFlag(text)) at = takeFlag(words, at, entries, apart.flags);
    else apart.others.push(at);
  }
  return apart;
}

/** Takes the flag at a place, and its value; returns the place of its last word. */
function takeFlag(words: readonly Word[], at: number, entries: readonly Entry[], flags: TypedFlag[]): number {
  const text = words[at]?.text ?? '';
  const [, typed = text, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  const letters = /^-[a-zA-Z]{2,}$/.test(typed) ? [...typed.slice(1)].map((letter) => `-${letter}`) : [typed];
  const known = letters.map((one) => entryOf(one, entries));
  // Some letters at once; else a flag with a dash too few.
  const names = known.every((entry) => entry !== undefined) ? letters : [typed];
  for (const name of names.slice(0, -1)) {
    const entry = entryOf(name, entries);
    flags.push({ at, typed: name, entry, value: undefined, valueAt: undefined });
  }
  const name = names.at(-1) ?? typed;
  const entry = entryOf(name, entries);
  const next = words[at + 1]?.text;
  const meant = entry ?? nearEntry(name, entries);
  const own = value === undefined && next !== undefined && takesNext(meant, name, next);
  flags.push({ at, typed: name, entry, value: own ? next : value, valueAt: own ? at + 1 : undefined });
  return own ? at + 1 : at;
}

function takesNext(entry: Entry | undefined, typed: string, next: string): boolean {
  if (entry === undefined) return false;
  // What --no- stands before has its value.
  const mayBeTold =
    entry.flag !== 'json' && (!typed.startsWith('--no-') || kebab(entry.flag) === typed.slice(2));
  if (!hasValue(entry)) return mayBeTold && /^(true|false)$/.test(next);
  if (next === '-') return entry.value === 'dash';
  return !next.startsWith('-') || NUMBER.test(next);
}

/** The entry of a flag: by its name, that with `no-` before it, its name in camel case, or its letter. */
function entryOf(typed: string, entries: readonly Entry[]): Entry | undefined {
  if (!typed.startsWith('--'))
    return entries.find(({ alias }) => alias !== undefined && typed === `-${alias}`);
  const name = typed.slice(2);
  const found = entries.find(({ flag }) => kebab(flag) === name || flag === name);
  if (found !== undefined || !name.startsWith('no-')) return found;
  return entries.find((entry) => kebab(entry.flag) === name.slice(3) && kindOf(typeOf(entry)) === 'boolean');
}

/** The flag that is meant by one that is not there. */
export function nearEntry(typed: string, entries: readonly Entry[]): Entry | undefined {
  const names = entries.map(({ flag }) => kebab(flag));
  const name = meant(typed, names);
  return entries.find(({ flag }) => kebab(flag) === name);
}
