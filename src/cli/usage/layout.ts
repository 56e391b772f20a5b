import { type Bilingual, type Language, t } from '../../core/language.ts';
import { shownWidth } from '../../core/visible-text.ts';
import type { CommandEntry } from '../../options/command-entry.ts';
import { COMMANDS, type CommandName } from '../../options/commands.ts';
import { wrap } from '../view/wrap.ts';
import { blankOf } from './words.ts';

/** What stands at the left of a help, and what it means. */
export interface Row {
  readonly left: Bilingual;
  readonly text: Bilingual;
}

/** The flags of every command. */
export const GLOBAL: readonly Row[] = [
  { left: t('  -h, --help', '  -h, --help'), text: t('Show this help', 'Toon deze hulp') },
  { left: t('  -V, --version', '  -V, --version'), text: t('Show the version', 'Toon de versie') },
];

/** Where a text begins that stands below its flag for want of room. */
const NARROW = 8;

/** A text with its place in a list before it. */
export const indented = ({ en, nl }: Bilingual): Bilingual => t(`  ${en}`, `  ${nl}`);

/** A command with what stands behind it: `import FILE`, `template [RESOURCE…]`. */
export function headOf(name: CommandName): Bilingual {
  const { positionals }: CommandEntry = COMMANDS[name];
  const inLanguage = (language: Language): string => {
    const words = positionals.map(({ name: word, required, many, choices }) => {
      const one = choices?.join('|') ?? `${blankOf(word.toUpperCase())[language]}${many === true ? '…' : ''}`;
      return required === true ? one : `[${one}]`;
    });
    return [name, ...words].join(' ');
  };
  return t(inLanguage('en'), inLanguage('nl'));
}

/** Rows below a title; their columns are those of all rows `beside` them. */
export function section(
  title: Bilingual,
  rows: readonly Row[],
  language: Language,
  width: number,
  beside: readonly Row[] = rows,
): string[] {
  return rows.length === 0 ? [] : ['', `${title[language]}:`, ...rowLines(rows, beside, language, width)];
}

/** Rows in two columns; one that is too wide at its left goes on below. */
export function rowLines(
  rows: readonly Row[],
  beside: readonly Row[],
  language: Language,
  width: number,
): string[] {
  const most = Math.floor(width * 0.4);
  const lefts = beside.map(({ left }) => shownWidth(left[language])).filter((wide) => wide <= most);
  const column = Math.max(8, ...lefts) + 2;
  return rows.flatMap(({ left, text }) => {
    const start = left[language];
    const longest = Math.max(...text[language].split(' ').map(shownWidth));
    // A text with a word that is too long for its column stands below, where there is more room.
    const at = column + longest > width ? NARROW : column;
    const lines = wrap(text[language], width - at).map((line) => ' '.repeat(at) + line);
    if (at < column || shownWidth(start) + 2 > column) return [start, ...lines];
    return [start.padEnd(column) + (lines[0] ?? '').slice(column), ...lines.slice(1)];
  });
}
