import type { Outcome, PlannedRow, Step } from '../../schema/plan.ts';
import type { Bilingual } from '../../schema/value.ts';
import { attempt } from './attempt.ts';
import type { Ending } from './ending.ts';
import { knownId } from './send-steps.ts';
import type { Attempt, Sending, Sent } from './sending.ts';
import { keyOnlyHereText } from './texts.ts';

/** What came of a step, and what there is to say of it where it went through. */
interface Tried {
  readonly sent: Sent;
  readonly message: Bilingual | null;
}

/**
 * Sends a step. An update that would also store the ExternalID by which only this program knows the record is sent without it
 * where the service won't have it: that is nothing the row can help.
 */
export async function sendWithOrWithoutKey(sending: Sending, one: Attempt): Promise<Tried> {
  const bare = await withoutKey(sending, one);
  if (bare === null) return { sent: await attempt(sending, one), message: null };
  const { keys } = sending.guard;
  if (keys.kept()) {
    const sent = await attempt(sending, one);
    const words = 'ending' in sent ? refusalOf(sent.ending, bare.key) : null;
    if (words === null) return { sent, message: null };
    await keys.refused(words);
  }
  const message = keyOnlyHereText(bare.external);
  if (bare.step !== null) return { sent: await attempt(sending, { ...one, step: bare.step }), message };
  return { sent: { ending: { status: 'unchanged', id: one.id, message, issues: [] } }, message };
}

/** The update without the key, null where that leaves nothing; null for any other request. */
async function withoutKey(
  { context, resource }: Sending,
  { planned, step }: Attempt,
): Promise<{ readonly step: Step | null; readonly key: string; readonly external: number } | null> {
  if (resource.kind !== 'catalogue' || step.purpose !== 'update') return null;
  const { external: key } = resource;
  const { external, changes, id } = planned;
  if (external === null || !addsKey(planned, key)) return null;
  if ((await knownId(context, resource.name, external)) !== id) return null;
  const { [key]: _, ...body } = step.body;
  return { step: changes.length === 1 ? null : { ...step, body }, key, external };
}

const addsKey = ({ changes }: PlannedRow, key: string): boolean =>
  changes.some(({ field, from }) => field === key && from === null);

/** The service's words about the key, where that is all it refuses. */
function refusalOf(
  { status, issues }: Pick<Ending & Outcome, 'status' | 'issues'>,
  key: string,
): string | null {
  if (status !== 'failed' || issues.length === 0 || issues.some(({ field }) => field !== key)) return null;
  return issues.map(({ hint }) => (typeof hint === 'string' ? hint : (hint?.en ?? ''))).join(' ');
}
