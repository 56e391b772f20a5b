import { explainDoubt } from './explain-doubt.ts';
import { changedSince, orInterrupted, repeats, verdictOn } from './look-whether.ts';
import { MissingRecord, resolveStep } from './send-steps.ts';
import { sendUntilKnown } from './send-until-known.ts';
import type { Attempt, Sending, Sent } from './sending.ts';
import { doubtText, noRecordText } from './texts.ts';

/** How often a create whose answer was lost, and that certainly is not there, is sent again. */
const RESENDS = 3;

/** Sends one step so that it takes effect once, or it is known that this is not known. */
export async function attempt(sending: Sending, one: Attempt): Promise<Sent> {
  const { context, resource } = sending;
  const resolved = await resolveStep(context, resource, one.step, one.id).catch((error: unknown) => {
    if (error instanceof MissingRecord) return null;
    throw error;
  });
  if (resolved === null)
    return { ending: { status: 'not sent', id: one.id, message: noRecordText(), issues: [] } };
  const { body } = resolved;
  if (one.doubt !== null) {
    // Answered and written down, and cut off before the row's outcome was.
    const settled = await ownPosting(sending, one);
    if (settled?.state === 'done') return { id: settled.id ?? one.id, body };
    const verdict = await verdictOn(sending, one, body, new Date(one.doubt.replace(' ', 'T')));
    if (verdict !== 'no' && verdict !== null) return { id: verdict.id ?? one.id, body };
    if (verdict === null && repeats(one.step)) {
      orInterrupted(sending);
      const message = doubtText(one.doubt);
      const ending = { status: 'unknown', id: one.id, message, issues: [] } as const;
      return { ending: await explainDoubt(sending, { planned: one.planned, body }, ending) };
    }
    const changed = await changedSince(sending, one);
    // Neither what came of it nor whether the record moved can be read.
    if (changed?.status === 'failed' && verdict === null)
      return { ending: { ...changed, status: 'unknown', message: doubtText(one.doubt) } };
    if (changed !== null) return { ending: changed };
  }
  const sent = await sendUntilKnown(sending, one, resolved, RESENDS);
  if (!('ending' in sent)) return sent;
  return { ending: await explainDoubt(sending, { planned: one.planned, body }, sent.ending) };
}

/** The row's own posting, as the ledger holds it. */
export async function ownPosting(
  { context, resource, run }: Sending,
  { planned, step }: Pick<Attempt, 'planned' | 'step'>,
) {
  const { fingerprint } = step;
  if (fingerprint === undefined) return undefined;
  const found = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const posting = found.get(fingerprint);
  return posting?.run === run && posting.seq === planned.seq ? posting : undefined;
}
