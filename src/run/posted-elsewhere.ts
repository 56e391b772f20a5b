import { type Bilingual, t, withFlag } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { Posting } from '../ledger/ledger.ts';
import type { Context } from './context.ts';

/** A posting at another address, which may be the same service by another of its names. */
export interface PostingElsewhere extends Posting {
  readonly service: string;
}

/**
 * Tells what this ledger posted under such names at other addresses, but in an embedded sandbox. Where the
 * user said that they are this service, what is done is remembered as posted here.
 */
export async function openElsewhere(context: Context, resource: string) {
  const { ledger, serviceKey, elsewhere } = context;
  const others = await otherServices(context);
  return async (names: readonly string[]): Promise<ReadonlyMap<string, PostingElsewhere>> => {
    const found = new Map<string, PostingElsewhere>();
    for (const service of others)
      for (const [name, posting] of await ledger.findPostings(service, resource, names)) {
        if (elsewhere !== 'same' || posting.state !== 'done') found.set(name, { ...posting, service });
        else await ledger.claimPosting(serviceKey, resource, posting, [name]);
      }
    return found;
  };
}

/** The addresses at which the same may have been posted. */
async function otherServices({ ledger, serviceKey, elsewhere }: Context): Promise<readonly string[]> {
  if (elsewhere === 'other' || isSandbox(serviceKey)) return [];
  return (await ledger.listServices()).filter((one) => one !== serviceKey && !isSandbox(one));
}

const isSandbox = (service: string): boolean => service.startsWith('sandbox ');

/** Why what was posted at another address waits for the user, with the ways out. */
export function elsewhereText({ service, run, at, state }: PostingElsewhere): Bilingual {
  const [open, openNl] = state === 'done' ? ['', ''] : [' without a known answer', ' zonder bekend antwoord'];
  return withFlag(
    t(
      `sent to ${service} in run ${run} on ${shownMinute(at).en}${open}; if that is the same service, it would be there twice: leave it so, or send it here too if it is another`,
      `verstuurd naar ${service} in run ${run} op ${shownMinute(at).nl}${openNl}; is dat hetzelfde systeem, dan zou het er dubbel staan: laat het zo, of verstuur het hier ook als het een ander is`,
    ),
    '--elsewhere same|other',
  );
}
