import { EXIT, StopError } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import { sameMoment } from '../../records/fresh.ts';
import type { HeldNow } from '../../records/row-guard.ts';
import { fieldsBeside, filledIn, isNothing } from '../../records/unsent-fields.ts';
import type { Resource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { uncheckedText } from './apply-texts.ts';
import { resolveStep, sendResolved } from './send-step.ts';
import type { Attempt, Sending, Sent } from './sending.ts';

/** What becomes of a step, and what is told of it where it went through. */
export interface SentUpdate {
  readonly sent: Sent;
  readonly message: Bilingual | null;
}

/** The fact that a service empties what an update does not send. */
const factOf = ({ name }: Resource): string => `updates of ${name}`;

/** Reads that lag behind are tried again after so long, each time twice as long, and for so long, ms. */
const FIRST_PAUSE = 200;
const LONGEST_LAG = 6_000;
/** After so many updates that no read shows nobody waits for a next one. */
const MOST_UNSEEN = 3;

const nobodyWaits = (): void => {};

/** The turn of a row that finds out whether updates empty what they are not sent; answers how it ends. */
export async function turnOf(sending: Sending, { steps: [step], rest }: PlannedRow): Promise<() => void> {
  const { whole, guard, aside, breaker, context, resource } = sending;
  if (step?.purpose !== 'update' || rest === undefined || guard.readNow === undefined) return nobodyWaits;
  whole.known ??=
    (await context.ledger.findFact(context.serviceKey, factOf(resource))) === 'whole' || undefined;
  if (whole.known !== undefined) return nobodyWaits;
  const before = whole.turn;
  let end = nobodyWaits;
  whole.turn = new Promise<void>((resolve) => (end = () => resolve()));
  await aside(() => before);
  const stop = breaker.stop();
  if (stop !== null) {
    end();
    throw stop;
  }
  if (whole.known !== undefined) end();
  return end;
}

/**
 * Sends an update so that nothing is lost that it does not send: the first of a run goes alone, and its record
 * is read after it. What was emptied is put back, and updates after it are sent with all that their records
 * hold; where it can't be put back the run stops.
 */
export async function sendUpdate(
  sending: Sending,
  one: Attempt,
  send: (one: Attempt) => Promise<SentUpdate>,
): Promise<SentUpdate> {
  const { whole, guard } = sending;
  const { planned, step } = one;
  const isNew = planned.steps[0] !== step && planned.steps[0]?.purpose === 'create';
  // A record that the row made itself is sent whole.
  if (step.purpose !== 'update' || planned.rest === undefined || isNew || guard.readNow === undefined)
    return await send(one);
  if (whole.known === undefined) return await sendAlone(sending, one, send);
  if (!whole.known) return await send(one);
  const held = await orUnread(one, () => heldBeside(sending, one));
  if ('sent' in held) return held;
  return await send({ ...one, step: { ...step, body: { ...held.read, ...step.body } } });
}

/** What was read; what becomes of the row where it can't be. */
async function orUnread<T>({ id }: Attempt, read: () => Promise<T>): Promise<{ read: T } | SentUpdate> {
  try {
    return { read: await read() };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const ending = { status: 'failed', id, message: uncheckedText(error), issues: [] } as const;
    return { sent: { ending }, message: null };
  }
}

/** What the record holds in the fields that an update could send and does not. */
async function heldBeside({ guard, context, resource }: Sending, { planned, id, step }: Attempt) {
  const names = fieldsBeside(resource, context.dialect, step.body);
  const unread = id === null ? {} : await context.ledger.findSent(context.serviceKey, resource.name, id);
  const held = await guard.readNow?.({ planned, id, body: step.body as Values });
  return sendable(resource, filledIn(names, { ...unread, ...held }));
}

/** Values without those that their fields don't take. */
function sendable({ fields }: Resource, values: Values): Values {
  const takes = ([name, value]: [string, Values[string]]): boolean =>
    fields[name]?.codec.wire.safeParse(value).success === true;
  return Object.fromEntries(Object.entries(values).filter(takes));
}

async function sendAlone(
  sending: Sending,
  one: Attempt,
  send: (one: Attempt) => Promise<SentUpdate>,
): Promise<SentUpdate> {
  const { whole, context, breaker, resource } = sending;
  const held = await orUnread(one, async () => one.planned.rest ?? (await heldBeside(sending, one)));
  if ('sent' in held) return held;
  const { read: rest } = held;
  const done = await send(one);
  if ('ending' in done.sent || Object.keys(rest).length === 0) return done;
  const lostIn = (now: HeldNow): string[] =>
    Object.keys(rest).filter((name) => now[name] !== undefined && isNothing(now[name]));
  const now = await lookFor(sending, one, (read) => lostIn(read).length > 0 || showsUpdate(one, read));
  const lost = now === null ? [] : lostIn(now);
  if (lost.length === 0) {
    // One that can't be seen tells nothing; several are enough, as each keeps the others waiting.
    if ((now !== null && showsUpdate(one, now)) || ++whole.unseen >= MOST_UNSEEN) whole.known = false;
    return done;
  }
  await putBack(sending, one, { ...sendable(resource, rest), ...done.sent.body });
  const again = await lookFor(sending, one, (read) => lostIn(read).length < lost.length);
  const gone = again === null ? lost : lostIn(again);
  if (gone.length > 0) {
    breaker.halt(emptiedStop(resource, rest, gone));
    return { ...done, message: emptiedText(rest, gone) };
  }
  whole.known = true;
  await context.ledger.rememberFact(context.serviceKey, factOf(resource), 'whole');
  whole.notes.push(wholeText(resource, lost));
  return { ...done, message: putBackText(rest, lost) };
}

/** Reads the record until it shows what is looked for; the last reading, null where it can't be read. */
async function lookFor(
  { context: { doubts, signal, time }, guard }: Sending,
  { planned, id, step }: Attempt,
  isShown: (now: HeldNow) => boolean,
): Promise<HeldNow | null> {
  let now: HeldNow | null = null;
  const end = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
  for (let wait = 0; wait === 0 || time.steady() + wait <= end; wait = Math.max(FIRST_PAUSE, 2 * wait)) {
    // What is read after an interruption says that it was.
    if (wait > 0) await time.sleep(wait, signal).catch(() => {});
    try {
      now = (await guard.readNow?.({ planned, id, body: step.body as Values })) ?? null;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
    if (now !== null && isShown(now)) return now;
  }
  return now;
}

/** Whether a read shows anything of the update that was not there before. */
function showsUpdate({ planned: { lmt, changes } }: Attempt, now: HeldNow): boolean {
  if (lmt !== null && typeof now.LMT === 'string' && !sameMoment(now.LMT, lmt)) return true;
  return changes.some(({ field, from }) => now[field] !== undefined && !sameValue(now[field], from));
}

/** Sends the update once more, with what its record held. */
async function putBack(sending: Sending, { planned, step, id }: Attempt, body: Values): Promise<void> {
  const nothing = async (): Promise<void> => {};
  const doubted = () => sending.unrest(planned, id, sending.context.doubts.fromNow());
  const marks = { ready: nothing, sending: () => {}, unsent: nothing, doubted };
  const params = (await resolveStep(sending, step, id))?.params ?? {};
  try {
    await sendResolved(sending, step as Step, { params, body }, marks);
  } catch (error) {
    // What the record holds after it tells.
    if (!(error instanceof RequestError)) throw error;
    if (error.mayHaveTakenEffect) await doubted();
  }
}

const said = (rest: Values, names: readonly string[], language: Language): string =>
  names.map((name) => `${name} ${shorten(valueText(rest[name] ?? null, language))}`).join(', ');

const putBackText = (rest: Values, lost: readonly string[]): Bilingual =>
  t(
    `the service emptied what the update did not send, and it was put back: ${said(rest, lost, 'en')}`,
    `het systeem maakte leeg wat de wijziging niet meestuurde, en dat is teruggezet: ${said(rest, lost, 'nl')}`,
  );

const emptiedText = (rest: Values, gone: readonly string[]): Bilingual =>
  t(
    `the service emptied what the update did not send, and it could not be put back: ${said(rest, gone, 'en')}`,
    `het systeem maakte leeg wat de wijziging niet meestuurde, en dat kon niet terug: ${said(rest, gone, 'nl')}`,
  );

/** Said once. */
const wholeText = ({ sheet }: Resource, lost: readonly string[]): Bilingual =>
  t(
    `${sheet}: an update empties the fields that it does not send (${lost.join(', ')}). From now on updates are sent with all their fields.`,
    `${sheet}: een wijziging maakt de velden leeg die niet meegestuurd worden (${lost.join(', ')}). Vanaf nu worden wijzigingen met alle velden verstuurd.`,
  );

function emptiedStop(resource: Resource, rest: Values, gone: readonly string[]): StopError {
  const told = emptiedText(rest, gone);
  const message = t(`${resource.sheet}: ${told.en}.`, `${resource.sheet}: ${told.nl}.`);
  const next = t(
    'The rest was not sent. Fill these fields in on the service, and ask its maker how an update keeps them.',
    'De rest is niet verstuurd. Vul deze velden in het systeem in, en vraag de maker hoe een wijziging ze bewaart.',
  );
  return new StopError(EXIT.service, message, { next });
}
