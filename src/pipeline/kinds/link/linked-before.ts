import type { Posting } from '../../../ledger/ledger.ts';
import type { LinkResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import type { Context } from '../../context.ts';
import type { Unplaced } from '../kind.ts';

/** Names the linking of two records, so that no two runs do it. */
function linkName(key: string): string {
  return `link:${key}`;
}

/**
 * A row that would link, held against what earlier runs sent. The parent's list was just read and does not show the link:
 * one that was made is gone again, one whose answer was lost did not come about. Either may be made anew, unless another
 * program may be at it.
 */
export async function linkedBefore(
  context: Context,
  resource: LinkResource,
  planned: Unplaced,
): Promise<Unplaced> {
  const [step, ...rest] = planned.steps;
  if (step?.purpose !== 'create' || planned.key === null) return planned;
  const fingerprint = linkName(planned.key);
  const named = { ...planned, steps: [{ ...step, fingerprint }, ...rest] };
  const postings = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const posting = postings.get(fingerprint);
  if (posting === undefined) return named;
  if (posting.state === 'sending' && !context.exclusive)
    return { ...planned, action: 'unknown', steps: [], message: inDoubtText(posting) };
  await freeLink(context, resource, planned.key);
  return named;
}

/** Lets a link be made anew: it is known not to be there. */
export async function freeLink(context: Context, resource: LinkResource, key: string): Promise<void> {
  const { ledger, serviceKey } = context;
  const name = linkName(key);
  const postings = await ledger.findPostings(serviceKey, resource.name, [name]);
  if (postings.has(name)) await ledger.settlePosting(serviceKey, resource.name, name, null, false);
}

const inDoubtText = ({ run, at }: Posting): Bilingual => ({
  en: `run ${run} sent it at ${at} and no answer is known; it may be at it still, so import to send what is not there`,
  nl: `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend; misschien is die nog bezig, dus importeer om te versturen wat er niet staat`,
});
