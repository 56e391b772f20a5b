import { basename, dirname, sep } from 'node:path';
import { type Line, showLines } from '../../core/standard-streams.ts';
import { shownWidth, visibleLine } from '../../core/visible-text.ts';
import { COMMANDS } from '../../options/commands.ts';
import { columnsOf, wrap } from './wrap.ts';

type Stream = 'stdout' | 'stderr';

/** Columns of a stream that people read from; null where lines stay whole, as for a pipe. */
export function widthOf(to: Stream): number | null {
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
