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
  const kept = (await ledger.findFact(serviceKey, name)) ?? '[]';
  const headers = JSON.parse(kept) as DroppedHeader[];
  const keep = async (all: readonly DroppedHeader[]): Promise<void> => {
    const now = JSON.stringify(all.slice(-MOST_UNUSED));
    if (now !== kept) await ledger.rememberFact(serviceKey, name, now);
  };
  const textOf = ({ header, resource }: OwnHeader): string => `${normaliseHeader(header)}\n${resource ?? ''}`;
  return {
    headers,
    forget: () => keep([]),
    remember: async (taken: readonly OwnHeader[], dropped: readonly DroppedHeader[]): Promise<void> => {
      const all = new Map([...headers, ...dropped].map((one) => [textOf(one), one]));
      for (const one of taken) all.delete(textOf(one));
      await keep([...all.values()].filter(({ header }) => normaliseHeader(header) !== ''));
    },
  };
}

/** Refusals that are kept: as many layouts of files. */
const MOST_REFUSED = 100;

/** The maps that the user refused, as the ledger remembers them beside those that were taken. */
export function refusalsOf({ ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>, fact: string) {
  const name = `${fact}, refused`;
  const known = async (): Promise<readonly string[]> =>
    JSON.parse((await ledger.findFact(serviceKey, name)) ?? '[]') as string[];
  const keep = async (maps: readonly string[]): Promise<void> =>
    await ledger.rememberFact(serviceKey, name, JSON.stringify(maps.slice(-MOST_REFUSED)));
  return {
    isRefused: async (map: string): Promise<boolean> => (await known()).includes(map),
    refuse: async (map: string): Promise<void> => keep([...(await known()), map]),
    forget: async (): Promise<void> => {
      if ((await known()).length > 0) await keep([]);
    },
  };
}
