// How the pages that are made name commands and flags.
import { hasValue, typeOf } from '../dist/cli/parse.js';
import { COMMANDS } from '../dist/options/commands.js';
import { choicesOf, kebab, kindOf } from '../dist/options/option.js';

/** A command with what stands behind it: `import FILE…`, `template [RESOURCE…]`. */
export function headOf(name) {
  const words = COMMANDS[name].positionals.map(({ name: word, ask, many, choices }) => {
    const one = choices?.join('|') ?? `${word.toUpperCase()}${many === true ? '…' : ''}`;
    return ask !== undefined ? one : `[${one}]`;
  });
  return [name, ...words].join(' ');
}

/** What is typed behind a flag: FILE, en|nl; undefined for a switch. */
export const blankBehind = (entry) =>
  hasValue(entry)
    ? (entry.placeholder ??
      choicesOf(typeOf(entry))?.join('|') ??
      (kindOf(typeOf(entry)) === 'number' ? 'N' : 'FILE'))
    : undefined;

/** A flag as it is typed: its letter, its name and its value. */
export function flagTyped(entry) {
  const value = blankBehind(entry);
  const letter = entry.alias === undefined ? '' : `-${entry.alias}, `;
  return `${letter}--${kebab(entry.flag)}${value === undefined ? '' : ` ${value}`}`;
}

/** What is said of a flag that may be given more than once. */
export const repeated = (entry) => (kindOf(typeOf(entry)) === 'array' ? '; may be repeated' : '');
