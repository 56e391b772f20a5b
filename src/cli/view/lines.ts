import { basename, dirname, sep } from 'node:path';
import type { StopDocument } from '../../api/documents.ts';
import { EXIT, type StopError } from '../../core/errors.ts';
import { type Language, t } from '../../core/language.ts';
import { type Line, showLines } from '../../core/standard-streams.ts';
import { shownWidth, visibleLine } from '../../core/visible-text.ts';
import { COMMANDS } from '../../options/commands.ts';

/** What is said where a question was answered with No. */
export const DECLINED = t('Nothing was sent.', 'Er is niets verstuurd.');

type Stream = 'stdout' | 'stderr';

/** Columns of a stream that people read from; null where lines stay whole, as for a pipe. */
function widthOf(to: Stream): number | null {
  const [isTerminal, columns] =
    to === 'stdout'
      ? [process.stdout.isTTY, process.stdout.columns]
      : [process.stderr.isTTY, process.stderr.columns];
  return isTerminal === true || process.env.COLUMNS ? columnsOf(process.env, columns) : null;
}

/** Shows lines, broken at words where they are wider than the screen; a command to copy stays whole. */
export function show(to: Stream, lines: readonly Line[], color = false): void {
  const width = widthOf(to);
  const own = BY_NAME ? lines : lines.map(throughNpx);
  showLines(to, width === null ? own : own.flatMap((line) => broken(line, width)), color);
}

/** Whether a shell here finds the program by its name: not where npx runs it, nor in a clone. */
export function runByName(script = '', environment: NodeJS.ProcessEnv, folder: string): boolean {
  if (basename(script) === 'catersheet') return environment.npm_lifecycle_event !== 'npx';
  const root = dirname(dirname(script));
  const isClone = basename(script) === 'catersheet.js' && !script.split(/[\\/]/).includes('node_modules');
  return !isClone || (folder !== root && !folder.startsWith(root + sep));
}

const COMMAND = new RegExp(
  `(?<![\\w./\\\\-]|npx )catersheet (?=${Object.keys(COMMANDS).join('|')}|--help)`,
  'g',
);

const BY_NAME = runByName(process.argv[1], process.env, process.cwd());

/** A line with each of our commands run by npx. */
export function throughNpx(line: Line): Line {
  const by = (text: string): string => text.replace(COMMAND, 'npx $&');
  if (typeof line === 'string') return by(line);
  const [style, text, ...before] = line;
  return [style, by(text), ...before];
}

/** A line in lines of that width: those after the first stand under its text, or further in. */
export function broken(line: Line, width: number): Line[] {
  if (typeof line === 'string') {
    const plain = visibleLine(line);
    const [start = ''] = /^ */.exec(plain) ?? [];
    return wrap(plain, width, start.length + 2);
  }
  const [style, text, before = ''] = line;
  if (style === 'command') return [line];
  const [head, plain] = [visibleLine(before), visibleLine(text)];
  const under = shownWidth(head);
  const indent = under > 0 && under <= width / 2 ? under : 2;
  const [first = '', ...more] = wrap(`${head}${plain}`, width, indent);
  const blanks = ' '.repeat(indent);
  return [
    first.startsWith(head) ? [style, first.slice(head.length), head] : first,
    ...more.map((one): Line => [style, one.slice(indent), blanks]),
  ];
}

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

/** A text filled up with blanks to a width as it is shown: behind it, or before it. */
export function padded(text: string, width: number, before = false): string {
  const blanks = ' '.repeat(Math.max(0, width - shownWidth(text)));
  return before ? `${blanks}${text}` : `${text}${blanks}`;
}

/** What stopped a command, as `--json` prints it. */
export function stopDocument({ exit, texts }: StopError, language: Language): StopDocument {
  const { message, next } = texts;
  return { error: { exit, message: message[language], ...(next && { next: next[language] }) } };
}

/** What stopped a run, in lines: what is wrong, and the next step; of a fault its places in the program. */
export function stopLines({ texts, exit }: StopError, language: Language): Line[] {
  const next = texts.next?.[language];
  const command = texts.command?.[language];
  const after = next === undefined ? [] : exit === EXIT.fault ? next.split('\n') : nextLines(next, command);
  return [texts.message[language], ...after];
}

/** The next step; a command at its end that does not fit on the line has one of its own, whole. */
function nextLines(next: string, command: string | undefined): Line[] {
  if (command === undefined || shownWidth(next) <= columnsOf()) return [next];
  return [next.slice(0, -command.length).trimEnd(), ['command', command, '  ']];
}
