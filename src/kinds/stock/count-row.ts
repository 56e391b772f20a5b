import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Locale, Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { PlannerSetup } from '../../records/planning.ts';
import { INVALID, type RowDecision, refuseField } from '../../records/row-decision.ts';
import { noteUnsent } from '../../records/unsent-fields.ts';
import { wallClock } from '../../run/context.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { checkAsked } from '../command-rows.ts';
import { momentText, stockName } from './history.ts';
import { type FoundRow, type ReadRow, unasked } from './posting.ts';
import { checkAmountGiven, idOf, ownName, productKey, refuseAmounts, type StockRow } from './products.ts';
import { toMicros } from './total.ts';

/** What was counted, and in which unit. */
export interface Counted {
  readonly amount: CountedAmount;
  readonly micros: bigint;
}

/** A row as it is counted. */
export interface ReadCount extends ReadRow {
  readonly counted: Counted | null;
  readonly moment: string;
  /** The amounts that the workbook was written with. */
  readonly was?: Values | undefined;
}

/** Its amounts are empty. */
export const UNCOUNTED: RowDecision = { action: 'skip', message: t('not counted', 'niet geteld') };

/** What becomes of a row that is not asked about: it is marked, or nobody counted its product. */
export function unaskedCount({ amounts }: CountResource, row: StockRow): RowDecision | undefined {
  const { action, values, issues, mapping } = row;
  const isUncounted =
    action === 'auto' &&
    amounts.some(({ counted }) => mapping.columnOf.has(counted)) &&
    amounts.every(({ counted }) => values[counted] === undefined) &&
    !stopsRow(issues);
  return unasked(row) ?? (isUncounted ? UNCOUNTED : undefined);
}

/** Reads what a row counts, with issues on what is wrong; a row that is as it was exported counts nothing. */
export function readCount(
  resource: CountResource,
  found: FoundRow,
  { base, rules }: PlannerSetup,
  now: Date,
): ReadCount {
  const { row, product, products } = found;
  const nothing: ReadCount = { ...found, names: [], contents: [], said: null, moment: '', counted: null };
  if (found.end !== undefined) return nothing;
  const id = idOf(product);
  const kept = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (kept !== undefined) noteUnsent({ row, existing: null, was: kept, base, rules });
  const was = kept?.values ?? (id === null ? undefined : shownTotal(resource, row, rules.locale ?? 'nl'));
  const end = was && asExported(resource, row, was);
  if (end) return { ...nothing, end };
  checkAsked(row, resource.product);
  const counted = readCounted(resource, row, was);
  const moment = momentText(row.values[resource.moment]);
  if (moment.replace('T', ' ') > wallClock(new Date(now.getTime() + DAY_MS)))
    refuseField(row, resource.moment, 'counted-ahead', shownMinute(wallClock(now)));
  if (product === null || counted === null) return { ...nothing, counted };
  const { amount, micros } = counted;
  const told = { kind: 'count', moment, column: amount.counted, micros } as const;
  const names = products.map((one) => stockName(one, told, row.reference));
  const [field = '', value = ''] = (ownName(row) ?? '').split(':');
  const said = { name: productKey(product), field, found: value };
  return { ...found, names, contents: names, moment, counted, was, said };
}

/** In no time zone anybody can have counted that far ahead. */
const DAY_MS = 86_400_000;

/** Whether an amount is the one that the workbook was written with. */
const isUntouched = ({ counted }: CountedAmount, { values }: StockRow, was: Values): boolean =>
  sameValue(was[counted] ?? null, values[counted] ?? null);

/**
 * The one amount that a row counts, but for an exported one that nobody touched where another was counted in
 * its place; null when there is none, or two, as the row's issues then say.
 */
function readCounted({ amounts }: CountResource, row: StockRow, was: Values | undefined): Counted | null {
  const filled = amounts.filter(({ counted }) => row.values[counted] != null);
  const touched = filled.filter((one) => was === undefined || !isUntouched(one, row, was));
  const given = touched.length === 1 ? touched : filled;
  const [amount] = given;
  const columns = (amount === undefined ? amounts : given).map(({ counted }) => counted);
  const micros = amount === undefined ? null : toMicros(row.values[amount.counted]);
  if (amount === undefined) checkAmountGiven(row, columns);
  else if (given.length > 1) refuseAmounts(row, 'amount-twice', columns);
  else if (micros === null || micros < 0n) refuseAmounts(row, 'amount-not-countable', columns);
  else return { amount, micros };
  return null;
}

/** What the row says itself that the total was when its sheet was exported, as a CSV has no memory. */
function shownTotal(
  { amounts, fields }: CountResource,
  { told = [] }: StockRow,
  locale: Locale,
): Values | undefined {
  for (const { counted } of amounts) {
    const cell = told.find(({ instead }) => instead === counted)?.cell;
    const read = cell === undefined ? undefined : fields[counted]?.codec.decode(cell, locale);
    // One of the two units was exported, as the lister has it.
    if (read?.ok) return { [counted]: read.value };
  }
  return undefined;
}

/** What becomes of a row that holds the total of its workbook, and no moment of its own: null for any other. */
function asExported({ amounts, moment }: CountResource, row: StockRow, was: Values): RowDecision | null {
  const { action, values, issues, mapping, filled = [] } = row;
  const isGiven = filled.includes(moment) || mapping.set.some(({ field }) => field === moment);
  const isOwn = values[moment] != null && !isGiven;
  if (action !== 'auto' || isOwn || !amounts.every((one) => isUntouched(one, row, was))) return null;
  return stopsRow(issues) ? INVALID : { action: 'unchanged', message: isGiven ? AS_EXPORTED : null };
}

/** Why a row is no count, though all rows are given a moment. */
const AS_EXPORTED = t(
  'as it was exported, so no count; to confirm the amount as one, write DatumTijd in the row itself',
  'zoals geëxporteerd, dus geen telling; om het aantal als telling te bevestigen: vul DatumTijd in de rij zelf in',
);
