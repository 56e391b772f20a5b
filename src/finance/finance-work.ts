import { memberAt } from '../export/record-rows.ts';
import type { LinkLists } from '../kinds/link/link-list.ts';
import type { OtherDays } from '../records/period-list.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { FinanceDefinition, FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { FinanceFigures } from './figures.ts';
import type { RowSetup } from './finance-rows.ts';
import type { RecordTrail } from './record-changes.ts';
import type { FinanceScope, RecordSheet, RememberedExport } from './remembered-export.ts';

/** Where the rows of a finance export go. */
export type FinanceFeeds = Readonly<Record<RecordSheet, TableFeed>>;

/** A finance export under way. */
export interface FinanceWork {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly kind: FinanceScope;
  readonly setup: RowSetup;
  readonly figures: FinanceFigures;
  readonly trail: RecordTrail;
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
}: FinanceDefinition): RememberedExport['columns'] => ({
  events: [...membersOf(events), 'arrangements', 'trips'],
  lines: membersOf(lines),
  trips: membersOf(trips),
  mutations: ['state', ...membersOf(mutations)],
});

/** Tells whoever watches how many records went by. */
export function tellProgress({ context }: FinanceWork, done: number): void {
  context.onProgress?.({ stage: 'reading', done, total: null });
}
