import { type Line, showLines } from '../../core/standard-streams.ts';
import { shownWidth, visibleLine } from '../../core/visible-text.ts';
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
  showLines(to, width === null ? lines : lines.flatMap((line) => broken(line, width)), color);
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
