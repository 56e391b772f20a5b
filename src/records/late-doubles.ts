import { type Bilingual, t } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import type { Posting, Resend } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { findMark, type Mark, madeSince } from './mark.ts';
import type { ContextOf } from './planning.ts';

/** Remembers, before a create is sent again, what the try of a run sent that was not answered. */
export async function rememberResend(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  { fingerprint, run, body }: Resend,
): Promise<void> {
  await ledger.rememberResend(serviceKey, resource.name, { fingerprint, run, body });
}

/** A create that was sent again and went through then. */
export interface SentAgain {
  readonly body: Values;
  /** The row that sent it again, and what it made. */
  readonly posting: Posting;
  /** What was there before its run. */
  readonly mark: Mark | null;
}

/** The first try of a create that was sent again came late: what was sent is there twice. */
export interface LateDouble {
  readonly posting: Posting;
  readonly text: Bilingual;
}

/** Looks for what came late beside creates that were sent again, in as few requests as it takes. */
export type FindDoubles = (creates: readonly SentAgain[]) => Promise<readonly LateDouble[]>;

/** The doubles beside the creates that were sent again, by one run or by any. */
export async function findLateDoubles(
  context: ContextOf<Resource>,
  find: FindDoubles,
  run?: string,
): Promise<readonly LateDouble[]> {
  const { ledger, serviceKey, resource } = context;
  const resends = await ledger.findResends(serviceKey, resource.name);
  if (resends.length === 0) return [];
  const names = resends.map(({ fingerprint }) => fingerprint);
  const postings = await ledger.findPostings(serviceKey, resource.name, names);
  const creates: SentAgain[] = [];
  for (const { fingerprint, run: first, body } of resends) {
    const posting = postings.get(fingerprint);
    if (posting?.state !== 'done' || (run !== undefined && posting.run !== run)) continue;
    creates.push({ body, posting, mark: await findMark(context, first) });
  }
  return creates.length === 0 ? [] : await find(creates);
}

/** Of listed records, those that hold what a create sent and that no row is known to have made. */
export async function doublesAmong(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  { body, posting, mark }: SentAgain,
  listed: readonly ExistingRecord[],
  holds: (existing: ExistingRecord, body: Values) => boolean,
): Promise<LateDouble[]> {
  const key = 'external' in resource ? body[resource.external] : undefined;
  const isOwn = ({ id }: ExistingRecord): boolean => id !== null && id === posting.id;
  const isLate = (record: ExistingRecord): boolean =>
    (record.external ?? key) === key && madeSince(mark, record) === true && holds(record, body);
  if (!listed.some(isOwn)) return [];
  const ids = listed.flatMap((one) => (!isOwn(one) && isLate(one) && one.id) || []);
  const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
  const late = ids.filter((id) => !known.has(id));
  return late.map((id) => ({ posting, text: lateText(resource, posting, id) }));
}

function lateText(resource: Resource, { id: own, run }: Posting, late: number): Bilingual {
  const [id = ''] = resource.keys;
  return t(
    `${id} ${late} came late beside ${own}, which run ${run} sent again: delete the one that is too many`,
    `${id} ${late} kwam laat naast ${own}, dat run ${run} opnieuw verstuurde: verwijder de overbodige`,
  );
}
