import { type Finding, shorten } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { Value } from '../core/value.ts';

/** Why a number names no record. */
type NumberFinding = Required<Pick<Finding, 'code' | 'hint'>>;

/** To look for what is near to a number takes as long as planning many rows. */
const MOST_LOOKS = 200;
/** Records that share a number and are named. */
const MOST_NAMED = 10;

/** Records by numbers that lists alone tell: as these stand there, with their zeros, letters and hyphens. */
export class ArticleNumbers {
  /** Lists may lack records: then no number is told to be of one alone. */
  lacks = false;
  private readonly known = new Map<string, Map<number, string>>();
  private readonly sheets: Bilingual;
  private looks = 0;

  /** `sheets`: where the records stand, for people. */
  constructor(sheets: Bilingual) {
    this.sheets = sheets;
  }

  /** Takes a listed record by one of its numbers. */
  add(id: number, label: Value | undefined, number: Value | undefined): void {
    if (typeof number !== 'string') return;
    const text = number.normalize();
    const those = this.known.get(text) ?? new Map<number, string>();
    this.known.set(text, those.set(id, `${id} (${shorten(String(label ?? ''))})`));
  }

  /** The one record with a number; `own` where that is one of several. */
  find(number: string, own: Value = null): number | NumberFinding {
    if (this.lacks) return { code: 'lookup-unreadable', hint: INCOMPLETE };
    const ids = [...(this.known.get(number.normalize())?.keys() ?? [])];
    const [first] = ids;
    if (first === undefined) return { code: 'record-missing', hint: this.missing(number) };
    const found = ids.length === 1 ? first : ids.find((id) => id === own);
    return found ?? { code: 'reference-ambiguous', hint: this.named(number) };
  }

  private named(number: string): string {
    const all = [...(this.known.get(number.normalize())?.values() ?? [])];
    const more = all.length > MOST_NAMED ? [`… (${all.length})`] : [];
    return [...all.slice(0, MOST_NAMED), ...more].join(', ');
  }

  /** Where it was looked for, and the numbers like it with their records. */
  private missing(number: string): Bilingual {
    const near = this.looks++ < MOST_LOOKS ? nearest(number, this.known.keys()) : [];
    if (near.length === 0) return this.sheets;
    const all = near.map((one) => `${one}: ${this.named(one)}`).join('; ');
    return t(`${this.sheets.en} (nearest: ${all})`, `${this.sheets.nl} (lijkt erop: ${all})`);
  }
}

const INCOMPLETE = t(
  'the service’s list came incomplete, so that others may have this number too',
  'de lijst van het systeem kwam onvolledig binnen, dus andere kunnen dit nummer ook hebben',
);
