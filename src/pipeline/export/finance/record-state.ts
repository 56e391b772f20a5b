import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Exact } from './exact.ts';

/**
 * What is kept of a record from one export to the next: a stamp of all that it says, a check of each of its columns, a blank and the
 * amount that it comes to. Version 1 had no checks.
 */
export type RecordState = string;

/** So many characters of a hash tell one state of a record from another, and so many one value of a column. */
const [STAMP, CHECK] = [12, 3];
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The state of a record whose columns say this, in a fixed order; the amount is null for none. */
export function stateOf(content: readonly unknown[], amount: Exact | null): RecordState {
  const said = content.map((value) => JSON.stringify(value) ?? 'null');
  const stamp = hash('sha256', `[${said.join(',')}]`, 'base64url').slice(0, STAMP);
  return packed(`${stamp}${said.map(checkOf).join('')} ${amount?.text ?? ''}`);
}

/** Of texts that differ in a few bits a CRC has the same ones over and over; multiplied, all of them count. */
function checkOf(text: string): string {
  const bits = Math.imul(crc32(text), 0x9e3779b1);
  return `${DIGITS[bits >>> 26]}${DIGITS[(bits >>> 20) & 63]}${DIGITS[(bits >>> 14) & 63]}`;
}

/** A text that is put together holds on to its parts; one that was read does not. */
const packed = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** The amount that a record came to; null for none. */
export const amountIn = (state: RecordState): Exact | null => Exact.of(state.slice(state.indexOf(' ') + 1));

/** The stamp and the amount, without the checks. */
export const sealOf = (state: RecordState): string => state.slice(0, STAMP) + state.slice(state.indexOf(' '));

const checkAt = (state: RecordState, at: number): string =>
  state.slice(STAMP + at * CHECK, STAMP + (at + 1) * CHECK);

/** Tells whether records are as they were, and in which columns they are not, by the columns that were kept then and those of now. */
export class StateComparison {
  private readonly bySeal: boolean;
  private readonly shared: readonly (readonly [column: string, then: number, now: number])[];

  constructor(then: readonly string[], now: readonly string[]) {
    this.shared = now.flatMap((column, at) => {
      const before = then.indexOf(column);
      return before < 0 || now.indexOf(column) < at ? [] : [[column, before, at] as const];
    });
    this.bySeal =
      then.length === 0 || (then.length === now.length && then.every((one, at) => one === now[at]));
  }

  /** The same for a record that is as it was; a column that this program had not, or has no more, is no change of the record. */
  identity(state: RecordState, when: 'then' | 'now'): string {
    if (this.bySeal) return sealOf(state);
    const checks = this.shared.map(([, then, now]) => checkAt(state, when === 'then' ? then : now));
    return `${checks.join('')}${state.slice(state.indexOf(' '))}`;
  }

  /** The columns that say something else; none where it is not known what they said. */
  columns(was: RecordState, is: RecordState): string[] {
    return this.shared.flatMap(([column, then, now]) =>
      checkAt(was, then) === checkAt(is, now) ? [] : [column],
    );
  }
}
