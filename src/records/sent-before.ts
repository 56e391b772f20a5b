import { createHash } from 'node:crypto';
import type { PlannedRow, Step } from '../core/plan.ts';
import { needsWork, statusText } from '../core/row-text.ts';
import { eachRow, type Posting, type StoredResult } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';

/** What a row sends. */
type Content = PlannedRow['steps'][number]['body'];

/**
 * Names what a row sends so that the same row of the same file has the same name again, and no other has it.
 */
export interface Fingerprints {
  /** By the user's own `#key`, else by content with its ordinal among equal rows of the file. */
  of(key: string | null, content: Content): string;
  /**
   * The names of a row that came back with its number in its file (`#row`), without the rows that stood
   * beside it there: equal rows of that file are told from it by their numbers. One name for each of the ways
   * in which its content may be put.
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
 * Tells whether what was sent under one of these names was another row of the file in which a row has this
 * number. That it was the same file shows from its run, which left a row of this number to be worked on;
 * where it does not, equal content is the same row, as ever.
 */
function createNumberCheck(
  context: Context,
  resource: string,
): (names: readonly string[], number: number) => Promise<boolean> {
  const left = new Map<string, Promise<ReadonlySet<number>>>();
  const leftBy = (run: string, sheet: string): Promise<ReadonlySet<number>> => {
    const place = JSON.stringify([run, sheet]);
    const known = left.get(place) ?? rowsLeft(context, run, sheet);
    left.set(place, known);
    return known;
  };
  const isAnothers = async (posting: Posting, number: number): Promise<boolean> => {
    const sent = await sentRow(context, posting);
    if (sent === undefined || sent.planned.row === number) return false;
    return (await leftBy(posting.run, sent.planned.sheet)).has(number);
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

/** Cut off after it took its place and before its request was about to go out: the place is free again. */
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

/** A step that takes place anew each time; it may have been sent before under its other names. */
export function postStep(
  endpoint: string,
  body: Step['body'],
  [fingerprint = '', ...also]: readonly string[],
): Step {
  return { purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) };
}
