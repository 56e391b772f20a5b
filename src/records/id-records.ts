import { cellAddress } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import { issueAt, shorten } from '../core/issue.ts';
import { t } from '../core/language.ts';
import { shareWord } from '../core/share-word.ts';
import type { NamedId, NamedRecords } from '../run/named-records.ts';
import type { Fields, NamedRecord } from '../schema/field.ts';
import { idNamedBy, isNameHeader, recordBehind } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import type { FoundRecord } from './planning.ts';

/** Fields whose ids name a record. */
const recordsOf = (fields: Fields): [field: string, of: NamedRecord][] =>
  Object.entries(fields).flatMap(([field, { record }]) => (record === undefined ? [] : [[field, record]]));

/** The value of an id; null for none, and for 0, which stands for none. */
const idIn = (value: unknown): number | null => (typeof value === 'number' && value !== 0 ? value : null);

/** The id that a row gives its record; null where it gives none, or no other. */
const newId = ({ values }: MappedRow, existing: ExistingRecord | null, field: string): number | null =>
  values[field] === existing?.values[field] ? null : idIn(values[field]);

/**
 * Asks for the records of ids that rows would send or change, side by side; `sample`: a record of the service's
 * own, whose ids are there. `isUntouched` says of a cell that it is as it was exported.
 */
export async function askForIds(
  named: NamedRecords,
  rows: readonly { readonly row: MappedRow; readonly existing: ExistingRecord | null }[],
  sample: ExistingRecord | undefined,
  isUntouched: (row: MappedRow, field: string, existing: ExistingRecord | null) => boolean,
): Promise<void> {
  const fields = recordsOf(rows[0]?.row.mapping.resource.fields ?? {});
  for (const [field, of] of fields.filter(([, { isSure }]) => isSure === true)) {
    const ids = rows.flatMap(({ row, existing }) =>
      isUntouched(row, field, existing) ? [] : (newId(row, existing, field) ?? []),
    );
    await named.askAll(ids.map((id) => [of, id]));
    await named.doubtNone(of, ids, idIn(sample?.values[field]) ?? undefined);
  }
}

/** Puts issues on ids without a record; `existing`: what the row changes. */
export function checkIds(named: NamedRecords, row: MappedRow, existing: ExistingRecord | null): void {
  for (const [field, of] of recordsOf(row.mapping.resource.fields)) {
    const id = newId(row, existing, field);
    if (id !== null && named.known(of, id).isThere === false && !named.failing.has(of))
      row.issues.push(issueOn(row, field, { code: 'id-without-record', found: String(id), hint: of.called }));
  }
}

/**
 * Warns of names in rows that have no word in common with the name of what they stand for: of their own record,
 * whose key may be another's, or of one that an id names, such as a customer.
 */
export async function holdSaidNames(
  named: NamedRecords,
  rows: readonly (Pick<FoundRecord, 'existing' | 'ids'> & { readonly row: MappedRow })[],
  strict: boolean,
): Promise<void> {
  const said = rows.flatMap(({ row, existing, ids }) =>
    (row.action === 'skip' ? [] : (row.told ?? [])).flatMap(({ header, cell }): SaidName[] => {
      const { values, mapping } = row;
      const { resource } = mapping;
      const found = { row, header, cell };
      const name = resource.label === undefined ? null : existing?.values[resource.label];
      if (typeof name === 'string' && isNameHeader(resource, header))
        // The row may rename its record.
        return [{ ...found, names: [name, String(values[resource.label ?? ''] ?? '')], id: null }];
      const field = idNamedBy(resource, header);
      const of = field === undefined ? undefined : recordBehind(resource.fields[field]);
      // The name that a record holds itself is held against that.
      if (field === undefined || of === undefined || (header in resource.fields && existing !== null))
        return [];
      const id = idIn(ids?.[field] ?? values[field] ?? existing?.values[field]);
      return id === null ? [] : [{ ...found, names: [], id: [of, id], field }];
    }),
  );
  await named.askNames(said.flatMap(({ id }) => (id === null ? [] : [id])));
  for (const { row, header, cell, names, id, field } of said) {
    const all = id === null ? names : [named.known(...id).name];
    const [name] = all;
    const found = cellText(cell).trim();
    if (name == null || all.some((one) => one !== null && one !== '' && shareWord(found, one))) continue;
    const key = id === null ? t('the key', 'de sleutel') : t(`${field} ${id[1]}`, `${field} ${id[1]}`);
    const hint = t(
      `${key.en} is "${shorten(name)}": correct one of the two`,
      `${key.nl} is "${shorten(name)}": verbeter een van de twee`,
    );
    const place = { field: header, address: cellAddress(cell.column, row.row) };
    row.issues.push(issueAt({ code: 'record-of-another', found, hint }, place, strict));
  }
}

/** A cell with a name, and the names or the id that it is held against. */
interface SaidName extends Pick<NonNullable<MappedRow['told']>[number], 'header' | 'cell'> {
  readonly row: MappedRow;
  readonly names: readonly string[];
  readonly id: NamedId | null;
  readonly field?: string;
}
