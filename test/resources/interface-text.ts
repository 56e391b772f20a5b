import { existsSync, readFileSync } from 'node:fs';

const PLACE = new URL('../../../shared/interface.md', import.meta.url);

/** The interface's own text stands beside a checkout of the project, not in it. */
export const interfaceText: string | null = existsSync(PLACE) ? readFileSync(PLACE, 'utf8') : null;

const WHOLE = interfaceText ?? '';

/** The text of one section, such as `2.1` or `4`, without the sections after it. */
export function section(number: string): string {
  const [start, level] = number.includes('.') ? [`### ${number} `, 3] : [`## ${number}. `, 2];
  const from = WHOLE.indexOf(`\n${start}`);
  if (from < 0) throw new Error(`the interface has no section ${number}`);
  const rest = WHOLE.slice(from + start.length);
  const end = rest.search(level === 3 ? /\n##+ / : /\n## /);
  return end < 0 ? rest : rest.slice(0, end);
}

/** The rows of the table whose header starts with these columns, cell by cell. */
export function table(text: string, ...columns: readonly string[]): string[][] {
  const lines = text.split('\n').map((line) => line.trim());
  const cells = (line: string): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const header = lines.findIndex(
    (line) => line.startsWith('|') && columns.every((name, at) => cells(line)[at] === name),
  );
  if (header < 0) throw new Error(`no table of ${columns.join(', ')}`);
  const body = lines.slice(header + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return body.slice(0, end < 0 ? body.length : end).map(cells);
}

/** The text between two marks. */
export function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  if (start < 0) throw new Error(`no ${from}`);
  const rest = text.slice(start + from.length);
  const end = rest.indexOf(to);
  return end < 0 ? rest : rest.slice(0, end);
}

/** The names in a comma-separated list of fields; what stands in brackets is said about them. */
export function names(list: string): string[] {
  const plain = list.replace(/\([^()]*\)/g, '');
  return plain
    .split(/[,:.]| and /)
    .map((part) => part.trim())
    .filter((part) => /^[A-Za-z]\w*$/.test(part));
}
