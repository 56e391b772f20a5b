import { type Bilingual, t } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import type { Posting, Resend } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import type { RecordReads } from './doubts.ts';
import { holdsSent } from './existing-record.ts';
import { secondBefore } from './fresh.ts';
import { EPOCH } from './listing.ts';
import { findMark, type Mark, madeSince } from './mark.ts';
import type { ContextOf } from './planning.ts';
import { askedOnce } from './shared-reading.ts';

/** A create that was sent again and went through then. */
export interface SentAgain {
  readonly body: Values;
  /** The row that sent it again, and what it made. */
  readonly posting: Posting;
  /** What was there before its run. */
  readonly mark: Mark | null;
}

/** Remembers a create that is sent again, each try of it. */
export const rememberResend = async (
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  resend: Resend,
): Promise<void> =>
  await ledger.remember(serviceKey, resource.name, 'resend', `${resend.fingerprint} ${resend.run}`, resend);

/** Says what stands beside what a create that was sent again made, as its first try came late. */
export type FindDoubles = (create: SentAgain) => Promise<readonly Bilingual[]>;

/** The doubles beside the creates that were sent again, by one run or by any. */
export async function findLateDoubles(
  context: ContextOf<Resource>,
  find: FindDoubles,
  run?: string,
): Promise<readonly { readonly posting: Posting; readonly text: Bilingual }[]> {
  const { ledger, serviceKey, resource } = context;
  const resends = [...(await ledger.recall(serviceKey, resource.name, 'resend')).values()];
  if (resends.length === 0) return [];
  const names = resends.map(({ fingerprint }) => fingerprint);
  const postings = await ledger.findPostings(serviceKey, resource.name, names);
  const found = resends.map(async ({ fingerprint, run: first, body }) => {
    const posting = postings.get(fingerprint);
    if (posting?.state !== 'done' || (run !== undefined && posting.run !== run)) return [];
    const texts = await find({ body, posting, mark: await findMark(context, first) });
    return texts.map((text) => ({ posting, text }));
  });
  return (await Promise.all(found)).flat();
}

/** Of records with an id: those written since that hold what was sent, and that no row is known to have made. */
export function findDoubles(context: ContextOf<Resource>, reads: RecordReads): FindDoubles {
  const { ledger, serviceKey, resource } = context;
  const since = askedOnce(reads.since);
  const key = 'external' in resource ? resource.external : '';
  return async ({ body, posting, mark }) => {
    const listed = await since(mark?.newest ? secondBefore(mark.newest) : EPOCH);
    if (!listed.some(({ id }) => id !== null && id === posting.id)) return [];
    const late = listed.filter(
      (record) =>
        record.id !== posting.id &&
        (record.external ?? body[key]) === body[key] &&
        madeSince(mark, record) === true &&
        holdsSent(resource, record, body, reads.same),
    );
    const ids = late.flatMap(({ id }) => id ?? []);
    const known = await ledger.findKnownIds(serviceKey, resource.name, ids);
    return ids.filter((id) => !known.has(id)).map((id) => lateText(resource, posting, id));
  };
}

function lateText(resource: Resource, { id: own, run }: Posting, late: number): Bilingual {
  const [id = ''] = resource.keys;
  return t(
    `${id} ${late} came late beside ${own}, which run ${run} sent again: delete the one that is too many`,
    `${id} ${late} kwam laat naast ${own}, dat run ${run} opnieuw verstuurde: verwijder de overbodige`,
  );
}
