import type { BigNumber } from 'bignumber.js';
import { decimalOf, ZERO } from '../../core/codecs/number.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { type FieldChange, isSending, type PlannedRow, type RowResult } from '../../core/plan.ts';
import { amountText, moneyText, nameText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
import { priceFields } from '../../records/row-warnings.ts';
import type { Resource } from '../../schema/resource.ts';

/** A price that a row changes, or a count that differs from the total. */
export interface MoneyChange {
  readonly row: number;
  /** What the row is about; empty where nothing is known. */
  readonly label: string;
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
  /** Of a price, to a tenth. */
  readonly percent?: number;
  /** What the difference of a count is worth. */
  readonly worth?: number;
}

/** What a plan comes to in money, of one sheet. */
export interface SheetComesTo {
  readonly sheet: string;
  readonly up: number;
  readonly down: number;
  /** In neither: prices without an old or a new one, old ones of 0, and counts whose value is not known. */
  readonly apart: number;
  /** Of the prices that go up or down: what they are on average, to the cent, and the change of that, to a tenth. */
  readonly average?: { readonly from: number; readonly to: number; readonly percent: number | null };
  /** What the differences of the counts are worth. */
  readonly worth?: { readonly more: number; readonly less: number; readonly total: number };
  /** The largest changes, in % or, of counts, in value. */
  readonly largest: readonly MoneyChange[];
}

/** So many of the largest are told. */
const MOST = 10;

/** A change with its size: of a price beside what it was, of a count in money. */
type Sized = Omit<MoneyChange, 'percent'> & { readonly size: number };

const percentOf = (from: BigNumber, to: BigNumber): number | null =>
  from.isZero() ? null : to.minus(from).div(from.abs()).times(100).dp(1).toNumber();

const numberOf = (value: Value): BigNumber => decimalOf(value) ?? ZERO;

/** An exact sum: of what has at most four decimals in whole numbers, which is far quicker. */
class Sum {
  private units = 0;
  private rest = ZERO;

  add(value: number): void {
    const units = Math.round(value * 10_000);
    const sum = this.units + units;
    if (units / 10_000 === value && Number.isSafeInteger(sum)) this.units = sum;
    else this.rest = this.rest.plus(numberOf(value));
  }

  get total(): BigNumber {
    return this.rest.plus(numberOf(this.units).div(10_000));
  }
}

/** Adds up what the rows of a sheet change in money, as they go by. */
export class MoneyTally {
  /** Rows were replaced since they were added. */
  isStale = false;
  private readonly resource: Resource;
  private readonly prices: readonly string[];
  private up = 0;
  private down = 0;
  private apart = 0;
  /** Of prices: all old ones, and all new ones. Of counts: what more was counted, and what less. */
  private readonly sums = [new Sum(), new Sum()] as const;
  private isStock = false;
  private readonly largest: Sized[] = [];

  constructor(resource: Resource) {
    this.resource = resource;
    this.prices = priceFields(resource);
  }

  add(planned: PlannedRow): void {
    if (!isSending(planned.action)) return;
    for (const change of planned.changes)
      if (change.worth !== undefined || this.prices.includes(change.field)) this.addChange(planned, change);
  }

  /** What they come to, none for nothing; `rows`: the rows as they are now, read where some were replaced. */
  async comesTo(sheet: string, rows: AsyncIterable<Pick<RowResult, 'planned'>>): Promise<SheetComesTo[]> {
    if (!this.isStale) return this.sum(sheet);
    const anew = new MoneyTally(this.resource);
    for await (const { planned } of rows) anew.add(planned);
    return anew.sum(sheet);
  }

  private addChange(planned: PlannedRow, { field, from, to, worth }: FieldChange): void {
    const isPrice = worth === undefined;
    if (!isPrice) this.isStock = true;
    const isNumber = typeof from === 'number' && typeof to === 'number';
    if (!isNumber || worth === null || (isPrice && from === 0)) {
      this.apart++;
      return;
    }
    const isUp = to > from;
    if (isUp) this.up++;
    else this.down++;
    this.sums[isPrice || isUp ? 0 : 1].add(isPrice ? from : worth);
    if (isPrice) this.sums[1].add(to);
    // As shown, to a tenth of a percent: of those that show the same the amount tells.
    const size = isPrice ? Math.round(Math.abs((to - from) / from) * 1000) : Math.abs(worth);
    const last = this.largest[MOST - 1];
    if (last !== undefined && bySize(last, { size, from, to }) <= 0) return;
    const more = isPrice ? {} : { worth };
    this.largest.push({ row: planned.row, label: nameText(planned), field, from, to, ...more, size });
    this.largest.sort(bySize).splice(MOST);
  }

  private sum(sheet: string): SheetComesTo[] {
    const { up, down, apart } = this;
    const [one, other] = [this.sums[0].total, this.sums[1].total];
    const count = up + down;
    if (count + apart === 0) return [];
    const worth = { more: one.toNumber(), less: other.toNumber(), total: one.plus(other).toNumber() };
    const mean = (sum: BigNumber): number => sum.div(count).dp(2).toNumber();
    return [
      {
        ...{ sheet, up, down, apart },
        ...(this.isStock
          ? { worth }
          : count > 0 && { average: { from: mean(one), to: mean(other), percent: percentOf(one, other) } }),
        largest: this.largest.map(({ size: _, ...change }) => {
          const percent = this.isStock ? null : percentOf(numberOf(change.from), numberOf(change.to));
          return percent === null ? change : { ...change, percent };
        }),
      },
    ];
  }
}

type Size = Pick<Sized, 'size' | 'from' | 'to'>;

/** The largest first; of equal ones the one of the largest amount. */
const bySize = (one: Size, other: Size): number => other.size - one.size || amountOf(other) - amountOf(one);
const amountOf = ({ from, to }: Size): number => Math.abs(Number(to) - Number(from));

/** What heads these texts, and the list of the largest changes. */
export const COMES_TO = t('What it comes to', 'Waar het op neerkomt');
export const LARGEST = t('Largest changes', 'Grootste wijzigingen');

/** What a sheet comes to, in a sentence, and its largest changes, each as a line. */
export function comesToTexts(
  { sheet, up, down, apart, average, worth, largest }: SheetComesTo,
  language: Language,
): { readonly text: string; readonly largest: readonly string[] } {
  const money = (amount: number): string => moneyText(amount, language);
  const percentText = (percent: number): string => `${PERCENT[language].format(percent)} %`;
  const said: Bilingual[] = [];
  if (worth !== undefined) {
    const [total, more, less] = [worth.total, worth.more, worth.less].map(money);
    said.push(
      t(
        `differences worth ${total} (${up} more: ${more}; ${down} less: ${less})`,
        `verschillen ter waarde van ${total} (${up} meer: ${more}; ${down} minder: ${less})`,
      ),
    );
    if (apart > 0) said.push(t(`value unknown: ${apart}`, `waarde onbekend: ${apart}`));
  } else {
    said.push(t(`prices up: ${up}, down: ${down}`, `prijzen omhoog: ${up}, omlaag: ${down}`));
    if (average !== undefined) {
      const [from, to] = [average.from, average.to].map(money);
      const percent = average.percent === null ? '' : ` (${percentText(average.percent)})`;
      said.push(
        t(`on average from ${from} to ${to}${percent}`, `gemiddeld van ${from} naar ${to}${percent}`),
      );
    }
    if (apart > 0)
      said.push(t(`without an old or a new price: ${apart}`, `zonder oude of nieuwe prijs: ${apart}`));
  }
  return {
    text: `${sheet}: ${said.map((one) => one[language]).join('; ')}.`,
    largest: largest.map(({ row, label, from, to, percent, worth: by = 0 }) => {
      const [was, is] = [from, to].map((one) => amountText(one, percent !== undefined, language));
      const place = `${t('row', 'rij')[language]} ${row} ${label}`.trimEnd();
      return `${place}: ${was} → ${is} (${percent === undefined ? money(by) : percentText(percent)})`;
    }),
  };
}

const percentFormat = (language: Language): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const PERCENT = { en: percentFormat('en'), nl: percentFormat('nl') };
