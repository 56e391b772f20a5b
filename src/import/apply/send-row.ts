import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { type Outcome, type PlannedRow, plannedStatus, type Status, type Step } from '../../core/plan.ts';
import type { StoredResult } from '../../ledger/ledger.ts';
import { isFoundByKey } from '../../records/create-once.ts';
import { referredId } from '../../records/references.ts';
import type { SentStep } from '../../records/row-guard.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { elsewhereText, openElsewhere } from '../../run/posted-elsewhere.ts';
import { RequestError } from '../../service/request-error.ts';
import { resourceNamed } from '../map/sheet-by-headers.ts';
import { planDetails } from '../plan/saved-plan.ts';
import { LeftInDoubt, sendOnce } from './doubt.ts';
import { changedMeanwhile, resolveStep, sendResolved } from './intent.ts';
import { createdAllTheSameText, earlierFailedText, keyPendingText, keyRefusedText } from './outcomes.ts';
import { type Blame, placeOf, WENT_WELL } from './row-chains.ts';
import type { createSendings, Ending, Sending } from './sending.ts';
import { inTurn, sendUpdate } from './whole-records.ts';

/** What is being written to the ledger: one commit with what is written after it, where that is at once. */
type Saves = Promise<unknown>[];

/** Sends rows until something stops the run; its progress counts the rows that are to be sent (`total`), of which some are done. */
export function createSender(
  { context, run, sendings }: { context: Context; run: string; sendings: ReturnType<typeof createSendings> },
  total: number,
  done = 0,
) {
  const { ledger, log, onProgress, time } = context;
  const { breaker, late } = sendings;
  const elsewhere = createElsewhere(context, run);
  // Rows without an outcome, for which others are not sent either: by their places.
  const left = new Set<string>();
  const leave = (place: string): Blame => {
    left.add(place);
    return place;
  };
  if (total > 0) onProgress?.({ stage: 'sending', done, total });
  const finish = async (planned: PlannedRow, outcome: Outcome, saves: Saves = []): Promise<Blame> => {
    await Promise.all([...saves, ledger.saveRow(run, planned.seq, { outcome })]);
    log.info({ run, sheet: planned.sheet, row: planned.row, id: outcome.id }, outcome.status);
    onProgress?.({ stage: 'sending', done: ++done, total });
    return WENT_WELL.has(outcome.status) ? null : placeOf(planned);
  };
  /** Why a row that was not begun is not sent; null where it is. */
  const refusalOf = async (sending: Sending, planned: PlannedRow): Promise<Ending | null> => {
    const message = await elsewhere(planned);
    if (message === null) return await changedMeanwhile(sending, planned);
    return { status: 'conflict', id: planned.id, message, issues: [] };
  };
  return {
    stopped: breaker.stop,
    /**
     * Sends a row, unless `blame` names one that it needed, or its record changed since the plan, or that can't
     * be found out, and records its outcome; answers who is to blame.
     */
    async send(result: StoredResult, blame: Blame): Promise<Blame> {
      const { seq, id } = result.planned;
      const place = placeOf(result.planned);
      if (breaker.stop() !== null) return place;
      try {
        if (blame !== null && left.has(blame)) return leave(place);
        if (blame !== null) {
          const message = earlierFailedText(blame);
          await finish(result.planned, { seq, status: 'not sent', id, message, issues: [], at: null });
          return blame;
        }
        const sending = sendings.of(result.planned.resource);
        const planned = await late.passed(result.planned);
        if (planned === null) return place;
        return await inTurn(sending, planned, async () => {
          if (breaker.stop() !== null) return place;
          const saves: Saves = [];
          const refusal = isBegun(result) ? null : await refusalOf(sending, planned);
          const ending = refusal ?? (await sendSteps(sending, { ...result, planned }, saves));
          return await finish(planned, { seq, ...ending, at: wallClock(time.now()) }, saves);
        });
      } catch (error) {
        if (error instanceof LeftInDoubt) return leave(place);
        // What was done so far must be counted and written down all the same.
        breaker.halt(error instanceof StopError ? error : fault(error));
        log.error({ run, place, error: String(error) }, 'stopped');
        return place;
      }
    },
  };
}

function fault(error: unknown): StopError {
  const what = error instanceof Error ? error.message : String(error);
  const message = t(
    `A fault of the program ended the run: ${what}.`,
    `Door een fout in het programma is de run gestopt: ${what}.`,
  );
  const next = t(
    'Please report it with the log. Import the file again to go on: rows that are done come out unchanged.',
    'Meld het, met het logboek. Importeer het bestand opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
  );
  return new StopError(EXIT.fault, message, { next, cause: error });
}

/** Whether a request of the row was sent, or about to be. */
function isBegun({ progress }: StoredResult): boolean {
  return progress !== null && (progress.done > 0 || progress.sendingSince !== null);
}

/**
 * Sends a row's requests one after the other, from where an earlier try left off, and says what became of it.
 * Throws StopError when nothing more can be sent at all (token refused, interrupted).
 */
async function sendSteps(sending: Sending, result: StoredResult, saves: Saves): Promise<Ending> {
  const { planned, progress } = result;
  let id = await recordId(sending, result);
  let status = statusAfter(planned, progress?.done ?? 0);
  let message: Bilingual | null = null;
  for (const [at, own] of planned.steps.entries()) {
    if (at < (progress?.done ?? 0)) continue;
    const step = at === 0 ? own : withAllMade(sending, planned, own);
    if (step.purpose === 'key') {
      const stored = await storeKey(sending, planned, step, id);
      if (stored.unfinished === true) return { status, id, issues: [], ...stored };
      message = stored.message;
      continue;
    }
    const doubt = at === progress?.done ? progress.sendingSince : null;
    // What comes after the first is about a record that the row wrote itself.
    const one = { planned, step, at, id, doubt, fresh: at === 0 };
    const sent = await sendUpdate(sending, one, async (whole) => {
      const done = await sendOnce(sending, whole);
      if ('ending' in done) return done;
      await recordWrite(sending, { planned, step, id: done.id ?? id, body: done.body }, saves);
      return done;
    });
    if ('ending' in sent) return at === 0 ? sent.ending : halfDone(sent.ending, id);
    id = sent.id ?? id;
    status = statusAfter(planned, at + 1);
    if (at + 1 < planned.steps.length) {
      const progress = { done: at + 1, id, sendingSince: null };
      const next = sending.context.ledger.saveRow(sending.run, planned.seq, { progress });
      await Promise.all([...saves.splice(0), next]);
    }
  }
  return { status, id, message, issues: [] };
}

/** The create went through, and the update after it did not. */
function halfDone(ending: Ending, id: number | null): Ending {
  if (ending.status !== 'failed' && ending.status !== 'unknown') return ending;
  return { ...ending, id: ending.id ?? id, message: createdAllTheSameText(id, ending.message) };
}

/** A row that creates its record is created, whatever it sends after that. */
const statusAfter = ({ action }: PlannedRow, done: number): Status =>
  done === 0 ? 'not sent' : plannedStatus(action);

/** With all that was made: a service may empty what an update does not send. */
function withAllMade({ resource }: Sending, { steps: [made] }: PlannedRow, step: Step): Step {
  const takes = ([name]: [string, unknown]): boolean => {
    const update = resource.fields[name]?.update ?? 'none';
    return update !== 'none' && update !== 'dialect';
  };
  return {
    ...step,
    body: { ...Object.fromEntries(Object.entries(made?.body ?? {}).filter(takes)), ...step.body },
  };
}

const nothing = async (): Promise<void> => {};

/** Stores the ExternalID on a record just created; where the service refuses it, the row is still created. */
async function storeKey(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
): Promise<Pick<Ending, 'message' | 'unfinished'>> {
  const { external } = planned;
  if (id === null || external === null) return { message: null };
  // The record was created: its row must not count as unsent, whatever ends the run.
  const pending = (reason: Bilingual) =>
    ({ message: keyPendingText(external, reason), unfinished: true }) as const;
  const refused = (words: string) => ({ message: keyRefusedText(external, words) });
  const doubted = () => sending.late.add(planned, id, sending.context.doubts.fromNow());
  try {
    const resolved = await resolveStep(sending, step, id);
    if (resolved === null) return { message: null };
    const marks = { ready: nothing, sending() {}, unsent: nothing, doubted };
    const { success, message } = await sendResolved(sending, step, resolved, marks);
    if (!success) return refused(message ?? 'success false');
    await sending.guard.wrote?.({ planned, step, id, body: resolved.body });
    return { message: null };
  } catch (error) {
    if (error instanceof StopError) return pending(error.texts.message);
    if (!(error instanceof RequestError)) throw error;
    if (error.mayHaveTakenEffect) await doubted();
    const { kind, words, reason } = error;
    return kind === 'refused' || kind === 'missing' ? refused(words ?? reason) : pending(error.reasons);
  }
}

/** The id of a row's record: its own, or that of one which an earlier row with its ExternalID created. */
async function recordId(
  { context, resource }: Sending,
  { planned: { id, external, steps }, progress }: StoredResult,
): Promise<number | null> {
  const own = progress?.id ?? id;
  if (own !== null || external === null || steps[0]?.purpose === 'create') return own;
  return await referredId(context, { $ref: resource.name, external });
}

/** Writes down that a request went through, and what it made known: it is there when `saves` are. */
async function recordWrite(sending: Sending, sent: SentStep, saves: Saves): Promise<void> {
  const { context, resource, guard, applied, run } = sending;
  const { planned, step, id, body } = sent;
  const { ledger, serviceKey } = context;
  // Written together, so that no crash leaves one without the other; what a guard reads waits for the pace.
  const watched = guard.wrote?.(sent);
  const writes: Promise<void>[] = [sending.conflicts.decided(planned, step)];
  const key = guard.keyOf?.(sent) ?? (id === null ? null : `id:${id}`);
  if (guard.readBack !== undefined && key !== null) {
    writes.push(applied.wrote(sent, key));
    const at = new Date(context.time.now()).toISOString();
    const place = { run, seq: planned.seq, at };
    writes.push(ledger.remember(serviceKey, resource.name, 'write', key, place));
  }
  if (step.fingerprint !== undefined)
    writes.push(ledger.settlePosting(serviceKey, resource.name, step.fingerprint, { state: 'done', id }));
  if (step.purpose !== 'delete' && planned.external !== null && id !== null) {
    const label = 'label' in resource ? body[resource.label] : null;
    const pair = { external: planned.external, id, label: typeof label === 'string' ? label : null };
    writes.push(ledger.rememberKeys(serviceKey, resource.name, [pair]));
  }
  const saved = Promise.all(writes).then(() => sending.creates.saved(id));
  // Whoever waits for it hears of a fault; meanwhile nobody does.
  saved.catch(() => {});
  saves.push(saved);
  await watched;
}

/** Tells why a row waits for the user: what it posts was posted at another address since its plan was made. */
function createElsewhere(context: Context, run: string) {
  const open = askedOnce(async (name: string) => {
    // What the user said when the file was planned holds, unless something else is said now.
    const elsewhere = context.elsewhere ?? (await planDetails(context.ledger, run))?.elsewhere;
    const asked = { ...context, elsewhere };
    return { asked, find: await openElsewhere(asked, name) };
  });
  return async (planned: PlannedRow): Promise<Bilingual | null> => {
    const { steps } = planned;
    const names = steps.flatMap(({ fingerprint, also = [] }) => [fingerprint ?? [], also].flat());
    if (names.length === 0) return null;
    const { asked, find } = await open(planned.resource);
    const [other] = (await find(names)).values();
    if (other === undefined) return null;
    const resource = resourceNamed(context, planned.resource);
    const isFound =
      steps[0]?.purpose === 'create' &&
      // The event tells which links it has.
      (!('external' in resource) || (await isFoundByKey({ ...asked, resource }, planned, other)));
    return isFound ? null : elsewhereText(other);
  };
}
