import { shownWidth } from '../../core/visible-text.ts';

/** The most columns that a text is easily read in. */
const WIDEST = 110;
const NARROWEST = 40;
/** Where nothing tells how wide a screen is. */
const USUAL = 80;

/** How many columns there are to write in: as COLUMNS says, else the terminal, else 80. */
export function columnsOf(
  environment: NodeJS.ProcessEnv = process.env,
  terminal: number | undefined = process.stdout.columns,
): number {
  const columns = Number(environment.COLUMNS) || terminal || USUAL;
  return Math.max(NARROWEST, Math.min(WIDEST, Math.floor(columns)));
}

/**
 * A text in lines of at most so many columns, broken between words. Lines after the first begin with `indent`
 * blanks. A word that is longer stays whole: it may be a path or a command to copy.
 */
export function wrap(text: string, width: number, indent = 0): string[] {
  const [start = ''] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = start;
  let used = start.length;
  let empty = true;
  for (const word of text.slice(start.length).split(' ')) {
    const wide = shownWidth(word);
    if (!empty && used + 1 + wide > width) {
      lines.push(line.trimEnd());
      line = ' '.repeat(indent);
      used = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    used += empty ? wide : wide + 1;
    empty = false;
  }
  return [...lines, line];
}
