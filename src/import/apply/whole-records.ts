import { EXIT, StopError } from '../../core/errors.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Values } from '../../core/value.ts';
import { plainValues, sameValue } from '../../records/existing-record.ts';
import type { HeldNow } from '../../records/field-memory.ts';
import { sameMoment } from '../../records/freshness.ts';
import { heldBefore } from '../../records/held-before.ts';
import { fieldsBeside, filledIn, isNothing } from '../../records/unsent-fields.ts';
import { wallClock } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { uncheckedText } from './apply-texts.ts';
import { resolveStep, sendResolved } from './send-steps.ts';
import type { Ending, Sending } from './sending.ts';

/** An update that may be sent now. */
interface Turn {
  readonly step: Step;
  /** To be called when it was sent: what is to be told of what became of the record. */
  check(): Promise<Bilingual | null>;
  /** To be called when all of it is over. */
  end(): void;
}

interface Update {
  readonly planned: PlannedRow;
  readonly step: Step;
  readonly id: number | null;
}

const asIs = (step: Step): Turn => ({ step, check: async () => null, end: () => {} });

/** So many updates that told nothing are enough to ask no more. */
const MOST_UNCLEAR = 2;

const factOf = ({ name }: Resource): string => `updates of ${name}`;

/**
 * Waits until a row may be looked at and sent: the first of a run whose update could lose anything goes
 * alone, to find out. What is looked at before would wait long. Answers what ends its turn.
 */
export async function turnOf(sending: Sending, planned: PlannedRow): Promise<() => void> {
  const isUpdate = planned.steps[0]?.purpose === 'update' && planned.rest !== undefined;
  if (!isUpdate || !(await isUnknown(sending))) return () => {};
  // Of which nothing is known must be read first: a few of them are enough.
  if (planned.rest === null && sending.whole.blind++ >= MOST_UNCLEAR) return () => {};
  return await takeTurn(sending, planned);
}

async function isUnknown({ guard, whole, context, resource }: Sending): Promise<boolean> {
  if (guard.readNow === undefined) return false;
  if (whole.known === 'unread') {
    const fact = await context.ledger.findFact(context.serviceKey, factOf(resource));
    if (whole.known === 'unread') whole.known = fact === 'whole' ? 'whole' : 'unknown';
  }
  return whole.known === 'unknown';
}

/** Waits until no other row finds out; one that need not either by then holds no turn. */
async function takeTurn({ whole, aside, breaker }: Sending, { seq }: PlannedRow): Promise<() => void> {
  const before = whole.turn;
  let over = (): void => {};
  whole.turn = new Promise<void>((resolve) => (over = resolve));
  await aside(() => before);
  const stop = breaker.stop();
  if (stop === null && whole.known === 'unknown') whole.holder = seq;
  else over();
  if (stop !== null) throw stop;
  return over;
}

/**
 * Lets an update out so that nothing is lost that it does not send: where its row finds that out, its record
 * is read after it, and put back if the service emptied it; updates after it are whole, from now on.
 */
export async function beginUpdate(sending: Sending, update: Update): Promise<Turn | { ending: Ending }> {
  const { whole, context, resource } = sending;
  const { planned, step, id } = update;
  const isUpdate = step.purpose === 'update' || step.purpose === 'key';
  if (!isUpdate || (!(await isUnknown(sending)) && whole.known !== 'whole')) return asIs(step);
  const [first] = planned.steps;
  const made = first !== undefined && first !== step && first.purpose === 'create' ? first : null;
  const names = fieldsBeside(resource, context.dialect, step.body);
  const own = made === null ? null : filledIn(names, plainValues(made.body));
  const resolved = await resolveStep(sending, step, id);
  if (resolved === null) return asIs(step);
  const one = { ...update, names, made, body: resolved.body };
  try {
    if (whole.known === 'whole') return asIs(await wholeStep(sending, one, own));
    if (own !== null) {
      if (isEmpty(own)) return asIs(step);
      const end = await takeTurn(sending, planned);
      if (whole.holder !== planned.seq) return await beginUpdate(sending, update);
      return { step, end, check: () => checkRest(sending, { ...one, rest: own }) };
    }
    if (whole.holder !== planned.seq) return asIs(step);
    const isFirst = !whole.tried.has(planned.key) && planned.lmt !== null;
    whole.tried.add(planned.key);
    const known = isFirst ? planned.rest : null;
    const rest = known ?? filledIn(names, (await readNow(sending, one)) ?? {});
    return isEmpty(rest) ? asIs(step) : { ...asIs(step), check: () => checkRest(sending, { ...one, rest }) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { ending: { status: 'failed', id, message: uncheckedText(error), issues: [] } };
  }
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

interface Look extends Update {
  readonly body: Values;
  /** The fields that an update could send beside it. */
  readonly names: readonly string[];
  /** The create of the row that it goes with. */
  readonly made: Step | null;
}

async function readNow({ guard }: Sending, { planned, id, body }: Look): Promise<HeldNow | null> {
  return (await guard.readNow?.({ planned, id, body })) ?? null;
}

/** The update with all that its record holds; what no read tells, as it was sent last. */
async function wholeStep(sending: Sending, one: Look, own: Values | null): Promise<Step> {
  const { context, resource } = sending;
  const { step, names, id } = one;
  const unread = id === null ? {} : await context.ledger.findSent(context.serviceKey, resource.name, id);
  const held = own ?? (await readNow(sending, one)) ?? {};
  return { ...step, body: { ...sendable(sending, filledIn(names, { ...unread, ...held })), ...step.body } };
}

/** Values as they are sent to stay what they are; without those that their fields don't take. */
function sendable({ stored, resource }: Sending, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      resource.fields[name]?.codec.wire.safeParse(value).success === true
        ? [[name, stored.sendable(name, value)]]
        : [],
    ),
  );
}

/** Reads that lag behind are tried again after so long, each time twice as long, ms. */
const FIRST_PAUSE = 200;
/** After so long a read tells nothing, or after the doubt time where that is shorter, ms. */
const LONGEST_LAG = 6_000;

/** Reads the record until it shows what is looked for; null where it can't be read. */
async function lookFor(
  sending: Sending,
  one: Look,
  isShown: (now: HeldNow) => boolean,
): Promise<HeldNow | null> {
  const { doubts, signal, time } = sending.context;
  let now: HeldNow | null = null;
  const end = Math.min(doubts.fromNow(), time.steady() + LONGEST_LAG);
  for (let wait = 0; wait === 0 || time.steady() + wait <= end; wait = Math.max(FIRST_PAUSE, 2 * wait)) {
    // What is read after an interruption says that it was.
    if (wait > 0) await time.sleep(wait, signal).catch(() => {});
    try {
      now = await readNow(sending, one);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
    if (now !== null && isShown(now)) return now;
  }
  return now;
}

/** Whether a read shows anything of the update that was not there before. */
function showsUpdate({ planned, body, made }: Look, now: HeldNow): boolean {
  const { lmt } = planned;
  if (lmt !== null && typeof now.LMT === 'string' && !sameMoment(now.LMT, lmt)) return true;
  const added = Object.keys(body).filter((field) => made !== null && !(field in made.body));
  const changes = [...planned.changes, ...added.map((field) => ({ field, from: null }))];
  return changes.some(({ field, from }) => now[field] !== undefined && !sameValue(now[field], from));
}

/** Looks what became of the rest of a record, puts it back where it was emptied, and remembers that. */
async function checkRest(sending: Sending, one: Look & { readonly rest: Values }): Promise<Bilingual | null> {
  const { whole, context, breaker, resource } = sending;
  const { rest, made } = one;
  // Whether a service keeps the ExternalID of a new record is another question.
  const told = Object.keys(rest).filter(
    (name) => made === null || name !== ('external' in resource ? resource.external : null),
  );
  const lostIn = (now: HeldNow): string[] =>
    told.filter((name) => now[name] !== undefined && isNothing(now[name]));
  // What was only just made is shown as it was made, or not at all.
  const isTelling = (read: HeldNow) => made !== null || lostIn(read).length > 0 || showsUpdate(one, read);
  const now = await lookFor(sending, one, isTelling);
  // What it shows of the update is what the service makes of its values.
  if (made === null && now !== null && showsUpdate(one, now))
    await sending.stored.saw(one.body, now, heldBefore(one));
  const lost = now === null ? [] : lostIn(now);
  if (lost.length === 0) {
    if ((now !== null && showsUpdate(one, now)) || ++whole.unclear >= MOST_UNCLEAR) whole.known = 'kept';
    return null;
  }
  await putBack(sending, one);
  const again = (await lookFor(sending, one, (read) => lostIn(read).length < lost.length)) ?? now;
  const gone = again === null ? lost : lostIn(again);
  const text = textOf(one, lost, gone);
  if (gone.length < lost.length) {
    whole.known = 'whole';
    await context.ledger.rememberFact(context.serviceKey, factOf(resource), 'whole');
    whole.notes.push(noteOf(sending, one, lost));
    lookLater(sending, one, lostIn);
  } else if (made !== null) {
    // The service keeps none of it, whatever is sent.
    whole.known = 'kept';
    return null;
  }
  if (made === null && gone.length > 0) breaker.halt(stopOf(sending, text));
  return text;
}

type LostIn = (now: HeldNow) => string[];

/** A try of the update that was given up may arrive after the rest was put back, and empty it once more. */
function lookLater(sending: Sending, one: Look & { readonly rest: Values }, lostIn: LostIn): void {
  const { context, whole, unrestUntil, aside } = sending;
  const until = unrestUntil(one.planned);
  if (until <= context.time.steady()) return;
  const text = restlessText(one, wallClock(context.doubts.momentOf(until)));
  const look = async (): Promise<void> => {
    if (!(await aside(() => context.doubts.passed(until)))) whole.notes.push(text);
    else whole.notes.push(...(await lookOnceMore(sending, one, lostIn)));
  };
  whole.restless.push({ look, text });
}

/** Puts back what is empty again, beside what the record holds by now; what other rows wrote stays. */
async function lookOnceMore(sending: Sending, one: Look & { readonly rest: Values }, lostIn: LostIn) {
  const { context, guard, resource, run } = sending;
  const { planned, id, names, rest } = one;
  try {
    const now = await readNow(sending, one);
    const lost = now === null ? [] : lostIn(now);
    if (now === null || lost.length === 0) return [];
    const key = guard.keyOf?.(one) ?? `id:${id}`;
    const last = (await context.ledger.findWrites(context.serviceKey, resource.name, [key])).get(key);
    if (last?.run === run && last.seq === planned.seq) {
      const held = sendable(sending, plainValues(filledIn(Object.keys(one.body), { ...one.body, ...now })));
      const body = { ...one.body, ...held };
      const whole = { ...filledIn(names, now), ...filledIn(lost, rest) };
      await putBack(sending, { ...one, body, rest: whole });
    }
    const again = await lookFor(sending, one, (read) => lostIn(read).length < lost.length);
    return [lateText(one, lost, again === null ? lost : lostIn(again))];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return [lateText(one, Object.keys(rest), Object.keys(rest))];
  }
}

function restlessText({ planned: { sheet, row }, rest }: Look & { readonly rest: Values }, until: string) {
  const [en, nl] = [said(rest, Object.keys(rest), 'en'), said(rest, Object.keys(rest), 'nl')];
  return t(
    `${sheet} ${row}: the first try of its update may still arrive until ${until}, and empty fields that were put back. Look at the record after that; it held ${en}.`,
    `${sheet} ${row}: de eerste poging van de wijziging kan nog tot ${until} aankomen, en velden leegmaken die teruggezet zijn. Bekijk het record daarna; er stond ${nl}.`,
  );
}

function lateText(
  { planned: { sheet, row }, rest }: Look & { readonly rest: Values },
  lost: readonly string[],
  gone: readonly string[],
): Bilingual {
  const told = textOf({ rest }, lost, gone);
  return t(
    `${sheet} ${row}: the first try of its update came late: ${told.en}.${gone.length === 0 ? '' : ' Fill these fields in on the service.'}`,
    `${sheet} ${row}: de eerste poging van de wijziging kwam te laat: ${told.nl}.${gone.length === 0 ? '' : ' Vul deze velden in het systeem in.'}`,
  );
}

/** Sends the update once more, with what its record held. */
async function putBack(sending: Sending, { planned, step, id, body, rest }: Look & { rest: Values }) {
  const nothing = async (): Promise<void> => {};
  const doubted = () => sending.unrest(planned, id, sending.context.doubts.fromNow());
  const marks = { ready: nothing, sending: () => {}, unsent: nothing, doubted };
  const resolved = await resolveStep(sending, step, id);
  try {
    const whole = { params: resolved?.params ?? {}, body: { ...sendable(sending, rest), ...body } };
    await sendResolved(sending, step, whole, marks);
  } catch (error) {
    // What the record holds after it tells.
    if (!(error instanceof RequestError)) throw error;
    if (error.mayHaveTakenEffect) await doubted();
  }
}

const said = (rest: Values, names: readonly string[], language: Language): string =>
  names.map((name) => `${name} ${shorten(valueText(rest[name] ?? null, language))}`).join(', ');

function textOf({ rest }: { readonly rest: Values }, lost: readonly string[], gone: readonly string[]) {
  const back = lost.filter((name) => !gone.includes(name));
  const parts = [
    back.length === 0
      ? null
      : t(
          `the service emptied what the update did not send, and it was put back: ${said(rest, back, 'en')}`,
          `het systeem maakte leeg wat de wijziging niet meestuurde, en dat is teruggezet: ${said(rest, back, 'nl')}`,
        ),
    gone.length === 0
      ? null
      : t(
          `the service emptied what the update did not send, and it could not be put back: ${said(rest, gone, 'en')}`,
          `het systeem maakte leeg wat de wijziging niet meestuurde, en dat kon niet terug: ${said(rest, gone, 'nl')}`,
        ),
  ].filter((part) => part !== null);
  return t(parts.map(({ en }) => en).join('; '), parts.map(({ nl }) => nl).join('; '));
}

/** Said once: what the service does, and what could not be seen of the first record. */
function noteOf({ resource }: Sending, { names, rest }: Look & { rest: Values }, lost: readonly string[]) {
  const { sheet, fields } = resource;
  const dark = names.filter((name) => fields[name]?.reads !== 'both' && !(name in rest)).join(', ');
  const unseen =
    dark === ''
      ? t('', '')
      : t(
          ` What the first record held of ${dark} can't be seen: look at it there.`,
          ` Wat het eerste record had aan ${dark}, is niet te zien: kijk dat daar na.`,
        );
  return t(
    `${sheet}: an update empties the fields that it does not send (${lost.join(', ')}). From now on updates are sent with all their fields.${unseen.en}`,
    `${sheet}: een wijziging maakt de velden leeg die niet meegestuurd worden (${lost.join(', ')}). Vanaf nu worden wijzigingen met alle velden verstuurd.${unseen.nl}`,
  );
}

function stopOf({ resource }: Sending, told: Bilingual): StopError {
  const message = t(`${resource.sheet}: ${told.en}.`, `${resource.sheet}: ${told.nl}.`);
  const next = t(
    'The rest was not sent. Fill these fields in on the service, and ask its maker how an update keeps them.',
    'De rest is niet verstuurd. Vul deze velden in het systeem in, en vraag de maker hoe een wijziging ze bewaart.',
  );
  return new StopError(EXIT.service, message, { next });
}
