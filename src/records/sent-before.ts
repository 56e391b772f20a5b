import { createHash } from 'node:crypto';
import { t } from '../core/language.ts';
import type { PlannedRow, Step } from '../core/plan.ts';
import { needsWork, statusText } from '../core/row-text.ts';
import type { Bilingual } from '../core/value.ts';
import { eachRow, type Posting, type StoredResult } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { askedOnce } from './asked-once.ts';

/** What a row sends. */
type Content = PlannedRow['steps'][number]['body'];

/** Names what rows send: the same row of the same file gets the same name again, and no other row does. */
export interface Fingerprints {
  /** By the user's own `#key`, else by content with its ordinal among equal rows of the file. */
  of(key: string | null, content: Content): string;
  /**
   * The names of a row that came back with its number in its file (`#row`) and without the rows beside it:
   * its number tells it from equal rows of that file. One name for each way in which its content may be put.
   */
  ofNumbered(contents: readonly Content[], number: number): Promise<string[]>;
}

/** The name of a row with a `#key`. */
export const byReference = (key: string): string => `key:${key}`;

const BY_CONTENT = 'content:';

/** Whether a row that the user gave no name has this one. */
export const isByContent = (fingerprint: string): boolean => fingerprint.startsWith(BY_CONTENT);

/** One serves all sheets of a resource in a run: equal rows on two sheets are two rows. */
export function createFingerprints(context: Context, resource: string): Fingerprints {
  const seen = new Map<string, number>();
  const chosen = new Set<string>();
  const isAnothers = createNumberCheck(context, resource);
  let choosing: Promise<unknown> = Promise.resolve();
  const choose = async (contents: readonly Content[], number: number): Promise<string[]> => {
    const hashes = contents.map(hashOf);
    for (let ordinal = 1; ; ordinal++) {
      const names = hashes.map((hash) => nameOf(hash, ordinal));
      if (names.some((name) => chosen.has(name)) || hashes.some((hash) => (seen.get(hash) ?? 0) >= ordinal))
        continue;
      if (await isAnothers(names, number)) continue;
      for (const name of names) chosen.add(name);
      return names;
    }
  };
  return {
    of(key, content) {
      if (key !== null) return byReference(key);
      const hash = hashOf(content);
      let ordinal = (seen.get(hash) ?? 0) + 1;
      while (chosen.has(nameOf(hash, ordinal))) ordinal++;
      seen.set(hash, ordinal);
      return nameOf(hash, ordinal);
    },
    ofNumbered(contents, number) {
      // One after the other: two equal rows must not choose the same name.
      const names = choosing.then(() => choose(contents, number));
      choosing = names.catch(() => {});
      return names;
    },
  };
}

const nameOf = (hash: string, ordinal: number): string => `${BY_CONTENT}${hash}:${ordinal}`;

function hashOf(content: Content): string {
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 27);
}

/**
 * Tells whether another row of the same file was sent under one of these names. It is the same file if that
 * run left a row of this number to be worked on; if not, equal content is the same row.
 */
function createNumberCheck(
  context: Context,
  resource: string,
): (names: readonly string[], number: number) => Promise<boolean> {
  const leftBy = askedOnce((_place: string, run: string, sheet: string) => rowsLeft(context, run, sheet));
  const isAnothers = async (posting: Posting, number: number): Promise<boolean> => {
    const sent = await sentRow(context, posting);
    if (sent === undefined || sent.planned.row === number) return false;
    const { run } = posting;
    const { sheet } = sent.planned;
    return (await leftBy(JSON.stringify([run, sheet]), run, sheet)).has(number);
  };
  return async (names, number) => {
    const postings = await context.ledger.findPostings(context.serviceKey, resource, names);
    for (const posting of postings.values()) if (await isAnothers(posting, number)) return true;
    return false;
  };
}

/** The numbers of a sheet's rows that a run left to be worked on. */
async function rowsLeft({ ledger }: Context, run: string, sheet: string): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for await (const result of eachRow(ledger, run, { sheet }))
    if (needsWork(statusText(result, false))) numbers.add(result.planned.row);
  return numbers;
}

/** The row that posted it, in the run that did. */
export async function sentRow({ ledger }: Context, { run, seq }: Posting): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Whether its run was cut off before the request went out; its place in the ledger is then free again. */
export async function neverSent(context: Context, resource: string, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive } = context;
  const row = await sentRow(context, posting);
  if (!exclusive || row === undefined || row.outcome !== null || row.progress?.sendingSince != null)
    return false;
  await ledger.settlePosting(serviceKey, resource, posting.fingerprint, null, false);
  return true;
}

/** What earlier runs sent under these names; of several names the first that was used counts. */
export async function findPosted(
  { ledger, serviceKey }: Context,
  { name }: Resource,
  fingerprints: readonly string[],
): Promise<(names: readonly string[]) => Posting | undefined> {
  const postings = await ledger.findPostings(serviceKey, name, fingerprints);
  return (names) => names.map((one) => postings.get(one)).find((found) => found !== undefined);
}

/** A step that takes place anew each time; the other names are those it may have been sent under before. */
export function postStep(
  endpoint: string,
  body: Step['body'],
  [fingerprint = '', ...also]: readonly string[],
): Step {
  return { purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) };
}

/** Why a posting that may have taken place is not sent again, with the ways out; `totals` help to tell. */
export async function doubtfulText(
  context: Context,
  posting: Posting,
  totals: Bilingual | null = null,
): Promise<Bilingual> {
  const { run, at } = posting;
  const sent = (await sentRow(context, posting))?.planned;
  const where = sent === undefined ? '' : `${sent.sheet}!${sent.row}`;
  const [en, nl] = totals === null ? ['', ''] : [` (${totals.en})`, ` (${totals.nl})`];
  return t(
    `run ${run} sent it at ${at} and no answer is known, so it is not sent again by itself${en}. Is it not there: catersheet apply ${run} --resend "${where}"; is it there: --done "${where}"`,
    `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd${nl}. Staat het er niet: catersheet apply ${run} --resend "${where}"; staat het er wel: --done "${where}"`,
  );
}
