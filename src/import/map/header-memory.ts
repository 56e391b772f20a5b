import { normaliseHeader } from '../../core/header.ts';
import type { Context } from '../../run/context.ts';

/** A header of the user's own, for sheets of a resource or of all. */
interface OwnHeader {
  readonly header: string;
  readonly resource: string | null;
}

/** A header that the user says means nothing in sheets of a resource. */
export interface DroppedHeader extends OwnHeader {
  readonly resource: string;
}

/** Headers that are kept: no sheet has so many columns. */
const MOST_UNUSED = 5000;

/** The headers that the user left unused, remembered beside those that stand for a column. */
export async function unusedOf({ ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>, fact: string) {
  const name = `${fact}, not used`;
  let kept = (await ledger.findFact(serviceKey, name)) ?? '[]';
  const headers = JSON.parse(kept) as DroppedHeader[];
  const keep = async (all: readonly DroppedHeader[]): Promise<void> => {
    const now = JSON.stringify(all.slice(-MOST_UNUSED));
    if (now !== kept) await ledger.rememberFact(serviceKey, name, now);
    kept = now;
  };
  const textOf = ({ header, resource }: OwnHeader): string => `${normaliseHeader(header)}\n${resource ?? ''}`;
  return {
    headers,
    forget: () => keep([]),
    /** Remembers headers that were dropped, and forgets those that were taken. */
    remember: async (taken: readonly OwnHeader[], dropped: readonly DroppedHeader[]): Promise<void> => {
      const known = JSON.parse(kept) as DroppedHeader[];
      const all = new Map([...known, ...dropped].map((one) => [textOf(one), one]));
      for (const one of taken) all.delete(textOf(one));
      await keep([...all.values()].filter(({ header }) => normaliseHeader(header) !== ''));
    },
  };
}
