import { type Bilingual, same, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { RequestError } from '../service/request-error.ts';
import type { ExistingRecord, KeyedResource } from './existing-record.ts';
import type { ContextOf } from './planning.ts';
import type { RowGuard, SentStep } from './row-guard.ts';

/** So many refusals, and no key stored, say that the service keeps none. */
const REFUSALS = 3;

/** The fact in the ledger that tells whether a service keeps keys; `no` once it was seen not to. */
export function keepsKeys(resource: KeyedResource): string {
  return `keeps ${resource.external} of ${resource.name}`;
}

/** The fact in the ledger that tells how many keys in a row a service refused, in all runs. */
const refusedKeys = (resource: KeyedResource): string =>
  `refusals of ${resource.external} of ${resource.name}`;

/** A record that is shown so long without the key that was stored on it has lost it, ms. */
const CERTAIN = 800;

/** What a read shows of a key: kept, why it is lost, or null where it shows no record to tell by. */
type KeySeen = Bilingual | 'kept' | null;

function createKeyFact({ ledger, serviceKey, log, resource, doubts, time }: ContextOf<KeyedResource>) {
  const { name } = resource;
  let reason: Bilingual | null = null;
  let asked: Promise<void> | undefined;
  const learn = (keeps: boolean): Promise<void> =>
    ledger.rememberFact(serviceKey, keepsKeys(resource), keeps ? 'yes' : 'no');
  const loses = async (why: Bilingual): Promise<void> => {
    reason ??= why;
    log.warn({ resource: name, why: why.en }, 'the service does not keep ExternalID');
    await learn(false);
  };
  const take = async (seen: KeySeen): Promise<void> => {
    if (seen === 'kept') await learn(true);
    else if (seen !== null) await loses(seen);
  };
  return {
    kept: () => reason === null,
    loses,
    /** Takes what a look showed. */
    take,
    /**
     * Reads back once a run, in `looks` one after the other at growing pauses, of which the last goes on; a
     * failure says nothing about keys, and the next run asks again. Other rows wait until it is clear, but
     * not while reads do not show the record, or where a run saw keys kept.
     */
    async readBack(looks: readonly (() => Promise<KeySeen>)[]) {
      if (asked !== undefined) return await asked;
      let goOn = (): void => {};
      asked = new Promise((resolve) => (goOn = resolve));
      let [at, shown]: [number, number | null] = [0, null];
      const look = async (): Promise<KeySeen> => (await looks[Math.min(at++, looks.length - 1)]?.()) ?? null;
      try {
        const before = await ledger.findFact(serviceKey, keepsKeys(resource));
        const isClear = (seen: KeySeen): boolean => {
          if (seen === 'kept' || looks.length === 1) return true;
          if (seen === null || before === 'yes') goOn();
          if (seen === null) return false;
          // The last of the looks tells by the record itself.
          if (at >= looks.length) shown ??= time.steady();
          const since = shown === null ? 0 : time.steady() - shown;
          return before === 'no' || (before !== 'yes' && since >= CERTAIN);
        };
        await take((await doubts.look(doubts.fromNow(), look, isClear)) ?? null);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        log.warn({ resource: name, error: error.reason }, 'a stored key could not be read back');
      } finally {
        goOn();
      }
    },
    notes: (): Bilingual[] => (reason === null ? [] : [keptHereText(resource, reason)]),
  };
}

const keptHereText = ({ name, sheet, external }: KeyedResource, reason: Bilingual): Bilingual =>
  t(
    `The service does not keep ${external} for ${name} (${reason.en}); this program's ledger remembers which record has which number.`,
    `Het systeem bewaart ${external} niet voor ${sheet} (${reason.nl}); het register van dit programma onthoudt welk record bij welk nummer hoort.`,
  );

interface KeyReads {
  /** Whether any record is found by a row's key. */
  isFound(planned: PlannedRow, id: number): Promise<boolean>;
  /** Whether the record itself shows the row's key; null where no record is shown. */
  shows(planned: PlannedRow, id: number): Promise<boolean | null>;
}

/** Finds out whether the service keeps an ExternalID that an update stores: reads back the first. */
export function createKeyKeeping(
  context: ContextOf<KeyedResource>,
  { isFound, shows }: KeyReads,
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
      const key = `${resource.external} ${planned.external} of ${resource.id} ${id}`;
      const lost = t(`${key} was not found again`, `${key} is niet teruggevonden`);
      await fact.readBack([
        // Found under another id, the key is kept, if for two records.
        async () => ((await isFound(planned, id)) ? 'kept' : lost),
        async () => {
          const isShown = await shows(planned, id);
          return isShown === null ? null : isShown ? 'kept' : lost;
        },
      ]);
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
  const look = async (sent: SentStep): Promise<KeySeen> => {
    const { id, body } = sent;
    const external = body[resource.external];
    const existing = id === null ? null : await read(id);
    unseen = existing === null ? sent : null;
    if (existing === null) return null;
    if (existing.external === external) return 'kept';
    const key = `${resource.external} ${external} of ${resource.id} ${id}`;
    return t(`${key} was not there afterwards`, `${key} stond er achteraf niet`);
  };
  return {
    notes: fact.notes,
    async wrote(sent) {
      if (sent.id === null || typeof sent.body[resource.external] !== 'number') return;
      await fact.readBack([() => look(sent)]);
    },
    /** To be called at the end of a run: reads may lag behind, and have shown no such record at first. */
    async ended() {
      const sent = unseen;
      if (sent !== null) await fact.take(await look(sent));
    },
  };
}
