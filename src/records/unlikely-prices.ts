import type { Issue } from '../core/issue.ts';
import { t } from '../core/language.ts';
import { moneyText } from '../core/row-text.ts';
import type { Locale, Value } from '../core/value.ts';
import { readOnly } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';

/** Above it a price is rather a number of another column, or one that lost its decimal mark. */
const MOST = 1_000_000;

type Oddness = 'below zero' | 'zero' | 'huge';

function oddnessOf(price: Value | undefined): Oddness | null {
  if (typeof price !== 'number') return null;
  if (price <= 0) return price < 0 ? 'below zero' : 'zero';
  return price > MOST ? 'huge' : null;
}

const NONE: readonly never[] = [];

/** The fields of which a row says what something costs. */
export const priceFields = ({ fields }: Resource): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.money === true && !readOnly(field) ? [name] : []));

/** What is said of prices that are below zero, zero or huge, where the record has no such price already. */
export function unlikelyPrices(
  row: MappedRow,
  existing: ExistingRecord | null,
  prices: readonly string[],
  locale: Locale = 'nl',
): readonly Issue[] {
  let issues: Issue[] | undefined;
  for (const name of prices) {
    const price = row.values[name];
    const held = existing?.values[name];
    const odd = oddnessOf(price);
    if (typeof price !== 'number' || odd === null || odd === oddnessOf(held)) continue;
    const code = odd === 'below zero' ? 'price-below-zero' : 'price-unlikely';
    // A row that is planned once more has it already.
    if (row.issues.some((issue) => issue.code === code && issue.field === name)) continue;
    issues ??= [];
    const hint = odd === 'below zero' || typeof held !== 'number' ? '' : heldText(held);
    issues.push(issueOn(row, name, { code, found: moneyText(price, locale), hint }));
  }
  return issues ?? NONE;
}

const heldText = (held: number) =>
  t(`the record has ${moneyText(held, 'en')}`, `het record heeft ${moneyText(held, 'nl')}`);
