import { type Finding, shorten } from '../core/issue.ts';
import { valueText } from '../core/row-text.ts';
import type { Value, Values } from '../core/value.ts';
import type { Applied } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import type { ContextOf } from './planning.ts';
import type { ReadBackRecord, RowGuard, SentStep } from './row-guard.ts';

/** Something found for a row. */
interface Found {
  readonly existing: ExistingRecord | null;
}

/** Puts beside each record that was found what it was sent last; `keyOf`: its key in the ledger. */
export async function withApplied<F extends Found>(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  found: readonly F[],
  keyOf: (one: F, at: number) => string | null,
): Promise<readonly F[]> {
  const keys = found.map((one, at) => (one.existing === null ? null : keyOf(one, at)));
  const known = await ledger.findApplied(
    serviceKey,
    resource.name,
    keys.filter((key) => key !== null),
  );
  if (known.size === 0) return found;
  return found.map((one, at) => {
    const applied = known.get(keys[at] ?? '');
    if (applied === undefined || one.existing === null) return one;
    return { ...one, existing: { ...one.existing, applied: stillSo(one.existing.values, applied) } };
  });
}

/** What was sent in fields that hold what they held then. */
function stillSo(values: ExistingRecord['values'], applied: Applied): Values {
  const still = Object.entries(applied).filter(([field, { held }]) => sameValue(values[field], held));
  return Object.fromEntries(still.map(([field, { sent }]) => [field, sent]));
}

/** What an update sends so that a field goes on holding what it holds. */
export const keeping = ({ applied, values }: ExistingRecord, field: string): Value | undefined =>
  applied?.[field] ?? values[field];

/** A value of a row of which the service kept nothing, or only the first part. */
interface Loss extends Finding {
  readonly field: string;
}

function lossOf(field: string, { sent, held }: Applied[string]): Loss[] {
  const isNone = (held === null || held === '') && sent !== null && sent !== 0;
  const cut = typeof sent === 'string' && typeof held === 'string' && sent.startsWith(held.trimEnd());
  if (!isNone && !cut) return [];
  const found = shorten(typeof sent === 'string' ? sent : valueText(sent, 'en'));
  if (isNone) return [{ code: 'not-kept', found, hint: field, field }];
  return [{ code: 'text-cut', found, hint: `${String(held).length}`, field }];
}

/** A record that the run wrote, with all that it sent to it. */
interface Written {
  readonly sent: SentStep;
  readonly body: Values;
}

/** Reads back what a run wrote, and remembers where the service holds something else than it was sent. */
export class LastApplied {
  readonly #context: ContextOf<Resource>;
  #written = new Map<string, Written>();

  constructor(context: ContextOf<Resource>) {
    this.#context = context;
  }

  /** Takes a request that went through; `key` is its record's in the ledger. */
  wrote(sent: SentStep, key: string): void {
    if (sent.step.purpose === 'delete') {
      this.#written.delete(key);
      return;
    }
    const before = this.#written.get(key);
    this.#written.set(key, { sent: before?.sent ?? sent, body: { ...before?.body, ...sent.body } });
  }

  /**
   * To be called when all is sent; answers what of rows the service did not keep, by their `seq`. Never throws for
   * the service: what is not read back costs an update.
   */
  async readBack(read: NonNullable<RowGuard['readBack']>): Promise<ReadonlyMap<number, readonly Loss[]>> {
    const losses = new Map<number, readonly Loss[]>();
    const written = this.#written;
    this.#written = new Map();
    if (written.size === 0) return losses;
    const { ledger, serviceKey, resource, log } = this.#context;
    try {
      const records = await read([...written.values()].map(({ sent }) => sent));
      const known = await ledger.findApplied(serviceKey, resource.name, [...written.keys()]);
      const saves = records.flatMap((record) => {
        const one = written.get(record.key);
        if (one === undefined) return [];
        const applied = { ...this.#held(record, one) };
        const lost = Object.entries(applied).flatMap((each) => lossOf(...each));
        if (lost.length > 0) losses.set(one.sent.planned.seq, lost);
        // What this run did not send is as it was.
        for (const [field, before] of Object.entries(known.get(record.key) ?? {}))
          if (one.body[field] === undefined) applied[field] = before;
        const isNone = Object.keys(applied).length === 0 && !known.has(record.key);
        if (isNone) return [];
        const remembered = ledger.rememberApplied(serviceKey, resource.name, record.key, applied);
        return [remembered, this.#rememberName(record, one, applied)];
      });
      await Promise.all(saves);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      log.warn({ resource: resource.name, error: error.reason }, 'what was written could not be read back');
    }
    return losses;
  }

  /** The ledger knows a record of an ExternalID by its name: by the one that the service shows. */
  async #rememberName({ id }: ReadBackRecord, { sent }: Written, applied: Applied): Promise<void> {
    const { ledger, serviceKey, resource } = this.#context;
    const { external } = sent.planned;
    const label = 'label' in resource ? applied[resource.label ?? '']?.held : undefined;
    if (typeof label !== 'string' || external === null || id === null) return;
    await ledger.rememberKeys(serviceKey, resource.name, [{ external, id, label }]);
  }

  /** What a record holds otherwise than it was sent. A read that may be of before the write tells nothing. */
  #held({ lmt, values }: ReadBackRecord, { sent: { planned, step }, body }: Written) {
    const { keys, fields, ...resource } = this.#context.resource;
    const isName = (field: string): boolean =>
      keys.includes(field) && !('external' in resource && field === resource.external);
    const isMoved = planned.lmt !== null && lmt !== null && planned.lmt !== lmt;
    const before = new Map(planned.changes.map(({ field, from }) => [field, from]));
    // Where a field became what was sent, the others are of after the write too.
    const isShown = [...before].some(([field, from]) => {
      const sent = body[field];
      return sent !== undefined && sameValue(values[field], sent) && !sameValue(from, sent);
    });
    const found: Record<string, Applied[string]> = {};
    for (const [field, sent] of Object.entries(body)) {
      const held = values[field];
      if (held === undefined || isName(field) || !(field in fields) || sameValue(held, sent)) continue;
      const isOld =
        step.purpose !== 'create' && !isMoved && !isShown && sameValue(held, before.get(field) ?? null);
      if (!isOld) found[field] = { sent, held };
    }
    return found;
  }
}
