import { EXIT, StopError } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Values } from '../../core/value.ts';
import type { Memory } from '../../ledger/ledger.ts';
import { isNothing, sameMoment, sameValue } from '../../records/existing-record.ts';
import { fieldsBeside, stillSo, unreadIn } from '../../records/last-applied.ts';
import type { Resource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { uncheckedText } from './outcomes.ts';
import { placeOf } from './row-chains.ts';
import type { Attempt, Sending, Sent } from './sending.ts';

/** The fact that a service empties what an update does not send. */
const factOf = ({ name }: Resource): string => `updates of ${name}`;

/** Reads may lag behind for so long, ms. */
const LONGEST_LAG = 6_000;

/**
 * Sends a row; alone, where it finds out whether updates empty what they are not sent: others wait for that before
 * their records are looked at, as those may change meanwhile.
 */
export async function inTurn<T>(
  { whole, aside, context, resource }: Sending,
  { rest }: PlannedRow,
  work: () => Promise<T>,
): Promise<T> {
  let done: { readonly value: T } | undefined;
  if (rest !== undefined && whole.known === undefined)
    await aside(() =>
      whole.turn(async () => {
        whole.known ??=
          (await context.ledger.findFact(context.serviceKey, factOf(resource))) === 'whole' || undefined;
        if (whole.known === undefined) done = { value: await work() };
      }),
    );
  return done === undefined ? await work() : done.value;
}

/** Carries out a step. */
type Send = (one: Attempt) => Promise<Sent>;

/**
 * Sends a step, an update so that nothing is lost that it does not send: the first of a run goes alone, and its
 * record is read after it. What was emptied is put back, and updates after it are sent with all that their
 * records hold.
 */
export async function sendUpdate(sending: Sending, one: Attempt, send: Send): Promise<Sent> {
  const { whole, resource, breaker, context } = sending;
  const { planned, step, id } = one;
  if (step.purpose !== 'update' || planned.rest === undefined || whole.known === false)
    return await send(one);
  let rest: Values;
  try {
    rest = await heldBeside(sending, one);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { ending: { status: 'failed', id, message: uncheckedText(error), issues: [] } };
  }
  // The same update with what its record holds, but for what the fields don't take.
  const takes = ([name, value]: [string, Values[string]]): boolean =>
    resource.fields[name]?.codec.wire.safeParse(value).success === true;
  const sendable = Object.fromEntries(Object.entries(rest).filter(takes));
  const all = { ...one, step: { ...step, body: { ...sendable, ...step.body } } };
  if (whole.known === true) return await send(all);
  const done = await send(one);
  if ('ending' in done || Object.keys(rest).length === 0) return done;
  const lost = await lostBy(sending, one, rest);
  whole.known = lost && lost.length > 0;
  if (lost === undefined || !whole.known) return done;
  await context.ledger.rememberFact(context.serviceKey, factOf(resource), 'whole');
  // The record is as this row left it.
  const back = await send({ ...all, doubt: null, fresh: false });
  if ('ending' in back) breaker.halt(emptiedStop(planned, rest, lost));
  else whole.notes.push(wholeText(planned, lost));
  return done;
}

/** What the record holds in the fields that an update could send and does not, as it was sent. Throws RequestError. */
async function heldBeside(sending: Sending, one: Attempt): Promise<Values> {
  const { context, resource } = sending;
  const { ledger, serviceKey, dialect } = context;
  const keys = [one.planned.key ?? '', `id:${one.id}`];
  const known = await ledger.recall(serviceKey, resource.name, 'applied', keys);
  const sent: Memory['applied'] = Object.assign({}, ...known.values());
  const held = { ...unreadIn(resource, sent), ...(await readNow(sending, one)) };
  const applied = stillSo(held, sent);
  const names = fieldsBeside(resource, dialect, one.step.body).filter((name) => !isNothing(held[name]));
  return Object.fromEntries(names.map((name) => [name, applied[name] ?? held[name] ?? null]));
}

const readNow = async ({ guard }: Sending, { planned, id, step }: Attempt): Promise<Values | null> =>
  (await guard.readNow?.({ planned, id, body: step.body as Values })) ?? null;

/** What of its record an update emptied, as soon as reads show it; undefined where it can't be read. */
async function lostBy(sending: Sending, one: Attempt, rest: Values): Promise<readonly string[] | undefined> {
  const { doubts, time } = sending.context;
  const lostIn = (now: Values | null): string[] =>
    Object.keys(rest).filter((name) => now?.[name] !== undefined && isNothing(now[name]));
  const isShown = (now: Values | null): boolean =>
    now !== null && (lostIn(now).length > 0 || showsUpdate(one, now));
  try {
    const until = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
    return lostIn((await doubts.look(until, () => readNow(sending, one), isShown)) ?? null);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return undefined;
  }
}

/** Whether a read shows anything of the update that was not there before. */
function showsUpdate({ planned: { lmt, changes } }: Attempt, now: Values): boolean {
  if (lmt !== null && typeof now.LMT === 'string' && !sameMoment(now.LMT, lmt)) return true;
  return changes.some(({ field, from }) => now[field] !== undefined && !sameValue(now[field], from));
}

/** Said once. */
const wholeText = (row: PlannedRow, lost: readonly string[]): Bilingual =>
  t(
    `${placeOf(row)}: an update empties the fields that it does not send (${lost.join(', ')}); they were put back. From now on updates are sent with all their fields.`,
    `${placeOf(row)}: een wijziging maakt de velden leeg die niet meegestuurd worden (${lost.join(', ')}); ze zijn teruggezet. Vanaf nu worden wijzigingen met alle velden verstuurd.`,
  );

function emptiedStop(row: PlannedRow, rest: Values, gone: readonly string[]): StopError {
  const said = (language: Language): string =>
    gone.map((name) => `${name} ${shorten(valueText(rest[name] ?? null, language))}`).join(', ');
  const message = t(
    `${placeOf(row)}: the service emptied what the update did not send, and it could not be put back: ${said('en')}.`,
    `${placeOf(row)}: het systeem maakte leeg wat de wijziging niet meestuurde, en dat kon niet terug: ${said('nl')}.`,
  );
  const next = t(
    'The rest was not sent. Fill these fields in on the service, and ask its maker how an update keeps them.',
    'De rest is niet verstuurd. Vul deze velden in het systeem in, en vraag de maker hoe een wijziging ze bewaart.',
  );
  return new StopError(EXIT.service, message, { next });
}
