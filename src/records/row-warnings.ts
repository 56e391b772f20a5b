import { type Cell, cellAddress } from '../core/cell.ts';
import { type Codec, cellText } from '../core/codec.ts';
import { identifierCodec } from '../core/codecs/text.ts';
import { issueAt, shorten } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { shareWord } from '../core/nearest.ts';
import { valueText } from '../core/row-text.ts';
import type { Locale, Value } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import { isSameText } from '../files/same-text.ts';
import type { NamedId, NamedRecords } from '../run/named-records.ts';
import { readOnly } from '../schema/field.ts';
import { idNamedBy, isNameHeader, type Resource, recordBehind } from '../schema/resource.ts';
import { type ExistingRecord, isNothing, sameValue } from './existing-record.ts';
import { addressOf, type MappedRow } from './mapped-row.ts';
import type { Baseline, FoundRecord, PlanRules } from './planning.ts';

/**
 * Warns of names in rows that have no word in common with the name of what they stand for: of their own record,
 * whose key may be another's, or of one that an id names, such as a customer.
 */
export async function holdSaidNames(
  named: NamedRecords,
  rows: readonly (Pick<FoundRecord, 'existing' | 'ids'> & { readonly row: MappedRow })[],
  strict: boolean,
): Promise<void> {
  const asked: NamedId[] = [];
  const said = rows.flatMap(({ row, existing, ids }) =>
    (row.action === 'skip' ? [] : (row.told ?? [])).flatMap(({ header, cell }) => {
      const { values, mapping } = row;
      const { resource } = mapping;
      const { label = '' } = resource;
      const name = existing?.values[label];
      if (typeof name === 'string' && isNameHeader(resource, header))
        // The row may rename its record.
        return { row, header, cell, key: OWN_KEY, names: () => [name, String(values[label] ?? '')] };
      const field = idNamedBy(resource, header);
      const of = field === undefined ? undefined : recordBehind(resource.fields[field]);
      // The name that a record holds itself is held against that.
      if (field === undefined || of === undefined || (header in resource.fields && existing !== null))
        return [];
      const id = ids?.[field] ?? values[field] ?? existing?.values[field];
      // 0 stands for none.
      if (typeof id !== 'number' || id === 0) return [];
      asked.push([of, id]);
      const key = t(`${field} ${id}`, `${field} ${id}`);
      return { row, header, cell, key, names: () => [named.known(of, id).name ?? ''] };
    }),
  );
  await named.askNames(asked);
  for (const { row, header, cell, key, names } of said) {
    const [name = '', ...others] = names();
    const found = cellText(cell).trim();
    if (name === '' || [name, ...others].some((one) => one !== '' && shareWord(found, one))) continue;
    const hint = t(`${key.en} is "${shorten(name)}"`, `${key.nl} is "${shorten(name)}"`);
    const place = { field: header, address: cellAddress(cell.column, row.row) };
    row.issues.push(issueAt({ code: 'record-of-another', found, hint }, place, strict));
  }
}

const OWN_KEY = t('the key', 'de sleutel');

/** The fields of which a row says what something costs. */
export const priceFields = ({ fields }: Resource): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.money === true && !readOnly(field) ? [name] : []));

/** The field with the moment of a record's last change, as the interface names it everywhere. */
const CHANGED = 'LMT';

/** A row with filled cells of columns that are only shown, beside its record. */
interface UnsentRow {
  readonly row: MappedRow;
  readonly existing: ExistingRecord | null;
  /** What the record held when the workbook was written. */
  readonly was: BaselineRecord | undefined;
  readonly base: Pick<Baseline, 'shown'>;
  readonly rules: Pick<PlanRules, 'strict' | 'locale'>;
}

/**
 * Puts an issue on each filled cell of a column that is only shown: nothing of it is sent. None where it
 * shows what the record holds, or what stood there when the workbook was written.
 */
export function noteUnsent({ row, existing, was, base, rules: { strict, locale = 'nl' } }: UnsentRow): void {
  const { told = [], action, values, mapping } = row;
  const { resource } = mapping;
  const { fields, requests } = resource;
  if (action === 'skip' || action === 'delete') return;
  // A row without a record that makes none says so itself.
  const isNamed = 'id' in resource && values[resource.id] != null;
  const isNew = existing === null && was === undefined;
  if (isNew && (action === 'update' || isNamed || !('create' in requests))) return;
  for (const { header, cell, instead } of told) {
    const field = fields[header];
    const then = was && base.shown(was, header);
    const text = cellText(cell).trim();
    if (then === undefined ? field === undefined || !readOnly(field) : isSameIn(field?.codec, then, text))
      continue;
    // A new record is checked by it.
    if (isNew && resource.finds?.includes(header) === true) continue;
    // A name beside an id that was changed is another one.
    const id = was && idNamedBy(resource, header);
    if (id !== undefined && values[id] !== undefined && values[id] !== (was?.values[id] ?? null)) continue;
    const held = [existing?.values[header], then === undefined ? was?.values[header] : undefined];
    if (held.some((value) => value !== undefined && isShownAs(row, { header, cell }, value, locale)))
      continue;
    // Written as what the record has.
    const found = typeof cell.value === 'number' ? valueText(cell.value, 'en', locale) : text;
    const address = cellAddress(cell.column, row.row);
    const finding = { code: 'cell-not-sent', found, hint: wayOut(row, instead) } as const;
    row.issues.push(issueAt(finding, { field: header, address }, strict));
  }
}

/** Why a cell is not sent, or what to fill in in its place. */
function wayOut({ mapping, row }: MappedRow, instead: string | null): Bilingual {
  if (instead === null) return t('only the service fills it in', 'alleen het systeem vult hem in');
  const where = [instead, addressOf(mapping, instead, row) ?? []].flat().join(', ');
  return t(`fill in ${where}`, `vul ${where} in`);
}

/**
 * Whether a cell shows what a record holds: a spreadsheet shows less of a moment, or of an amount. An earlier
 * moment of a change was read before the last one.
 */
function isShownAs(
  { shown, mapping }: MappedRow,
  { header, cell }: { readonly header: string; readonly cell: Cell },
  held: Value,
  locale: Locale,
): boolean {
  const codec = mapping.resource.fields[header]?.codec;
  const decoded = codec?.decode(cell, locale);
  const value = shown[header] ?? (decoded?.ok === true ? decoded.value : undefined);
  const text = cellText(cell).trim();
  if (value !== undefined && ((isNothing(held) && isNothing(value)) || sameValue(held, value))) return true;
  if (codec?.type === 'datetime')
    return header === CHANGED && value !== undefined
      ? String(value) <= String(held)
      : String(held).startsWith(String(value ?? text).replace(/( 00:00)?:00$/, ''));
  // A text with fewer than two decimals is no rounded amount.
  const decimals = cell.type === 'text' ? (/[.,](\d{2,})\D*$/.exec(text)?.[1]?.length ?? 0) : 0;
  if (typeof held === 'number' && typeof value === 'number')
    return decimals > 0 && Math.abs(held - value) <= 0.500_001 * 10 ** -decimals;
  return isSameIn(codec, valueText(held, 'nl', locale), text) || isSameIn(codec, String(held), text);
}

/** Whether two texts of a cell are the same: of an id that is text each digit counts, also a zero that leads. */
const isSameIn = (codec: Codec | undefined, was: string, is: string): boolean =>
  codec === identifierCodec ? was === is : isSameText(was, is);
