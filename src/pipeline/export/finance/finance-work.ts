import type { AnswerRecord } from '../../../schema/answer.ts';
import type { FinanceDefinition, FinanceSheet } from '../../../schema/finance.ts';
import type { TableFeed } from '../../../workbook/write/write-book.ts';
import type { Context } from '../../context.ts';
import type { LinkLists } from '../lists/link-lists.ts';
import type { OtherDays } from '../lists/other-days.ts';
import { memberAt } from '../record-rows.ts';
import type { Figures } from './figures.ts';
import type { RowSetup } from './finance-rows.ts';
import type { FinanceKind, RecordSheet, Remembered } from './remembered.ts';
import type { Trail } from './trail.ts';

/** Where the rows of a finance export go. */
export type FinanceFeeds = Readonly<Record<RecordSheet, TableFeed>>;

/** A finance export under way. */
export interface FinanceWork {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly kind: FinanceKind;
  readonly setup: RowSetup;
  readonly figures: Figures;
  readonly trail: Trail;
  /** What became of the lists that were asked for. */
  readonly lists: {
    readonly links: LinkLists;
    /** What came with the lists of events and of trips, and is of other days. */
    readonly otherEvents: OtherDays;
    readonly otherTrips: OtherDays;
  };
}

const membersOf = ({ columns }: FinanceSheet): string[] =>
  columns.flatMap(({ member }) => (member === undefined ? [] : [member]));

/** What the record of a sheet's row says, whatever the language and the names of ids: by it a change is known. */
export const contentOf = (sheet: FinanceSheet, record: AnswerRecord): unknown[] =>
  membersOf(sheet).map((member) => memberAt(record, member.split('.')) ?? null);

/** What the content of each sheet's records is of, in the order in which the rows are followed: members, and what is worked out or told. */
export const contentColumns = ({
  events,
  lines,
  trips,
  mutations,
}: FinanceDefinition): Remembered['columns'] => ({
  events: [...membersOf(events), 'arrangements', 'trips'],
  lines: membersOf(lines),
  trips: membersOf(trips),
  mutations: ['state', ...membersOf(mutations)],
});

/** Tells whoever watches how many records went by. */
export function tellProgress({ context }: FinanceWork, done: number): void {
  context.onProgress?.({ stage: 'reading', done, total: null });
}
