import { type Finding, shorten } from '../core/issue.ts';
import { valueText } from '../core/row-text.ts';
import type { Value, Values } from '../core/value.ts';
import type { Memory } from '../ledger/ledger.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type ExistingRecord, sameMoment, sameValue } from './existing-record.ts';
import type { ContextOf, FoundRecord } from './planning.ts';
import type { RowGuard, SentStep } from './row-guard.ts';
import { learnNewValues, newValuesFact } from './undo.ts';

/** Under its name is kept which LMT a row showed that wrote its record, and the one that the record had then. */
const LMT = 'LMT';

/** Whether a field is sent and no read returns it. */
const isUnread = ({ fields }: Resource, name: string): boolean => fields[name]?.reads === 'none';

/**
 * Puts beside each record that was found what it was sent last; `keyOf`: its key in the ledger. A field that no
 * read returns holds what it was sent.
 */
export async function withApplied<F extends FoundRecord>(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  found: readonly F[],
  keyOf: (one: F, at: number) => string | null,
): Promise<readonly F[]> {
  const keys = found.map((one, at) => (one.existing === null ? null : keyOf(one, at)));
  const asked = keys.filter((key) => key !== null);
  const known = await ledger.recall(serviceKey, resource.name, 'applied', asked);
  return found.map((one, at) => {
    const [{ existing }, applied] = [one, known.get(keys[at] ?? '')];
    if (existing === null || applied === undefined) return one;
    const values = { ...unreadIn(resource, applied), ...existing.values };
    const own = applied[LMT];
    const isLast = own !== undefined && existing.lmt !== null && sameMoment(`${own.held}`, existing.lmt);
    const last = isLast ? { shownLmt: `${own.sent}` } : {};
    return { ...one, existing: { ...existing, ...last, values, applied: stillSo(values, applied) } };
  });
}

/** The fields that no read returns, as last sent. */
export const unreadIn = (resource: Resource, applied: Memory['applied'] = {}): Values =>
  Object.fromEntries(
    Object.entries(applied).flatMap(([field, { sent }]) =>
      isUnread(resource, field) ? [[field, sent]] : [],
    ),
  );

/** What was sent in fields that hold what they held then. */
export function stillSo(values: Values, applied: Memory['applied']): Values {
  const still = Object.entries(applied).filter(([field, { held }]) => sameValue(values[field], held));
  return Object.fromEntries(still.map(([field, { sent }]) => [field, sent]));
}

/** What an update sends so that a field goes on holding what it holds. */
export const keeping = ({ applied, values }: ExistingRecord, field: string): Value | undefined =>
  applied?.[field] ?? values[field];

/** What is said of a value of a row of which the service kept nothing, or only the first part. */
function lossOf(
  field: string,
  { sent, held }: Memory['applied'][string],
): (Finding & { readonly field: string })[] {
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
export function createLastApplied(context: ContextOf<Resource>) {
  const { ledger, serviceKey, resource, log } = context;
  const { name } = resource;
  const written = new Map<string, Written>();
  const remember = (key: string, applied: Memory['applied'] | null): Promise<void> =>
    ledger.remember(serviceKey, name, 'applied', key, applied);
  return {
    /** Takes a request that went through; `key` is its record's in the ledger. Remembers what no read will tell. */
    async wrote(sent: SentStep, key: string): Promise<void> {
      const before = written.get(key);
      if (sent.step.purpose === 'delete') written.delete(key);
      else written.set(key, { sent: before?.sent ?? sent, body: { ...before?.body, ...sent.body } });
      const unread = Object.entries(sent.body).filter(([field]) => isUnread(resource, field));
      if (sent.id === null || unread.length === 0) return;
      const earlier = (await ledger.recall(serviceKey, name, 'applied', [key])).get(key);
      const now = Object.fromEntries(unread.map(([field, value]) => [field, { sent: value, held: value }]));
      await remember(key, { ...earlier, ...now });
    },
    /**
     * To be called once, when all is sent; answers what of rows the service did not keep, by their `seq`. Never
     * throws for the service: what is not read back costs an update.
     */
    async readBack(
      read: NonNullable<RowGuard['readBack']>,
    ): Promise<ReadonlyMap<number, ReturnType<typeof lossOf>>> {
      const losses = new Map<number, ReturnType<typeof lossOf>>();
      if (written.size === 0) return losses;
      try {
        const records = await read([...written.values()].map(({ sent }) => sent));
        const known = await ledger.recall(serviceKey, name, 'applied', [...written.keys()]);
        const learned = new Set<string>();
        const saves: Promise<void>[] = [];
        for (const record of records) {
          const { key, id, lmt } = record;
          const one = written.get(key);
          if (one === undefined) continue;
          const { sent, body } = one;
          const { seq, external, shownLmt } = sent.planned;
          const fact = newValuesFact(resource, body);
          if (sent.step.purpose === 'create' && learned.size < learned.add(fact).size)
            await learnNewValues(context, body, record.values);
          const applied = heldOtherwise(resource, record, one);
          const lost = Object.entries(applied).flatMap((each) => lossOf(...each));
          if (lost.length > 0) losses.set(seq, lost);
          // What this run did not send is as it was, and so is what no read told of.
          const before = known.get(key);
          for (const [field, earlier] of Object.entries(before ?? {}))
            if (body[field] === undefined || isUnread(resource, field)) applied[field] ??= earlier;
          if (shownLmt !== undefined && lmt !== null) applied[LMT] = { sent: shownLmt, held: lmt };
          const isNothing = Object.keys(applied).length === 0;
          if (!isNothing || before !== undefined) saves.push(remember(key, isNothing ? null : applied));
          // The ledger knows a record of an ExternalID by its name: by the one that the service shows.
          const label = applied[resource.label ?? '']?.held;
          if (typeof label === 'string' && external !== null && id !== null)
            saves.push(ledger.rememberKeys(serviceKey, name, [{ external, id, label }]));
        }
        await Promise.all(saves);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        log.warn({ resource: name, error: error.reason }, 'what was written could not be read back');
      }
      return losses;
    },
  };
}

/** What a record holds otherwise than it was sent. A read that may be of before the write tells nothing. */
function heldOtherwise(
  { keys, fields, ...resource }: Resource,
  { lmt, values }: Pick<ExistingRecord, 'lmt' | 'values'>,
  { sent: { planned, step }, body }: Written,
) {
  const isName = (field: string): boolean =>
    keys.includes(field) && !('external' in resource && field === resource.external);
  const before = new Map(planned.changes.map(({ field, from }) => [field, from]));
  // Where its LMT moved, or a field became what was sent, the others are of after the write too.
  const isAfter =
    step.purpose === 'create' ||
    (planned.lmt !== null && lmt !== null && planned.lmt !== lmt) ||
    [...before].some(([field, from]) => {
      const sent = body[field];
      return sent !== undefined && sameValue(values[field], sent) && !sameValue(from, sent);
    });
  const found: Record<string, Memory['applied'][string]> = {};
  for (const [field, sent] of Object.entries(body)) {
    const held = values[field];
    if (held === undefined || isName(field) || !(field in fields) || sameValue(held, sent)) continue;
    if (isAfter || !sameValue(held, before.get(field) ?? null)) found[field] = { sent, held };
  }
  return found;
}

/** The fields that an update could send and that this body lacks. */
export function fieldsBeside(
  resource: Resource,
  { externalId }: Pick<Dialect, 'externalId'>,
  body: Readonly<Record<string, unknown>>,
): string[] {
  const key = 'external' in resource && externalId !== 'never' ? resource.external : null;
  return Object.entries(resource.fields).flatMap(([name, { update, refers }]) => {
    const isTaken = update === 'optional' || update === 'required' || name === key;
    const isOwn = name === key || !resource.keys.includes(name);
    return isTaken && isOwn && refers === undefined && !(name in body) ? [name] : [];
  });
}
