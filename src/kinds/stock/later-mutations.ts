import type { RowDependency } from '../../core/plan.ts';
import type { RunOf } from '../../records/planning.ts';
import { byReference, neverSent } from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { CountedAmount, CountResource } from '../../schema/resource.ts';
import { ofKind } from '../kind.ts';
import { sentMutations } from './sent-mutations.ts';
import { toMicros } from './stock-total.ts';
import { isUndoKey, takenBackBy } from './stock-undo.ts';

/** What a mutation sends. */
export type Body = Readonly<Record<string, unknown>>;

/** A mutation of a product that this program posted, or may have. */
interface PostedMutation {
  readonly body: Body;
  readonly run: string;
  /** No answer to it is known. */
  readonly inDoubt: boolean;
}

/**
 * What the total holds by now of mutations later than a moment, in millionths; or what makes that unclear:
 * one in another unit, one in doubt, or one on the day of a moment that has no time of day.
 */
export type LaterMutations =
  | { readonly micros: bigint }
  | { readonly unclear: 'unit' | 'doubt' | 'day'; readonly run: string };

/** Adds up what earlier runs posted on a product after a moment, by the ledger alone. */
export function createLaterFinder(context: RunOf<CountResource>) {
  const since = askedOnce((from: string) => mutationsSince(context, from));
  return async (product: number, moment: string, amount: CountedAmount): Promise<LaterMutations> => {
    const posted = (await since(monthBefore(moment))).get(product) ?? [];
    return addUp(context.resource, posted, moment, amount);
  };
}

/** Adds what mutations that a row waited for, and that are posted by now, did after a moment. */
export async function laterInPlan(
  context: RunOf<CountResource>,
  needs: readonly RowDependency[],
  moment: string,
  amount: CountedAmount,
): Promise<LaterMutations> {
  const { run, resource } = context;
  const posted = (await neededMutations(context, needs)).map((body) => ({ body, run, inDoubt: false }));
  return addUp(resource, posted, moment, amount);
}

/** What the mutations post that a row waits for. */
export async function neededMutations(
  { ledger, run }: RunOf<CountResource>,
  needs: readonly RowDependency[],
): Promise<Body[]> {
  const rows = await Promise.all(needs.map((need) => ledger.plannedFor(run, need.resource, need.key)));
  const steps = rows.flat().flatMap((row) => row.steps.filter(({ purpose }) => purpose === 'post'));
  return steps.map(({ body }) => body);
}

function addUp(
  resource: CountResource,
  posted: readonly PostedMutation[],
  moment: string,
  amount: CountedAmount,
): LaterMutations {
  let micros = 0n;
  for (const { body, run, inDoubt } of posted) {
    const when = momentText(body[resource.moment]);
    if (when <= moment) continue;
    if (inDoubt) return { unclear: 'doubt', run };
    if (isUnclearDay(moment, when)) return { unclear: 'day', run };
    const moved = movedIn(resource, body, amount);
    if (moved === null) return { unclear: 'unit', run };
    micros += moved;
  }
  return { micros };
}

/** What a mutation posts, in millionths; null where it posts in the other unit, or in both. */
export function movedIn({ amounts }: CountResource, body: Body, { sent }: CountedAmount): bigint | null {
  const given = amounts.filter((one) => body[one.sent] != null);
  const amount = body[sent];
  return typeof amount === 'number' && given.length === 1 ? toMicros(amount) : null;
}

/** A moment to the second, as all that is about stock writes it. */
export const momentText = (value: unknown): string => String(value ?? '').slice(0, 19);

const DAY = 10;

/** Whether a moment has no time of day: a date alone is read as its midnight. */
export const hasNoTime = (moment: string): boolean => /[ T]00:00:00$/.test(moment);

/** Whether a count of a day, without a time, can't be told from what happened later that day. */
export const isUnclearDay = (moment: string, when: string): boolean =>
  when > moment && hasNoTime(moment) && when.startsWith(moment.slice(0, DAY));

/** What is posted ahead of its moment is posted at most so long before. */
function monthBefore(moment: string): string {
  const [year = 0, month = 1] = moment.split('-').map(Number);
  const [inYear, before] = month === 1 ? [year - 1, 12] : [year, month - 1];
  return `${String(inYear).padStart(4, '0')}-${String(before).padStart(2, '0')}-01`;
}

/** By product, the mutations of earlier runs that still hold. */
async function mutationsSince(
  context: RunOf<CountResource>,
  from: string,
): Promise<ReadonlyMap<number, readonly PostedMutation[]>> {
  const found = new Map<number, PostedMutation[]>();
  const [resource] = ofKind(context.resources, 'posting');
  if (resource === undefined) return found;
  for await (const sent of sentMutations(context, [resource], { from, to: '9999-12-31' }))
    for (const { posting, record: body, place } of sent) {
      const product = body[resource.product];
      if (place === null || posting.run === context.run || typeof product !== 'number') continue;
      // What takes one back goes away with it.
      if (isUndoOf(posting.fingerprint) || (await takenBackBy(context, posting, place))) continue;
      const inDoubt = posting.state === 'sending';
      if (inDoubt && (await neverSent({ ...context, resource }, posting))) continue;
      const known = found.get(product) ?? [];
      found.set(product, [...known, { body, run: posting.run, inDoubt }]);
    }
  return found;
}

const KEYED = byReference('');

/** Whether a posting takes another one back. */
export const isUndoOf = (fingerprint: string): boolean =>
  fingerprint.startsWith(KEYED) && isUndoKey(fingerprint.slice(KEYED.length));
