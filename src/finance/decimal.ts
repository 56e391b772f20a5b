import { significant } from '../core/codecs/parse-number.ts';

/** A cell holds amounts below this, and the sum of as many of them as sheets have rows. */
const LARGEST = 10n ** 300n;
const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i;

/** A decimal number that is added and multiplied without rounding: so many units of a tenth, a hundredth, … */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);
  private readonly units: bigint;
  private readonly places: number;

  private constructor(units: bigint, places: number) {
    this.units = units;
    this.places = places;
  }

  /**
   * A number of an answer, be it as text, as the decimal that it was meant as: a service that works in floats writes 30.3 as
   * 30.299999999999997, so that of a number 15 digits count, as in spreadsheets. Null for nothing and for what is no number.
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

  /** Rounded to so many decimals, half of one away from zero. */
  rounded(places: number): Decimal {
    if (this.places <= places) return this;
    const unit = 10n ** BigInt(this.places - places);
    const half = (this.units < 0n ? -unit : unit) / 2n;
    return new Decimal((this.units + half) / unit, places);
  }

  /** Below zero where this is the smaller one, above it where it is the larger. */
  compare(other: Decimal): number {
    const { units } = this.minus(other);
    return units < 0n ? -1 : units > 0n ? 1 : 0;
  }

  /** Whether a cell holds it. */
  get fits(): boolean {
    const size = this.units < 0n ? -this.units : this.units;
    return size < LARGEST || size < LARGEST * 10n ** BigInt(this.places);
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  /** In full, with a point before its decimals: `-1234.5`. */
  get text(): string {
    const digits = String(this.units < 0n ? -this.units : this.units).padStart(this.places + 1, '0');
    const whole = digits.slice(0, digits.length - this.places);
    const fraction = digits.slice(digits.length - this.places).replace(/0+$/, '');
    return `${this.units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }

  /** The number that is nearest, as a cell holds it. */
  get number(): number {
    return Number(this.text) + 0;
  }

  private at(places: number): bigint {
    return this.units * 10n ** BigInt(places - this.places);
  }
}

/** An amount of an answer; null for what is none, and for one that no cell holds. */
export function amountOf(value: unknown): Decimal | null {
  const amount = Decimal.of(value);
  return amount?.fits === true ? amount : null;
}

/** What two amounts come to when they are multiplied; null where one is missing, or where no cell holds it. */
export function productOf(one: Decimal | null, other: Decimal | null): Decimal | null {
  const found = one === null || other === null ? null : one.times(other);
  return found?.fits === true ? found : null;
}
