import type { Language } from '../../../schema/value.ts';
import type { PageCell } from '../../../workbook/write/written-page.ts';
import { Exact } from './exact.ts';
import type { GroupKey } from './figures.ts';
import { monthSerial, NONE } from './finance-rows.ts';
import { NO_NUMBER } from './formulas.ts';
import { said } from './page-builder.ts';
import type { FinanceReport, GroupName } from './report.ts';
import type { Tally } from './tally.ts';
import { type Stretch, stretchFormat, type Timeline } from './timeline.ts';

/** Where a table came to stand, for a chart of it. */
export interface Placed {
  readonly firstRow: number;
  readonly labelColumn: number;
  readonly amountColumn: number;
  readonly labelFormat: string;
  /** Without what has no name of its own at the end of months. */
  readonly labels: readonly (string | number)[];
  readonly amounts: readonly number[];
}

/** The sum of the cells above; of none it is 0. */
export const columnSum = (letters: string, first: number, last: number): string =>
  last < first ? '0' : `SUM(${letters}${first}:${letters}${last})`;

/** A part of a whole, as a number from 0 to 1. */
export const share = (part: Exact, whole: Exact): number => (whole.isZero ? 0 : part.number / whole.number);

/** The sum of what each comes to. */
export const over = <T>(all: readonly T[], amount: (one: T) => Exact): Exact =>
  all.reduce((sum: Exact, one) => sum.plus(amount(one)), Exact.ZERO);

/** The largest first; what has no key last. */
export const byAmount = (tally: Tally<GroupKey>): GroupKey[] =>
  tally.keys().sort((one, two) => {
    if (one === null || two === null) return one === null ? 1 : -1;
    return tally.of(two).amount.compare(tally.of(one).amount) || one - two;
  });

/** The key by which a formula adds up, and the name that people read. */
export function nameCells(report: FinanceReport, name: GroupName, key: GroupKey): PageCell[] {
  const none = NONE[report.language];
  const id: PageCell =
    key === null ? { value: none, look: 'muted' } : { value: key, look: 'muted', format: '0' };
  return [id, said(report.nameOf(name, key))];
}

/**
 * By what the rows of a key are found: by the number in column A of a row. What has none, or one that is no number, is there as a text,
 * whatever it says.
 */
export const criterionOf = (key: GroupKey, row: number): string => (key === null ? NO_NUMBER : `$A${row}`);

/** A month or a year, as its first day. */
export function stretchCell(
  { begin }: Stretch,
  unit: Timeline['unit'],
  { language, look }: { readonly language: Language; readonly look: 'label' | 'figure-head' },
): PageCell {
  if (begin === null) return { value: NONE[language], look };
  return { value: monthSerial(begin), look, format: stretchFormat(unit, language) };
}
