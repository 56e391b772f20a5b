import { type Issue, issueAt } from '../../schema/issue.ts';
import { addressOf, type MappedRow } from './map-row.ts';

/** Where an earlier row about the same record stands. */
export interface EarlierRow {
  readonly sheet: string;
  readonly row: number;
}

/**
 * The warning on a row about a record that an earlier row is about too: two rows that differ would change it to and
 * fro on every import. `field` is the key by which the row names the record; `strict` makes it an error.
 */
export function recordTwice(row: MappedRow, field: string, earlier: EarlierRow, strict: boolean): Issue {
  const { mapping, values } = row;
  const hint = earlier.sheet === mapping.sheet ? `${earlier.row}` : `${earlier.row} (${earlier.sheet})`;
  const place = { field, address: addressOf(mapping, field, row.row) };
  return issueAt({ code: 'record-twice', found: `${values[field] ?? ''}`, hint }, place, strict);
}
