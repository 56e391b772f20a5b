// How the pages that are made name commands and flags.
import { blankBehind } from '../dist/cli/usage/words.js';
import { COMMANDS } from '../dist/options/commands.js';
import { kebab } from '../dist/options/option.js';

/** A command with what stands behind it: `import FILE…`, `template [RESOURCE…]`. */
export function headOf(name) {
  const words = COMMANDS[name].positionals.map(({ name: word, required, many, choices }) => {
    const one = choices?.join('|') ?? `${word.toUpperCase()}${many === true ? '…' : ''}`;
    return required === true ? one : `[${one}]`;
  });
  return [name, ...words].join(' ');
}

/** A flag as it is typed: its letter, its name and its value. */
export function flagTyped(entry) {
  const value = blankBehind(entry)?.en;
  const letter = entry.alias === undefined ? '' : `-${entry.alias}, `;
  return `${letter}--${kebab(entry.flag)}${value === undefined ? '' : ` ${value}`}`;
}
