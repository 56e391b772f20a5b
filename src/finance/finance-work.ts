import type { Language } from '../core/language.ts';
import type { LinkLists } from '../lists/link-list.ts';
import type { OtherDays } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { FinanceDefinition } from '../schema/finance-definition.ts';
import type { TableFeed } from '../xlsx/write/write-book.ts';
import type { FinanceScope, RecordSheet } from './export-snapshot.ts';
import type { FinanceFigures } from './figures.ts';
import type { NameLookup } from './name-lookup.ts';
import type { OddCells } from './odd-cells.ts';
import type { SnapshotBuilder } from './record-changes.ts';

/** A finance export under way. */
export interface FinanceWork {
  readonly context: Context;
  readonly definition: FinanceDefinition;
  readonly scope: FinanceScope;
  readonly language: Language;
  /** The sheets that rows are written to. */
  readonly feeds: Readonly<Record<RecordSheet, TableFeed>>;
  readonly names: NameLookup;
  readonly odd: OddCells;
  readonly figures: FinanceFigures;
  readonly snapshot: SnapshotBuilder;
  /** What became of the lists of arrangements. */
  readonly links: LinkLists;
  /** Records of other days that came with the lists. */
  readonly otherDays: Readonly<Record<'events' | 'trips', OtherDays>>;
}
