import { significant } from '../core/codecs/parse-number.ts';

/** Cells hold amounts below this, and the sum of as many of them as a sheet has rows. */
const LARGEST = 10n ** 300n;
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i;

/** A decimal number, added and multiplied without rounding: a whole number of units of 10^-places. */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);
  private readonly units: bigint;
  private readonly places: number;

  private constructor(units: bigint, places: number) {
    this.units = units;
    this.places = places;
  }

  /**
   * A number of an answer, also as text; null for anything else. Of a JSON number 15 digits count, as in
   * spreadsheets: a service that works in floats writes 30.3 as 30.299999999999997.
   */
  static of(value: unknown): Decimal | null {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const text = typeof value === 'number' ? String(significant(value)) : value;
    const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
    const digits = whole + fraction;
    if (digits === '') return null;
    const units = BigInt(digits) * (sign === '-' ? -1n : 1n);
    const places = fraction.length - Number(exponent);
    return places >= 0 ? new Decimal(units, places) : new Decimal(units * 10n ** BigInt(-places), 0);
  }

  /** The sum of many; zero for none. */
  static sum(all: readonly Decimal[]): Decimal {
    return all.reduce((sum, one) => sum.plus(one), Decimal.ZERO);
  }

  plus(other: Decimal): Decimal {
    const places = Math.max(this.places, other.places);
    return new Decimal(this.at(places) + other.at(places), places);
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.units, other.places));
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.places + other.places);
  }

  /** Rounded to this many decimals, halves away from zero. */
  rounded(places: number): Decimal {
    if (this.places <= places) return this;
    const unit = 10n ** BigInt(this.places - places);
    const half = (this.units < 0n ? -unit : unit) / 2n;
    return new Decimal((this.units + half) / unit, places);
  }

  /** Negative where this is smaller, positive where it is larger. */
  compare(other: Decimal): number {
    const { units } = this.minus(other);
    return units < 0n ? -1 : units > 0n ? 1 : 0;
  }

  /** Whether a cell can hold it. */
  get fits(): boolean {
    const size = this.units < 0n ? -this.units : this.units;
    return size < LARGEST || size < LARGEST * 10n ** BigInt(this.places);
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  /** In full, with a decimal point: `-1234.5`. */
  get text(): string {
    const digits = String(this.units < 0n ? -this.units : this.units).padStart(this.places + 1, '0');
    const whole = digits.slice(0, digits.length - this.places);
    const fraction = digits.slice(digits.length - this.places).replace(/0+$/, '');
    return `${this.units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }

  /** The nearest double, as a cell holds it. */
  get number(): number {
    return Number(this.text) + 0;
  }

  private at(places: number): bigint {
    return this.units * 10n ** BigInt(places - this.places);
  }
}

/** An amount of an answer; null for what is no number, and for one that no cell can hold. */
export function amountOf(value: unknown): Decimal | null {
  const amount = Decimal.of(value);
  return amount?.fits === true ? amount : null;
}

/** The product of two amounts; null where one is missing, or where no cell can hold it. */
export function productOf(one: Decimal | null, other: Decimal | null): Decimal | null {
  const found = one === null || other === null ? null : one.times(other);
  return found?.fits === true ? found : null;
}
