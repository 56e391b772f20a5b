import { memberAt } from '../export/record-rows.ts';
import type { LinkListTally } from '../kinds/link/link-list.ts';
import type { OtherDays } from '../records/period-list.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { FinanceDefinition, FinanceSheet } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { ExportSnapshot, FinanceScope, RecordSheet } from './export-snapshot.ts';
import type { FinanceFigures } from './figures.ts';
import type { RowSetup } from './finance-rows.ts';
import type { SnapshotBuilder } from './record-changes.ts';

/** The sheets that rows are written to. */
export type FinanceFeeds = Readonly<Record<RecordSheet, TableFeed>>;

/** A finance export under way. */
export interface FinanceWork {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly scope: FinanceScope;
  readonly setup: RowSetup;
  readonly figures: FinanceFigures;
  readonly snapshot: SnapshotBuilder;
  /** What became of the lists that were read. */
  readonly lists: {
    readonly links: LinkListTally;
    /** Records of other days that came with the lists of events and trips. */
    readonly otherEvents: OtherDays;
    readonly otherTrips: OtherDays;
  };
}

const membersOf = ({ columns }: FinanceSheet): string[] =>
  columns.flatMap(({ member }) => (member === undefined ? [] : [member]));

/** The content by which a changed record is recognised: no names of ids, and no language. */
export const contentOf = (sheet: FinanceSheet, record: AnswerRecord): unknown[] =>
  membersOf(sheet).map((member) => memberAt(record, member.split('.')) ?? null);

/** The columns of each sheet's content, in order: members, and values beside them. */
export const contentColumns = (definition: FinanceDefinition): ExportSnapshot['columns'] => ({
  events: [...membersOf(definition.events), 'arrangements', 'trips'],
  lines: membersOf(definition.lines),
  trips: membersOf(definition.trips),
  mutations: ['state', ...membersOf(definition.mutations)],
});
