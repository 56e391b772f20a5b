import { COUNT_WORDS, type Counts, shownCounts } from '../core/counts.ts';
import type { Language } from '../core/value.ts';
import { say, WORDS } from './words.ts';

interface Line {
  readonly sheet: string;
  readonly counts: Counts;
}

/** A sheet a line, only the columns in which anything was counted, and a total where there is more than one sheet. */
export function countsTable(
  sheets: readonly Line[],
  total: Counts,
  would: boolean,
  language: Language,
): string {
  const shown = shownCounts(total);
  const head = [
    WORDS.sheet[language],
    ...shown.map((name) => COUNT_WORDS[name][would ? 'would' : 'done'][language]),
  ];
  const line = ({ sheet, counts }: Line): string[] => [sheet, ...shown.map((name) => String(counts[name]))];
  const lines = [head, ...sheets.map(line)];
  if (sheets.length > 1) lines.push(line({ sheet: say(WORDS.total, language), counts: total }));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd()).join('\n');
}
