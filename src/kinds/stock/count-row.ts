import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Locale } from '../../core/value.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { sameValue } from '../../records/existing-record.ts';
import { asksNothing, issueOn, type MappedRow } from '../../records/mapped-row.ts';
import type { PlannerSetup } from '../../records/planning.ts';
import { INVALID, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { noteUnsent } from '../../records/unsent-fields.ts';
import { wallClock } from '../../run/context.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { momentText } from './history.ts';
import { checkAction, checkAmountGiven, productName, refuseAmounts, type StockProduct } from './products.ts';
import { toMicros } from './total.ts';

/** A row of a count. */
export type CountRow = MappedRow<CountResource>;

/** What was counted, and in which unit. */
export interface Counted {
  readonly amount: CountedAmount;
  readonly micros: bigint;
}

/** A row as it is counted. */
export interface ReadRow {
  readonly row: CountRow;
  readonly product: StockProduct | null;
  readonly counted: Counted | null;
  /** What the workbook was written with. */
  readonly was?: BaselineRecord | undefined;
  /** What becomes of a row that counts nothing. */
  readonly end?: RowDecision;
}

const columnsOf = (resource: CountResource): string[] => resource.amounts.map(({ counted }) => counted);

/** Its amounts are empty. */
export const UNCOUNTED: RowDecision = { action: 'skip', message: t('not counted', 'niet geteld') };

/** What becomes of a row that is not asked about: it is marked, or nobody counted its product. */
export function unasked(row: CountRow): RowDecision | undefined {
  const { action, values, issues, mapping } = row;
  if (asksNothing(row)) return action === 'skip' ? SKIPPED : INVALID;
  const columns = columnsOf(mapping.resource);
  const isUncounted =
    action === 'auto' &&
    productName(row) !== null &&
    columns.some((name) => mapping.columnOf.has(name)) &&
    columns.every((name) => values[name] === undefined) &&
    !stopsRow(issues);
  return isUncounted ? UNCOUNTED : undefined;
}

/** Reads what a row counts, with issues on what is wrong; a row that is as it was exported counts nothing. */
export function readRow(
  given: CountRow,
  product: StockProduct | null,
  { base, rules }: PlannerSetup,
  now: Date,
): ReadRow {
  const { resource } = given.mapping;
  const id = product !== null && 'id' in product ? product.id : null;
  const kept = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (kept !== undefined) noteUnsent({ row: given, existing: null, was: kept, base, rules });
  const was = kept ?? (id === null ? undefined : shownTotal(given, rules.locale ?? 'nl'));
  if (was !== undefined && isUntouched(given, was))
    return { row: given, product, counted: null, end: asExported(given) };
  const row = was === undefined ? given : withoutUntouched(given, was);
  checkAction(row);
  const found = momentText(row.values[resource.moment]);
  if (found.replace('T', ' ') > wallClock(new Date(now.getTime() + DAY)))
    row.issues.push(
      issueOn(row, resource.moment, { code: 'counted-ahead', found, hint: shownMinute(wallClock(now)) }),
    );
  return { row, product, counted: readCounted(row), was };
}

/** In no time zone anybody can have counted that far ahead. */
const DAY = 86_400_000;

/** The one amount that a row counts; null when there is none, or two, as the row's issues then say. */
function readCounted(row: CountRow): Counted | null {
  const { resource } = row.mapping;
  const given = resource.amounts.filter(({ counted }) => row.values[counted] != null);
  const columns = given.map(({ counted }) => counted);
  const [amount] = given;
  if (amount === undefined) {
    checkAmountGiven(row, columnsOf(resource));
    return null;
  }
  if (given.length > 1) {
    refuseAmounts(row, 'amount-twice', columns);
    return null;
  }
  const micros = toMicros(row.values[amount.counted]);
  if (micros !== null && micros >= 0n) return { amount, micros };
  refuseAmounts(row, 'amount-not-countable', columns);
  return null;
}

/** What the row says itself that the total was when its sheet was exported, as a CSV has no memory. */
function shownTotal({ mapping, told = [] }: CountRow, locale: Locale): BaselineRecord | undefined {
  const { name, amounts, fields } = mapping.resource;
  for (const { counted } of amounts) {
    const cell = told.find(({ instead }) => instead === counted)?.cell;
    const read = cell === undefined ? undefined : fields[counted]?.codec.decode(cell, locale);
    // One of the two units was exported, as the lister has it.
    if (read?.ok) return { resource: name, key: '', lmt: null, values: { [counted]: read.value } };
  }
  return undefined;
}

/** Whether a row holds the total that the workbook was written with, and no moment of its own that confirms it. */
function isUntouched(
  { action, values, issues, mapping, filled = [] }: CountRow,
  was: BaselineRecord,
): boolean {
  const { resource, columnOf, set } = mapping;
  const given = [...filled, ...set.map(({ field }) => field)];
  const { moment } = resource;
  const isConfirmed = values[moment] != null && columnOf.has(moment) && !given.includes(moment);
  return (
    action === 'auto' &&
    !isConfirmed &&
    columnsOf(resource).every(
      (name) =>
        sameValue(was.values[name] ?? null, values[name] ?? null) &&
        !issues.some(({ field, severity }) => field === name && severity === 'error'),
    )
  );
}

/** Nobody counted it; where all rows are given a moment, that is said. */
function asExported({ issues, filled = [], mapping: { resource, set } }: CountRow): RowDecision {
  if (stopsRow(issues)) return INVALID;
  const isGiven = [...filled, ...set.map(({ field }) => field)].includes(resource.moment);
  return isGiven ? { action: 'unchanged', message: AS_EXPORTED } : { action: 'unchanged' };
}

/** Why a row is no count, though all rows are given a moment. */
const AS_EXPORTED = t(
  'as it was exported, so no count; to confirm the amount as one, write DatumTijd in the row itself',
  'zoals geëxporteerd, dus geen telling; om het aantal als telling te bevestigen: vul DatumTijd in de rij zelf in',
);

/** The row without an amount that nobody touched, where another one was counted in its place. */
function withoutUntouched(row: CountRow, { values: was }: BaselineRecord): CountRow {
  const given = columnsOf(row.mapping.resource).filter((name) => row.values[name] != null);
  const old = given.find((name) => sameValue(was[name], row.values[name] ?? null));
  if (given.length < 2 || old === undefined) return row;
  const { [old]: _, ...values } = row.values;
  return { ...row, values };
}
