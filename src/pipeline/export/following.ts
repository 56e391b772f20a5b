import { hash } from 'node:crypto';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import { Reading } from './clock-edges.ts';
import type { ExportedResource } from './lists/exporter.ts';
import { momentIn, numberIn } from './lists/record-members.ts';
import type { ReadRecord } from './read-records.ts';

/** How far the exports of a kind from a service are. Plain data, as the ledger keeps it. */
export interface Watermark {
  /** The next export begins with what was modified after this moment of the service's clock. */
  readonly from: string;
  /** What the last one held of what is modified after it: records' keys by what they were. */
  readonly held: Readonly<Record<string, readonly string[]>>;
}

/** Above so many, what is too old to be held is let go now and then. */
const MANY = 50_000;

const factName = ({ name }: ExportedResource): string => `export of ${name}`;

/** Where the last export of a resource ended; undefined where there was none. */
export async function findWatermark(
  { ledger, serviceKey }: Context,
  resource: ExportedResource,
): Promise<Watermark | undefined> {
  const fact = await ledger.findFact(serviceKey, factName(resource));
  return fact === undefined ? undefined : (JSON.parse(fact) as Watermark);
}

/** To be called once the export is where it belongs. */
export async function rememberWatermark(
  { ledger, serviceKey }: Context,
  resource: ExportedResource,
  mark: Watermark,
): Promise<void> {
  await ledger.rememberFact(serviceKey, factName(resource), JSON.stringify(mark));
}

interface Seen {
  readonly lmt: string;
  /** What the record was, to tell it from what it becomes. */
  readonly stamp: string;
}

/**
 * Follows a list from export to export: passes by what the last export held already, and tells where the next one is to begin: where
 * this one's reading began, so that what was written while it was read, and was not read, is in the next.
 */
export class Following {
  private readonly held = new Map<string, string>();
  private readonly seen = new Map<string, Seen>();
  private readonly reading: Reading;
  private at: string | null = null;
  private before = '';
  private readonly resource: ExportedResource;
  private readonly modified: string;
  private readonly mark: Watermark | undefined;

  constructor(resource: ExportedResource, mark: Watermark | undefined, now: Date) {
    this.resource = resource;
    this.modified = modifiedIn(resource);
    this.mark = mark;
    this.reading = new Reading(now);
    for (const [stamp, keys] of Object.entries(mark?.held ?? {}))
      for (const key of keys) this.held.set(key, stamp);
  }

  /** The records that the last export did not hold as they are. */
  fresh(records: readonly ReadRecord[]): ReadRecord[] {
    // What the records of this batch move it by makes no difference to them: a little more is kept.
    const oldest = this.oldest();
    return records.filter((one) => {
      const [key, lmt] = [this.keyOf(one), momentIn(one.record, this.modified)];
      if (key === null || lmt === null) return true;
      this.reading.saw(lmt);
      const [held, keeps] = [this.held.get(key), lmt >= oldest];
      if (held === undefined && !keeps) return true;
      const stamp = isExact(lmt) ? lmt : `${lmt} ${hashOf(one)}`;
      if (keeps) this.keep(key, { lmt, stamp });
      return held !== stamp;
    });
  }

  /** Where the next export is to begin; undefined where nothing tells. */
  next(): Watermark | undefined {
    const began = this.reading.began();
    if (began === null) return undefined;
    // A clock that went back since does not take the mark back: of what comes before it nobody would know what was held.
    const from = this.mark !== undefined && this.mark.from > began ? this.mark.from : began;
    const held: Record<string, string[]> = {};
    for (const [key, { lmt, stamp }] of this.seen) {
      if (lmt < from) continue;
      held[stamp] ??= [];
      held[stamp].push(key);
    }
    return { from, held };
  }

  /** What there is to say of where the next export begins. */
  notes(): Bilingual[] {
    const { ahead } = this.reading;
    return ahead === null ? [] : [aheadText(this.modified, ahead.slice(0, 19))];
  }

  private keyOf({ record }: ReadRecord): string | null {
    const id = 'id' in this.resource ? numberIn(record, this.resource.id) : null;
    return id === null ? null : String(id);
  }

  private keep(key: string, seen: Seen): void {
    this.seen.set(key, seen);
    if (this.seen.size % MANY !== 0) return;
    const oldest = this.oldest();
    for (const [one, { lmt }] of this.seen) if (lmt < oldest) this.seen.delete(one);
  }

  /** What is older can't be what the next export would list again. */
  private oldest(): string {
    const { newest } = this.reading;
    if (newest !== this.at) {
      this.at = newest;
      this.before = this.reading.before() ?? '';
    }
    return this.before;
  }
}

function hashOf({ known }: ReadRecord): string {
  return hash('sha1', JSON.stringify(known?.values ?? null), 'base64url').slice(0, 12);
}

/** Whether a moment tells two writes of one record apart by itself: one to the second may stand for several. */
const isExact = (lmt: string): boolean => /\.\d*[1-9]/.test(lmt);

const aheadText = (member: string, moment: string): Bilingual => ({
  en: `${member} ${moment} lies ahead of this machine's clock: it does not count for where --since last goes on`,
  nl: `${member} ${moment} ligt voor op de klok van deze computer: het telt niet mee voor waar --since last verdergaat`,
});

const modifiedIn = (resource: ExportedResource): string =>
  'modified' in resource ? resource.modified : 'LMT';
