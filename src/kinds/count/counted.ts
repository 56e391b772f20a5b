import type { Issue } from '../../core/issue.ts';
import type { Value } from '../../core/value.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { sameValue } from '../../records/existing-record.ts';
import { issueOn, type MappedRow, type RowPlace, rowPlaceText } from '../../records/mapped-row.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { productName, type StockProduct } from '../stock/stock-row.ts';
import { toMicros } from '../stock/stock-total.ts';

/** A row of a count. */
export type CountRow = MappedRow<CountResource>;

/** What was counted, in millionths, and in which unit. */
export interface Counted {
  readonly amount: CountedAmount;
  readonly micros: bigint;
}

/** The one amount that a row counts; null when there is none, or two, as the row's issues then say. */
export function readCounted(row: CountRow): Counted | null {
  const { mapping, values, issues } = row;
  const { amounts } = mapping.resource;
  const report = (code: 'amount-missing' | 'amount-twice', columns: readonly string[]): null => {
    for (const field of columns) {
      const hint = namesOf(amounts).join(' / ');
      issues.push(issueOn(row, field, { code, found: String(values[field] ?? ''), hint }));
    }
    return null;
  };
  const given = amounts.filter(({ counted }) => values[counted] != null);
  const [one, other] = given;
  if (other !== undefined) return report('amount-twice', namesOf(given));
  if (one !== undefined) return exact(row, one);
  // A cell that could not be read has its issue already.
  if (issues.some(({ field }) => namesOf(amounts).includes(field ?? ''))) return null;
  const there = namesOf(amounts).filter((name) => mapping.columnOf.has(name));
  return report('amount-missing', there.length === 0 ? namesOf(amounts).slice(0, 1) : there);
}

const namesOf = (amounts: readonly CountedAmount[]): string[] => amounts.map(({ counted }) => counted);

function exact(row: CountRow, amount: CountedAmount): Counted | null {
  const found = row.values[amount.counted];
  const micros = typeof found === 'number' ? toMicros(found) : null;
  if (micros !== null) return { amount, micros };
  row.issues.push(notCountable(row, amount));
  return null;
}

const notCountable = (row: CountRow, { counted }: CountedAmount): Issue =>
  issueOn(row, counted, { code: 'amount-not-countable', found: String(row.values[counted]) });

/** Puts an issue on a count below zero: such a total may stay as it is, but nobody counts it. */
export function checkAmount(row: CountRow, { amount, micros }: Counted): void {
  if (micros < 0n) row.issues.push(notCountable(row, amount));
}

/** The first row that counts each product, over all sheets of a run. */
export type CountedProducts = Map<string, RowPlace & { readonly mapped: CountRow }>;

/** Puts an issue on two rows that count one product: neither is sent. */
export function noteCounted(row: CountRow, product: StockProduct, counted: CountedProducts): void {
  const name = 'id' in product ? `id:${product.id}` : JSON.stringify(product.reference);
  const first = counted.get(name);
  if (first === undefined) {
    counted.set(name, { sheet: row.mapping.sheet, row: row.row, mapped: row });
    return;
  }
  report(row, first);
  if (!first.mapped.issues.some(({ code }) => code === 'counted-twice'))
    report(first.mapped, { sheet: row.mapping.sheet, row: row.row });
}

function report(row: CountRow, other: RowPlace): void {
  const hint = rowPlaceText(other);
  const named = productName(row);
  const field = named?.field ?? row.mapping.resource.product;
  row.issues.push(issueOn(row, field, { code: 'counted-twice', found: String(named?.value ?? ''), hint }));
}

/** Whether a row holds the total that the workbook was written with, so that nobody counted it. */
export function isUntouched({ action, values, issues, mapping }: CountRow, was: BaselineRecord): boolean {
  if (action !== 'auto' || saysMore(values, mapping, was)) return false;
  return mapping.resource.amounts.every(({ counted }) => {
    const unread = issues.some(({ field, severity }) => field === counted && severity === 'error');
    return !unread && sameValue(was.values[counted], values[counted] ?? null);
  });
}

/** Whether somebody wrote who counted, when or why in the row itself: then the amount is confirmed by it. */
function saysMore(values: CountRow['values'], mapping: CountRow['mapping'], was: BaselineRecord): boolean {
  const { resource, columnOf, set } = mapping;
  const amounts = resource.amounts.map(({ counted }) => counted);
  return Object.keys(resource.fields).some(
    (field) =>
      columnOf.has(field) &&
      !resource.keys.includes(field) &&
      !amounts.includes(field) &&
      !set.some((one) => one.field === field) &&
      values[field] != null &&
      was.values[field] == null,
  );
}

/** The row without an amount that nobody touched, where another one was counted in its place. */
export function withoutUntouched(row: CountRow, { values: was }: BaselineRecord): CountRow {
  const { amounts } = row.mapping.resource;
  const given = amounts.filter(({ counted }) => row.values[counted] != null);
  const old = given.find(({ counted }) => sameValue(was[counted], row.values[counted] as Value));
  if (given.length < 2 || old === undefined) return row;
  const { [old.counted]: _, ...values } = row.values;
  return { ...row, values };
}
