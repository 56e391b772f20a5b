import { type Bilingual, t } from '../core/language.ts';

/** So many are named in one line. */
const NAMED = 20;

/** The first of many names, in one line. */
export function firstOf(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}

/** Why a product is not in a stock sheet. */
type Why = 'unread' | 'unknown' | 'several' | 'untold';

const WHY: Readonly<Record<Why, Bilingual>> = {
  unread: t('left out, as no product can be read there', 'weggelaten, omdat daar geen product te lezen is'),
  unknown: t(
    'left out, as the service has no product of that number',
    'weggelaten, omdat de dienst geen product met dat nummer heeft',
  ),
  several: t(
    'left out, as more than one product has that number',
    'weggelaten, omdat meer dan één product dat nummer heeft',
  ),
  untold: t(
    'left out, as the service tells no total of it that can be added up',
    'weggelaten, omdat de dienst er geen totaal van geeft dat op te tellen is',
  ),
};

/** What was to be in a stock sheet and is not, each by why. */
export class LeftOut {
  private readonly names = new Map<Why, string[]>();

  /** A product by the number that names it, or what names none by its cell. */
  add(why: Why, name: string): void {
    const known = this.names.get(why) ?? [];
    this.names.set(why, known);
    known.push(name);
  }

  /** Whether anything was. */
  get any(): boolean {
    return this.names.size > 0;
  }

  /** A line for each reason. */
  notes(): Bilingual[] {
    return [...this.names].map(([why, names]) => {
      return t(`${WHY[why].en}: ${firstOf(names)}`, `${WHY[why].nl}: ${firstOf(names)}`);
    });
  }
}
