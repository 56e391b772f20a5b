import { EXIT, StopError } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Values } from '../../core/value.ts';
import { sameValue } from '../../records/existing-record.ts';
import { sameMoment } from '../../records/fresh.ts';
import type { HeldNow } from '../../records/row-guard.ts';
import { fieldsBeside, filledIn, isNothing } from '../../records/unsent-fields.ts';
import type { Resource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { uncheckedText } from './apply-texts.ts';
import { placeOf } from './row-chains.ts';
import type { Attempt, Sending, Sent } from './sending.ts';

/** The fact that a service empties what an update does not send. */
const factOf = ({ name }: Resource): string => `updates of ${name}`;

/** Reads may lag behind for so long, ms. */
const LONGEST_LAG = 6_000;

/** After so many updates that no read shows nobody waits for a next one. */
const MOST_UNSEEN = 3;

const nobodyWaits = (): void => {};

/**
 * The turn of a row that finds out whether updates empty what they are not sent: taken before its record is
 * looked at, as that may change while it waits. Answers how it ends.
 */
export async function turnOf(
  { whole, guard, aside, context, resource }: Sending,
  { steps: [step], rest }: PlannedRow,
): Promise<() => void> {
  if (step?.purpose !== 'update' || rest === undefined || guard.readNow === undefined) return nobodyWaits;
  whole.known ??=
    (await context.ledger.findFact(context.serviceKey, factOf(resource))) === 'whole' || undefined;
  if (whole.known !== undefined) return nobodyWaits;
  let end = nobodyWaits;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    void whole.turn(async () => {
      resolve();
      await ended;
    });
  });
  await aside(() => begun);
  if (whole.known !== undefined) end();
  return end;
}

/** Carries out a step. */
type Send = (one: Attempt) => Promise<Sent>;

/**
 * Sends a step, an update so that nothing is lost that it does not send: the first of a run goes alone, and its
 * record is read after it. What was emptied is put back, and updates after it are sent with all that their
 * records hold; where it can't be put back the run stops.
 */
export async function sendUpdate(sending: Sending, one: Attempt, send: Send): Promise<Sent> {
  const { whole, guard } = sending;
  const { rest, steps } = one.planned;
  // A record that the row made itself is sent whole.
  const isWhole = rest === undefined || steps[0]?.purpose === 'create' || guard.readNow === undefined;
  if (one.step.purpose !== 'update' || isWhole) return await send(one);
  if (whole.known === undefined) return await sendAlone(sending, one, send);
  if (!whole.known) return await send(one);
  const held = await heldBeside(sending, one);
  return held instanceof RequestError ? unread(one, held) : await send(withAll(one, held));
}

/** The same update with these fields too. */
const withAll = (one: Attempt, held: Values): Attempt => ({
  ...one,
  step: { ...one.step, body: { ...held, ...one.step.body } },
});

/** What the record holds in the fields that an update could send and does not, or why that can't be read. */
async function heldBeside(sending: Sending, one: Attempt): Promise<Values | RequestError> {
  const { context, resource } = sending;
  const { id, step } = one;
  const unread = id === null ? {} : await context.ledger.findSent(context.serviceKey, resource.name, id);
  try {
    const held = { ...unread, ...(await readNow(sending, one)) };
    return sendable(resource, filledIn(fieldsBeside(resource, context.dialect, step.body), held));
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

const unread = ({ id }: Attempt, error: RequestError): Sent => ({
  ending: { status: 'failed', id, message: uncheckedText(error), issues: [] },
});

const readNow = async ({ guard }: Sending, { planned, id, step }: Attempt): Promise<HeldNow | null> =>
  (await guard.readNow?.({ planned, id, body: step.body as Values })) ?? null;

/** Values without those that their fields don't take. */
function sendable({ fields }: Resource, values: Values): Values {
  const takes = ([name, value]: [string, Values[string]]): boolean =>
    fields[name]?.codec.wire.safeParse(value).success === true;
  return Object.fromEntries(Object.entries(values).filter(takes));
}

async function sendAlone(sending: Sending, one: Attempt, send: Send): Promise<Sent> {
  const { whole, context, breaker, resource } = sending;
  const rest = one.planned.rest ?? (await heldBeside(sending, one));
  if (rest instanceof RequestError) return unread(one, rest);
  const done = await send(one);
  if ('ending' in done || Object.keys(rest).length === 0) return done;
  const lostIn = (now: HeldNow): string[] =>
    Object.keys(rest).filter((name) => now[name] !== undefined && isNothing(now[name]));
  const now = await readUntil(sending, one, (read) => lostIn(read).length > 0 || showsUpdate(one, read));
  const lost = now === null ? [] : lostIn(now);
  if (lost.length === 0) {
    // One that can't be seen tells nothing; several are enough, as each keeps the others waiting.
    if ((now !== null && showsUpdate(one, now)) || ++whole.unseen >= MOST_UNSEEN) whole.known = false;
    return done;
  }
  // The record is as this row left it.
  const back = await send({ ...withAll(one, sendable(resource, rest)), doubt: null, fresh: false });
  const again = await readUntil(sending, one, (read) => lostIn(read).length < lost.length);
  const gone = 'ending' in back || again === null ? lost : lostIn(again);
  if (gone.length > 0) {
    breaker.halt(emptiedStop(one.planned, rest, gone));
    return done;
  }
  whole.known = true;
  await context.ledger.rememberFact(context.serviceKey, factOf(resource), 'whole');
  whole.notes.push(wholeText(one.planned, lost));
  return done;
}

/** Reads the record until it shows what is looked for; the last reading, null where it can't be read. */
async function readUntil(
  sending: Sending,
  one: Attempt,
  isShown: (now: HeldNow) => boolean,
): Promise<HeldNow | null> {
  const { doubts, time } = sending.context;
  const until = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
  try {
    const look = () => readNow(sending, one);
    return (await doubts.look(until, look, (now) => now !== null && isShown(now))) ?? null;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return null;
  }
}

/** Whether a read shows anything of the update that was not there before. */
function showsUpdate({ planned: { lmt, changes } }: Attempt, now: HeldNow): boolean {
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
