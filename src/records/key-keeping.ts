import { type Bilingual, same, t } from '../core/language.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import type { ExistingRecord, KeyedResource } from './existing-record.ts';
import type { ContextOf } from './planning.ts';

/** So many refusals, and no key stored, say that the service keeps none. */
const REFUSALS = 3;
/** A key that was stored and is not shown for so long was lost, ms. */
const LONGEST_LAG = 1_000;

/** The fact in the ledger that tells whether a service keeps keys; `no` once it was seen not to. */
export const keepsKeys = (resource: Resource): string =>
  `keeps ${'external' in resource ? resource.external : ''} of ${resource.name}`;

export type KeyKeeping = ReturnType<typeof createKeyKeeping>;

/** What a run finds out of the ExternalIDs that it stores: by the first, which is read back once in the end. */
export function createKeyKeeping(
  { ledger, serviceKey, log, resource, doubts, time }: ContextOf<KeyedResource>,
  read: (id: number) => Promise<ExistingRecord | null>,
) {
  let reason: Bilingual | null = null;
  let first: { readonly id: number; readonly external: number } | undefined;
  let refusals = 0;
  let isLearned = false;
  const learned = (kept: boolean): Promise<void> =>
    ledger.rememberFact(serviceKey, keepsKeys(resource), kept ? 'yes' : 'no');
  const loses = async (why: Bilingual): Promise<void> => {
    reason = why;
    log.warn({ resource: resource.name, why: why.en }, 'the service does not keep ExternalID');
    await learned(false);
  };
  return {
    /** False once it is known that the service keeps none: the ledger alone remembers from then on. */
    kept: (): boolean => reason === null,
    notes: (): Bilingual[] => (reason === null ? [] : [keptHereText(resource, reason)]),
    /** Takes that the service refuses a key: of one row, until it has refused several. */
    async refused(words: string): Promise<void> {
      refusals++;
      if (first === undefined && refusals >= REFUSALS) await loses(same(words));
    },
    /** Takes a key that was stored. */
    stored(external: number, id: number): void {
      first ??= { external, id };
    },
    /** Reads the first key back that was stored, once. Never throws for the service. */
    async learn(): Promise<void> {
      if (first === undefined || isLearned || reason !== null) return;
      isLearned = true;
      const { id, external } = first;
      const until = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
      try {
        const existing = await doubts.look(
          until,
          () => read(id),
          (seen) => seen?.external === external,
        );
        if (existing == null) return;
        const key = `${resource.external} ${external} of ${resource.id} ${id}`;
        if (existing.external === external) await learned(true);
        else await loses(t(`${key} was not there afterwards`, `${key} stond er achteraf niet`));
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        log.warn({ resource: resource.name, error: error.reason }, 'a stored key could not be read back');
      }
    },
  };
}

const keptHereText = ({ name, sheet, external }: KeyedResource, reason: Bilingual): Bilingual =>
  t(
    `The service does not keep ${external} for ${name} (${reason.en}); this program's ledger remembers which record has which number.`,
    `Het systeem bewaart ${external} niet voor ${sheet} (${reason.nl}); het register van dit programma onthoudt welk record bij welk nummer hoort.`,
  );
