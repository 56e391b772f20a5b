import { type Issue, stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Locale, Value } from '../../core/value.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { sameValue } from '../../records/existing-record.ts';
import { issueOn, type MappedRow, rowPlaceText } from '../../records/mapped-row.ts';
import type { PlannerSetup, RevisedRow, UnplacedRow } from '../../records/planning.ts';
import { INVALID, type RowDecision, refusedRow } from '../../records/row-decision.ts';
import { wallClock } from '../../run/context.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { hasNoTime, momentText } from '../stock/later-mutations.ts';
import { checkRequired, productName, type StockProduct } from '../stock/stock-row.ts';
import { toMicros } from '../stock/stock-total.ts';
import { isAhead } from '../stock/tellings.ts';

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

/** Whether a row names a product of the list that nobody counted: its amounts are there, and empty. */
export function isUncounted(row: CountRow): boolean {
  const { action, values, issues, mapping } = row;
  const names = namesOf(mapping.resource.amounts);
  return (
    action === 'auto' &&
    productName(row) !== null &&
    names.some((name) => mapping.columnOf.has(name)) &&
    names.every((name) => values[name] === undefined) &&
    !stopsRow(issues)
  );
}

/** Its amounts are empty. */
export const UNCOUNTED: RowDecision = { action: 'skip', message: t('not counted', 'niet geteld') };

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

/** A row that is posted must be complete; one that equals the total need not. */
export function whole(row: CountRow, counted: Counted, decided: RowDecision): RowDecision {
  if (decided.action !== 'create') return decided;
  checkRequired(row);
  checkAmount(row, counted);
  return stopsRow(row.issues) ? INVALID : decided;
}

/** Puts an issue on a count below zero: such a total may stay as it is, but nobody counts it. */
function checkAmount(row: CountRow, { amount, micros }: Counted): void {
  if (micros < 0n) row.issues.push(notCountable(row, amount));
}

/** Puts an issue on a count that is more than a day ahead, and notes the place of one without a time. */
export function checkMoment(row: CountRow, now: Date, midnights: string[]): void {
  const { moment } = row.mapping.resource;
  const found = momentText(row.values[moment]);
  if (hasNoTime(found)) midnights.push(`${row.mapping.sheet}!${row.row}`);
  if (isAhead(found, now))
    row.issues.push(
      issueOn(row, moment, { code: 'counted-ahead', found, hint: shownMinute(wallClock(now)) }),
    );
}

/** The rows that count each product, over all sheets of a run. */
export type CountedProducts = Map<string, CountedRow[]>;

interface CountedRow {
  readonly row: CountRow;
  /** As it stands in the plan; absent while its sheet is planned. */
  planned?: UnplacedRow | undefined;
}

/** Notes that a row counts a product. */
export function noteCounted(row: CountRow, product: StockProduct, counted: CountedProducts): void {
  const name = 'id' in product ? `id:${product.id}` : JSON.stringify(product.reference);
  const others = counted.get(name);
  if (others === undefined) counted.set(name, [{ row }]);
  else others.push({ row });
}

/** Plans the rows of a sheet by `plan`, once those are refused that count a product with others. */
export async function refusingTwice(
  counted: CountedProducts,
  rows: readonly { readonly row: CountRow }[],
  { revise }: Pick<PlannerSetup, 'revise'>,
  plan: () => Promise<UnplacedRow[]>,
): Promise<UnplacedRow[]> {
  const revised = refuseTwice(counted);
  if (revised.length > 0) await revise(revised);
  const planned = await plan();
  const now = new Map(planned.map((one, at) => [rows[at]?.row, one]));
  for (const all of counted.values()) for (const one of all) one.planned ??= now.get(one.row);
  return planned;
}

/**
 * Refuses all rows that count one product, on whichever sheet: nobody can tell which of them is meant. Those
 * of the sheet that is planned now get an issue; answers those of earlier sheets, which are in the plan.
 */
function refuseTwice(counted: CountedProducts): RevisedRow[] {
  const revised: RevisedRow[] = [];
  for (const all of counted.values()) {
    const came = all.filter(({ planned }) => planned === undefined);
    if (all.length < 2 || came.length === 0) continue;
    for (const one of all) {
      const { row, planned: was } = one;
      const issue = countedTwice(row, was === undefined ? all : came);
      if (was === undefined) row.issues.push(issue);
      else {
        one.planned = refusedRow(was, [issue]);
        revised.push({ was: was as PlannedRow, now: one.planned as PlannedRow });
      }
    }
  }
  return revised;
}

/** Other rows on the product that an issue names. */
const SHOWN = 5;

function countedTwice(row: CountRow, all: readonly CountedRow[]): Issue {
  const named = productName(row);
  const field = named?.field ?? row.mapping.resource.product;
  const others = all.slice(0, SHOWN + 2).flatMap((one) => (one.row === row ? [] : placeOf(one.row)));
  const list = (texts: readonly string[]): string =>
    texts.slice(0, SHOWN).join(', ') + (texts.length > SHOWN ? ', …' : '');
  const hint = t(list(others.map(({ en }) => en)), list(others.map(({ nl }) => nl)));
  return issueOn(row, field, { code: 'counted-twice', found: String(named?.value ?? ''), hint });
}

const placeOf = ({ row, mapping: { sheet } }: CountRow): Bilingual => rowPlaceText({ sheet, row });

/** What the row says itself that the total was when its sheet was exported, as a CSV has no memory. */
export function shownTotal({ mapping, told = [] }: CountRow, locale: Locale): BaselineRecord | undefined {
  const { name, amounts, fields } = mapping.resource;
  const nothing = Object.fromEntries(amounts.map(({ counted }) => [counted, null]));
  for (const { counted } of amounts) {
    const cell = told.find(({ instead }) => instead === counted)?.cell;
    const read = cell === undefined ? undefined : fields[counted]?.codec.decode(cell, locale);
    // One of the two units was exported, as the lister has it.
    if (read?.ok)
      return { resource: name, key: '', lmt: null, values: { ...nothing, [counted]: read.value } };
  }
  return undefined;
}

/** Whether a row holds the total that the workbook was written with, so that nobody counted it. */
export function isUntouched(row: CountRow, was: BaselineRecord): boolean {
  const { action, values, issues, mapping } = row;
  if (action !== 'auto' || saysMore(row, was)) return false;
  return mapping.resource.amounts.every(({ counted }) => {
    const unread = issues.some(({ field, severity }) => field === counted && severity === 'error');
    return !unread && sameValue(was.values[counted], values[counted] ?? null);
  });
}

/** Nobody counted it; where all rows are given a moment, that is said. */
export function asExported({ issues, filled = [], mapping: { resource, set } }: CountRow): RowDecision {
  if (stopsRow(issues)) return INVALID;
  const isGiven = [...filled, ...set.map(({ field }) => field)].includes(resource.moment);
  return isGiven ? { action: 'unchanged', message: AS_EXPORTED } : { action: 'unchanged' };
}

/** Why a row is no count, though all rows are given a moment. */
const AS_EXPORTED = t(
  'as it was exported, so no count; to confirm the amount as one, write DatumTijd in the row itself',
  'zoals geëxporteerd, dus geen telling; om het aantal als telling te bevestigen: vul DatumTijd in de rij zelf in',
);

/** A later count of the product holds: the row says so, and which way there is where that one is wrong. */
export function holdBack(row: CountRow, hint: Bilingual, strict: boolean): RowDecision {
  const { moment } = row.mapping.resource;
  const found = momentText(row.values[moment]);
  row.issues.push(issueOn(row, moment, { code: 'later-count', found, hint }, strict));
  return strict ? INVALID : { action: 'unchanged' };
}

/** Whether somebody wrote who counted, when or why in the row itself: then the amount is confirmed by it. */
function saysMore({ values, mapping, filled = [] }: CountRow, was: BaselineRecord): boolean {
  const { resource, columnOf, set } = mapping;
  const amounts = resource.amounts.map(({ counted }) => counted);
  return Object.keys(resource.fields).some(
    (field) =>
      columnOf.has(field) &&
      !resource.keys.includes(field) &&
      !amounts.includes(field) &&
      !set.some((one) => one.field === field) &&
      !filled.includes(field) &&
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
