import { createHash } from 'node:crypto';
import type { PlannedRow, Step } from '../core/plan.ts';
import type { Posting, StoredResult } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { elsewhereText, openElsewhere } from '../run/posted-elsewhere.ts';
import type { Resource } from '../schema/resource.ts';
import type { ContextOf } from './planning.ts';
import type { RowDecision } from './row-decision.ts';

type Content = PlannedRow['steps'][number]['body'];

/** The name of a row with a `#key`. */
export const byReference = (key: string): string => `key:${key}`;

/** Names what rows send: the same row of the same file gets the same name again, and no other row does. */
export type NameContent = (key: string | null, content: Content) => string;

/**
 * Names rows by the user's own `#key`, else by content with its ordinal among equal rows of the file. One
 * serves all sheets of a resource in a run: equal rows on two sheets are two rows.
 */
export function createNaming(): NameContent {
  const seen = new Map<string, number>();
  return (key, content) => {
    if (key !== null) return byReference(key);
    const hash = hashOf(content);
    const ordinal = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, ordinal);
    return `content:${hash}:${ordinal}`;
  };
}

export function hashOf(content: Content): string {
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 27);
}

/** The row that posted it, in the run that did. */
export async function sentRow(
  { ledger }: Context,
  { run, seq }: Pick<Posting, 'run' | 'seq'>,
): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Whether a run was cut off before its request went out; its place in the ledger is then free again. */
export async function neverSent(context: ContextOf<Resource>, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive, resource } = context;
  if (posting.state !== 'sending' || !exclusive) return false;
  const row = await sentRow(context, posting);
  if (row === undefined || row.outcome !== null || row.progress?.sendingSince != null) return false;
  await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null);
  return true;
}

/** What earlier runs sent under these names, here and elsewhere; of several the first used one counts. */
export async function findPosted(context: ContextOf<Resource>, fingerprints: readonly string[]) {
  const { ledger, serviceKey, resource } = context;
  const others = await (await openElsewhere(context, resource.name))(fingerprints);
  const postings = await ledger.findPostings(serviceKey, resource.name, fingerprints);
  const first = <P>(among: ReadonlyMap<string, P>, names: readonly string[]): P | undefined =>
    names.map((one) => among.get(one)).find((found) => found !== undefined);
  const there = (names: readonly string[]) => first(others, names);
  return {
    /** Unless it was certainly not sent. Of most rows nothing was, and nothing is to be waited for. */
    here(names: readonly string[]): Promise<Posting | undefined> | undefined {
      const posting = first(postings, names);
      return posting && neverSent(context, posting).then((isNever) => (isNever ? undefined : posting));
    },
    there,
    /** A row that would be posted, unless the same was at another address. */
    unlessElsewhere(decision: RowDecision, names: readonly string[]): RowDecision {
      const other = decision.action === 'create' ? there(names) : undefined;
      return other === undefined ? decision : { action: 'conflict', message: elsewhereText(other) };
    },
  };
}

/** A step that takes place anew each time; the other names are those it may have been sent under before. */
export function postStep(
  endpoint: string,
  body: Step['body'],
  [fingerprint = '', ...also]: readonly string[],
): Step {
  return { purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) };
}

/** The moment that a wall clock wrote down. */
export const momentOf = (at: string): Date => new Date(at.replace(' ', 'T'));
