import { type Bilingual, same, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { RequestError } from '../service/request-error.ts';
import type { ExistingRecord, KeyedResource } from './existing-record.ts';
import type { ContextOf } from './planning.ts';
import type { RowGuard, SentStep } from './row-guard.ts';
import { heldBefore, storedValues } from './stored-values.ts';

/** So many refusals, and no key stored, say that the service keeps none. */
const REFUSALS = 3;

/** The fact in the ledger that tells whether a service keeps keys; `no` once it was seen not to. */
export function keepsKeys(resource: KeyedResource): string {
  return `keeps ${resource.external} of ${resource.name}`;
}

/** The fact in the ledger that tells how many keys in a row a service refused, in all runs. */
const refusedKeys = (resource: KeyedResource): string =>
  `refusals of ${resource.external} of ${resource.name}`;

function createKeyFact({ ledger, serviceKey, log, resource }: ContextOf<KeyedResource>) {
  const { name, sheet, external } = resource;
  let reason: Bilingual | null = null;
  let asked: Promise<void> | undefined;
  const learn = (keeps: boolean): Promise<void> =>
    ledger.rememberFact(serviceKey, keepsKeys(resource), keeps ? 'yes' : 'no');
  const loses = async (why: Bilingual): Promise<void> => {
    reason ??= why;
    log.warn({ resource: name, why: why.en }, 'the service does not keep ExternalID');
    await learn(false);
  };
  const look = async (read: () => Promise<Bilingual | 'kept' | null>): Promise<void> => {
    const seen = await read();
    if (seen === 'kept') await learn(true);
    else if (seen !== null) await loses(seen);
  };
  return {
    kept: () => reason === null,
    loses,
    look,
    /** Reads back once a run; a failure says nothing about keys, and the next run asks again. */
    async readBack(read: () => Promise<Bilingual | 'kept' | null>) {
      asked ??= look(read).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        log.warn({ resource: name, error: error.reason }, 'a stored key could not be read back');
      });
      await asked;
    },
    notes: (): Bilingual[] =>
      reason === null
        ? []
        : [
            t(
              `The service does not keep ${external} for ${name} (${reason.en}); this program's ledger remembers which is which.`,
              `De dienst bewaart ${external} niet voor ${sheet} (${reason.nl}); het grootboek van dit programma onthoudt welke welke is.`,
            ),
          ],
  };
}

/** Finds out whether the service keeps an ExternalID that an update stores: reads back the first. */
export function createKeyKeeping(
  context: ContextOf<KeyedResource>,
  isFound: (planned: PlannedRow, id: number) => Promise<boolean>,
): RowGuard['keys'] & Pick<RowGuard, 'notes'> {
  const { resource } = context;
  const fact = createKeyFact(context);
  const { ledger, serviceKey } = context;
  let refusals = 0;
  let kept = 0;
  let earlier: Promise<number> | undefined;
  const rememberRefusals = (count: number): Promise<void> =>
    ledger.rememberFact(serviceKey, refusedKeys(resource), String(count));
  return {
    field: resource.external,
    kept: fact.kept,
    notes: fact.notes,
    async refused(words) {
      refusals++;
      earlier ??= ledger.findFact(serviceKey, refusedKeys(resource)).then((count) => Number(count ?? 0));
      const all = (await earlier) + refusals;
      if (kept > 0) return;
      await rememberRefusals(all);
      if (all >= REFUSALS) await fact.loses(same(words));
    },
    async stored(planned, id) {
      if (kept++ === 0) await rememberRefusals(0);
      await fact.readBack(async () => {
        // Found under another id, the key is kept, if for two records.
        if (await isFound(planned, id)) return 'kept';
        return same(`${resource.external} ${planned.external} of ${resource.id} ${id} was not found again`);
      });
    },
  };
}

/** Reads back the first record that a create sent with an ExternalID, to learn whether the key was lost. */
export function createKeyWatch(
  context: ContextOf<KeyedResource>,
  read: (id: number) => Promise<ExistingRecord | null>,
): Pick<RowGuard, 'notes' | 'wrote'> & { readonly ended: () => Promise<void> } {
  const { resource } = context;
  const fact = createKeyFact(context);
  let unseen: SentStep | null = null;
  const look = async (sent: SentStep): Promise<Bilingual | null> => {
    const { id, body } = sent;
    const external = body[resource.external];
    const existing = id === null ? null : await read(id);
    unseen = existing === null ? sent : null;
    if (existing !== null) await storedValues(context).saw(body, existing.values, heldBefore(sent));
    if (existing === null || existing.external === external) return null;
    const key = `${resource.external} ${external} of ${resource.id} ${id}`;
    return t(`${key} was not there afterwards`, `${key} stond er achteraf niet`);
  };
  return {
    notes: fact.notes,
    async wrote(sent) {
      if (sent.id === null || typeof sent.body[resource.external] !== 'number') return;
      await fact.readBack(() => look(sent));
    },
    /** To be called at the end of a run: reads may lag behind, and have shown no such record at first. */
    async ended() {
      const sent = unseen;
      if (sent !== null) await fact.look(() => look(sent));
    },
  };
}
