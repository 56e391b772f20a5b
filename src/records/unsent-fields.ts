import { type Cell, cellAddress } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import { issueAt } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { valueText } from '../core/row-text.ts';
import type { Locale, Value, Values } from '../core/value.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import { isSameText } from '../files/same-text.ts';
import type { Dialect } from '../schema/dialect.ts';
import { readOnly } from '../schema/field.ts';
import { idNamedBy, type Resource } from '../schema/resource.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import { addressOf, type MappedRow } from './mapped-row.ts';
import type { Baseline, PlanRules } from './planning.ts';
import type { HeldNow } from './row-guard.ts';

/** Whether a field holds nothing: services say none as zero, off or an empty text too. */
export const isNothing = (value: Value | undefined): boolean => !value;

/** What is sent so that those of these fields that hold anything stay: what was `applied` to one that holds it still. */
export const filledIn = (names: readonly string[], held: HeldNow, applied: Values = {}): Values =>
  Object.fromEntries(
    names.flatMap((name) => (isNothing(held[name]) ? [] : [[name, applied[name] ?? held[name] ?? null]])),
  );

/** The fields that an update could send and that this body lacks. */
export function fieldsBeside(
  resource: Resource,
  { externalId }: Pick<Dialect, 'externalId'>,
  body: Readonly<Record<string, unknown>>,
): string[] {
  const key = 'external' in resource && externalId !== 'never' ? resource.external : null;
  return Object.entries(resource.fields).flatMap(([name, { update, refers }]) => {
    const isTaken = update === 'optional' || update === 'required' || name === key;
    const isOwn = name === key || !resource.keys.includes(name);
    return isTaken && isOwn && refers === undefined && !(name in body) ? [name] : [];
  });
}

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
    if (then === undefined ? field === undefined || !readOnly(field) : isSameText(then, text)) continue;
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
  return isSameText(valueText(held, 'nl', locale), text) || isSameText(String(held), text);
}
