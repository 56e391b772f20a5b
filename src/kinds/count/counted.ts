import { type Issue, issueAt } from '../../core/issue.ts';
import type { Value } from '../../core/value.ts';
import { addressOf, type MappedRow } from '../../import/map/map-row.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { toMicros } from '../posting/micros.ts';

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
      const finding = { code, found: String(values[field] ?? ''), hint: namesOf(amounts).join(' / ') };
      issues.push(issueAt(finding, { field, address: addressOf(mapping, field, row.row) }));
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

function exact({ mapping, values, issues, row }: CountRow, amount: CountedAmount): Counted | null {
  const field = amount.counted;
  const found = values[field];
  const micros = typeof found === 'number' ? toMicros(found) : null;
  if (micros !== null) return { amount, micros };
  issues.push(notCountable(field, found, addressOf(mapping, field, row)));
  return null;
}

function notCountable(field: string, found: Value | undefined, address: string | null): Issue {
  return issueAt({ code: 'amount-not-countable', found: String(found) }, { field, address });
}

/** A total below nothing may be left as it is, and is not what anyone counts. */
export function checkAmount({ mapping, values, issues, row }: CountRow, { amount, micros }: Counted): void {
  const field = amount.counted;
  if (micros < 0n) issues.push(notCountable(field, values[field], addressOf(mapping, field, row)));
}

/** Equal to six places; a total that the service divides for may be off by the last one. */
export function sameAmount({ divided }: CountedAmount, a: bigint, b: bigint): boolean {
  const apart = a > b ? a - b : b - a;
  return apart <= (divided ? 1n : 0n);
}
