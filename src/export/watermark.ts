import { hash } from 'node:crypto';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import { listerOf } from '../lists/lists.ts';
import { momentIn, numberIn } from '../records/existing-record.ts';
import { type ExportedRecord, type ExportedResource, ListReading } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';

/** A listed record. */
export interface ReadRecord {
  readonly record: AnswerRecord;
  /** As an import knows it; null where an import would not find it, and it has no row. */
  readonly known: ExportedRecord | null;
}

/** How far the exports of a resource from a service are, as plain data in the ledger. */
interface Watermark {
  /** The next export holds what was modified after this moment of the service's clock. */
  readonly from: string;
  /** What the last export held of that: record keys by LMT, with a digest where LMT is not exact. */
  readonly held: Readonly<Record<string, readonly string[]>>;
}

/** What the ledger calls the watermark of a resource. */
const watermarkFact = ({ name }: Pick<ExportedResource, 'name'>): string => `export of ${name}`;

/** The watermark of the last export of a resource; undefined where there was none. */
export async function findWatermark(
  { ledger, serviceKey }: Context,
  resource: ExportedResource,
): Promise<Watermark | undefined> {
  const fact = await ledger.findFact(serviceKey, watermarkFact(resource));
  return fact === undefined ? undefined : (JSON.parse(fact) as Watermark);
}

/** Saves a watermark, once the export is in place. */
export async function rememberWatermark(
  { ledger, serviceKey }: Context,
  resource: ExportedResource,
  mark: Watermark,
): Promise<void> {
  await ledger.rememberFact(serviceKey, watermarkFact(resource), JSON.stringify(mark));
}

/**
 * Skips what the last export held already, and finds the next watermark: the moment this reading began, so
 * that what was written during it is in the next export.
 */
export function followWatermark(resource: ExportedResource, mark: Watermark | undefined, time: Time) {
  const held = new Map<string, string>();
  const reading = new ListReading(time);
  /** What came that is so recent that the next export may hold it again: its stamp, which begins with its LMT. */
  const stamps = new Map<string, string>();
  let most = MANY;
  let came = 0;
  const modified = modifiedIn(resource);
  for (const [stamp, keys] of Object.entries(mark?.held ?? {})) for (const key of keys) held.set(key, stamp);

  /** The records that are new or changed since the last export. */
  function fresh(records: readonly ReadRecord[]): ReadRecord[] {
    // Taken before this batch moves it: at worst a little more is kept.
    const oldest = reading.before() ?? '';
    if (stamps.size > most) {
      for (const [key, stamp] of stamps) if (stamp < oldest) stamps.delete(key);
      most = stamps.size + MANY;
    }
    came += records.length;
    return records.filter((one) => {
      const [key, lmt] = [keyOf(one), momentIn(one.record, modified)];
      if (key === null || lmt === null) return true;
      reading.saw(lmt);
      const [before, keeps] = [held.get(key), lmt >= oldest];
      if (before === undefined && !keeps) return true;
      const stamp = isExact(lmt) ? lmt : `${lmt} ${hashOf(one)}`;
      if (keeps) stamps.set(key, stamp);
      return before !== stamp;
    });
  }

  /** The next watermark; undefined where no record had a moment. */
  function next(): Watermark | undefined {
    const began = reading.began();
    if (began === null) return undefined;
    // A clock that went back does not take the watermark back: before it, nothing tells what was held.
    const from = mark !== undefined && mark.from > began ? mark.from : began;
    const held: Record<string, string[]> = {};
    for (const [key, stamp] of stamps) {
      if (stamp < from) continue;
      held[stamp] ??= [];
      held[stamp].push(key);
    }
    return { from, held };
  }

  /** Notes on where the next export begins. */
  function notes(): Bilingual[] {
    const { newest } = reading;
    return [
      ...(mark === undefined ? [FIRST] : []),
      ...(newest === null && came > 0 ? [untoldText(modified)] : []),
    ];
  }

  function keyOf({ record }: ReadRecord): string | null {
    const id = 'id' in resource ? numberIn(record, resource.id) : null;
    return id === null ? null : String(id);
  }

  return { fresh, next, notes };
}

function hashOf({ known }: ReadRecord): string {
  return hash('sha1', JSON.stringify(known?.values ?? null), 'base64url').slice(0, 12);
}

/** Whether LMT alone tells two writes apart: one without a fraction of a second may stand for several. */
const isExact = (lmt: string): boolean => /\.\d*[1-9]/.test(lmt);

/** From so many stamps on old ones are dropped. */
const MANY = 50_000;

const FIRST: Bilingual = t(
  'no earlier export of these records from this service is known: this one holds everything',
  'er is geen eerdere export van deze records van dit systeem bekend: deze bevat alles',
);

const untoldText = (member: string): Bilingual =>
  withFlag(
    t(
      `no ${member} tells when these records were written: the next export since the last one begins where this one did, and holds them again`,
      `geen ${member} zegt wanneer deze records geschreven zijn: de volgende export sinds de vorige begint waar deze begon, en bevat ze opnieuw`,
    ),
    '--since last',
  );

const modifiedIn = (resource: ExportedResource): string => listerOf(resource).modified?.(resource) ?? 'LMT';
