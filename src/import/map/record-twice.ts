import { type Issue, issueAt } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
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
  const place = { field, address: addressOf(mapping, field, row.row) };
  const found = `${values[field] ?? ''}`;
  return issueAt({ code: 'record-twice', found, hint: nameOf(row, earlier) }, place, strict);
}

const nameOf = ({ mapping }: MappedRow, { sheet, row }: EarlierRow): string =>
  sheet === mapping.sheet ? `${row}` : `${row} (${sheet})`;

/** The issue on a row that was copied from another and still names its record, with the ways out. */
export function recordCopied(row: MappedRow, field: string, other: EarlierRow): Issue {
  const { mapping, values } = row;
  const { resource } = mapping;
  const name = nameOf(row, other);
  const creates = 'create' in resource.requests;
  const keys = resource.keys.filter((key) => values[key] !== undefined).join(', ');
  const place = { field, address: addressOf(mapping, field, row.row) };
  const anew = {
    en: creates ? `; for a new record empty ${keys} and put create in #action` : '',
    nl: creates ? `; maak voor een nieuw record ${keys} leeg en zet create in #action` : '',
  };
  const hint = t(
    `row ${name} is about the same record and says something else: delete one of the two${anew.en}`,
    `rij ${name} gaat over hetzelfde record en zegt iets anders: verwijder een van de twee${anew.nl}`,
  );
  return issueAt({ code: 'record-copied', found: `${values[field] ?? ''}`, hint }, place);
}
