import { type Bilingual, composed, t } from '../core/language.ts';
import type { Values } from '../core/value.ts';
import type { Posting, Resend } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import type { ExistingRecord } from './existing-record.ts';
import { findMark, type Mark, madeSince } from './mark.ts';
import type { ContextOf } from './planning.ts';

/** Remembers, before a create is sent again, what the try of a run sent that was not answered. */
export async function rememberResend(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  { fingerprint, run, body }: Omit<Resend, 'late'>,
): Promise<void> {
  await ledger.rememberResend(serviceKey, resource.name, { fingerprint, run, body, late: [] });
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
  const own = listed.find(({ id }) => id !== null && id === posting.id);
  if (own === undefined) return [];
  const alike = listed.filter((record) => {
    if (record.id === null || record.id === own.id || !holds(record, body)) return false;
    return record.external === null ? madeSince(mark, record) === true : record.external === key;
  });
  const known = await ledger.findKnownIds(
    serviceKey,
    resource.name,
    alike.flatMap(({ id }) => id ?? []),
  );
  return alike.flatMap(({ id, external }) =>
    id === null || (external === null && known.has(id))
      ? []
      : { keys: [`id:${own.id}`, `id:${id}`], posting, text: lateText(resource, posting, id) },
  );
}

/** What a plan says of them: both are named. */
export async function doubleNotes(context: ContextOf<Resource>, find: FindDoubles): Promise<Bilingual[]> {
  const { sheet } = context.resource;
  return (await findLateDoubles(context, find)).map(({ text }) =>
    composed([text], ({ en, nl }) => t(`${sheet}: ${en}.`, `${sheet}: ${nl}.`)),
  );
}

function lateText(resource: Resource, { id: own, run }: Posting, late: number): Bilingual {
  const [id = ''] = resource.keys;
  const out =
    'remove' in resource.requests
      ? t(
          `delete the one that is too many: #action delete and ${id}, with --allow-delete`,
          `verwijder de overbodige: #action delete en ${id}, met --allow-delete`,
          t(
            `delete the one that is too many in ${resource.sheet}`,
            `verwijder de overbodige in ${resource.sheet}`,
          ),
        )
      : t(
          `the service can't delete these, so remove ${late} there by hand`,
          `het systeem kan ze niet verwijderen, dus haal ${late} daar met de hand weg`,
        );
  return composed([out], ({ en, nl }) =>
    t(
      `${id} ${late} came late beside ${own}, which run ${run} sent again: ${en}`,
      `${id} ${late} kwam laat naast ${own}, dat run ${run} opnieuw verstuurde: ${nl}`,
    ),
  );
}
