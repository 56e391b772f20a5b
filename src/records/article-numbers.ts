import { type Finding, shorten } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { Value } from '../core/value.ts';

/** Why a number names no record. */
type NumberFinding = Required<Pick<Finding, 'code' | 'hint'>>;

/** To look for what is near to a number takes as long as planning many rows. */
const MOST_LOOKS = 100;
/** Records that share a number and are named. */
const MOST_NAMED = 10;

/** A record with such a number. */
interface Numbered {
  readonly id: number;
  readonly name: Value | undefined;
  /** Its Artikelnummer. */
  readonly article?: Value | undefined;
}

/** Records by numbers that lists alone tell: as these stand there, with their zeros, letters and hyphens. */
export class ArticleNumbers {
  /** Lists may lack records: then no number is told to be of one alone. */
  lacks = false;
  private readonly known = new Map<string, Numbered[]>();
  private readonly sheets: Bilingual;
  private looks = 0;

  /** `sheets`: where the records stand, for people. */
  constructor(sheets: Bilingual) {
    this.sheets = sheets;
  }

  /** Takes a listed record by one of its numbers. */
  add(record: Numbered, number: Value | undefined): void {
    if (typeof number !== 'string') return;
    const those = this.of(number);
    if (those.length === 0) this.known.set(number.normalize(), [record]);
    else if (those.every(({ id }) => id !== record.id)) (those as Numbered[]).push(record);
  }

  /** The one record with a number; the one with the id `own` where that is one of several. */
  find(number: string, own?: number | null): Numbered | NumberFinding {
    if (this.lacks) return { code: 'lookup-unreadable', hint: INCOMPLETE };
    const those = this.of(number);
    const [first] = those;
    if (first === undefined) return { code: 'record-missing', hint: this.missing(number) };
    const found = those.length === 1 ? first : those.find(({ id }) => id === own);
    return found ?? { code: 'reference-ambiguous', hint: this.named(number) };
  }

  private of(number: string): readonly Numbered[] {
    return this.known.get(number.normalize()) ?? [];
  }

  private named(number: string): string {
    const those = this.of(number);
    const first = those.slice(0, MOST_NAMED).map(({ id, name }) => `${id} (${shorten(String(name ?? ''))})`);
    return [...first, ...(those.length > MOST_NAMED ? [`… (${those.length})`] : [])].join(', ');
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
