import { stopsRow } from '../../core/issue.ts';
import { t } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Locale } from '../../core/value.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { sameValue } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { PlannerSetup } from '../../records/planning.ts';
import { INVALID, type RowDecision } from '../../records/row-decision.ts';
import { noteUnsent } from '../../records/unsent-fields.ts';
import { wallClock } from '../../run/context.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { momentText, stockName } from './history.ts';
import { type FoundRow, type ReadRow, unasked } from './planner.ts';
import {
  checkAction,
  checkAmountGiven,
  checkRequired,
  productKey,
  productName,
  refuse,
  refuseAmounts,
} from './products.ts';
import { toMicros } from './total.ts';

/** A row of a count. */
export type CountRow = MappedRow<CountResource>;

/** What was counted, and in which unit. */
export interface Counted {
  readonly amount: CountedAmount;
  readonly micros: bigint;
}

/** A row as it is counted. */
export interface ReadCount extends ReadRow<CountResource> {
  readonly counted: Counted | null;
  /** When it was counted; empty where the row does not say. */
  readonly moment: string;
  /** What the workbook was written with. */
  readonly was?: BaselineRecord | undefined;
}

const columnsOf = (resource: CountResource): string[] => resource.amounts.map(({ counted }) => counted);

/** Its amounts are empty. */
export const UNCOUNTED: RowDecision = { action: 'skip', message: t('not counted', 'niet geteld') };

/** What becomes of a row that is not asked about: it is marked, or nobody counted its product. */
export function unaskedCount(row: CountRow): RowDecision | undefined {
  const { action, values, issues, mapping } = row;
  const columns = columnsOf(mapping.resource);
  const isUncounted =
    action === 'auto' &&
    productName(row) !== null &&
    columns.some((name) => mapping.columnOf.has(name)) &&
    columns.every((name) => values[name] === undefined) &&
    !stopsRow(issues);
  return unasked(row) ?? (isUncounted ? UNCOUNTED : undefined);
}

/** Reads what a row counts, with issues on what is wrong; a row that is as it was exported counts nothing. */
export function readCount(
  found: FoundRow<CountResource>,
  { base, rules }: PlannerSetup,
  now: Date,
): ReadCount {
  const { row: given, product, products } = found;
  const { resource } = given.mapping;
  const nothing: ReadCount = { ...found, names: [], contents: [], said: null, moment: '', counted: null };
  if (found.end !== undefined) return nothing;
  const id = product !== null && 'id' in product ? product.id : null;
  const kept = id === null ? undefined : base.find(resource.name, `id:${id}`);
  if (kept !== undefined) noteUnsent({ row: given, existing: null, was: kept, base, rules });
  const was = kept ?? (id === null ? undefined : shownTotal(given, rules.locale ?? 'nl'));
  const end = was && asExported(given, was);
  if (end) return { ...nothing, end };
  const row = was === undefined ? given : withoutUntouched(given, was);
  const moment = momentText(row.values[resource.moment]);
  checkAction(row);
  if (moment.replace('T', ' ') > wallClock(new Date(now.getTime() + DAY_MS)))
    refuse(row, resource.moment, { code: 'counted-ahead', found: moment, hint: shownMinute(wallClock(now)) });
  const counted = readCounted(row);
  if (product === null || counted === null || stopsRow(row.issues)) checkRequired(row);
  const told =
    counted && ({ kind: 'count', moment, column: counted.amount.counted, micros: counted.micros } as const);
  const names = told === null ? [] : products.map((one) => stockName(one, told, row.reference));
  const name = productName(row);
  const said = product && name && { name: productKey(product), field: name.field, found: String(name.value) };
  return { ...found, row, names, contents: names, moment, counted, was, said };
}

/** In no time zone anybody can have counted that far ahead. */
const DAY_MS = 86_400_000;

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

/** What becomes of a row that holds the total of its workbook, and no moment of its own: null for any other. */
function asExported(
  { action, values, issues, mapping: { resource, set }, filled = [] }: CountRow,
  was: BaselineRecord,
): RowDecision | null {
  const { moment } = resource;
  const isGiven = [...filled, ...set.map(({ field }) => field)].includes(moment);
  const isSame = (name: string): boolean => sameValue(was.values[name] ?? null, values[name] ?? null);
  if (action !== 'auto' || !(values[moment] == null || isGiven) || !columnsOf(resource).every(isSame))
    return null;
  return stopsRow(issues) ? INVALID : { action: 'unchanged', message: isGiven ? AS_EXPORTED : null };
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
