import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Outcome, PlannedRow, Status, Step } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import type { RowProgress } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { RequestError } from '../../service/request-error.ts';
import {
  createdAllTheSameText,
  earlierFailedText,
  goneSinceText,
  keyOnlyHereText,
  keyPendingText,
  keyRefusedText,
} from './apply-texts.ts';
import type { Blame } from './row-chains.ts';
import { knownId, sendStep } from './send-steps.ts';
import { attempt, changedMeanwhile } from './send-until-known.ts';
import type { Attempt, Ending, Sending, Sendings, Sent } from './sending.ts';

/** Sends rows until something stops the run. */
export interface Sender {
  /**
   * Sends a row, unless `blame` names one that it needed, and records its outcome; answers who is to blame.
   */
  send(planned: PlannedRow, earlier: EarlierTry, blame: Blame): Promise<Blame>;
  stopped(): StopError | null;
  /** Rows whose record was created and lacks its ExternalID. */
  unfinished(): number;
}

const WENT_WELL: ReadonlySet<string> = new Set(['created', 'updated', 'deleted', 'unchanged']);

/** A sender for a plan; its progress counts the rows that are to be sent. */
export function createSender(context: Context, run: string, sendings: Sendings, total: number): Sender {
  let done = 0;
  let unfinished = 0;
  let thrown: StopError | null = null;
  const stopped = (): StopError | null => thrown ?? sendings.breaker.stop() ?? interrupted(context.signal);
  const finish = async (planned: PlannedRow, outcome: Outcome): Promise<Blame> => {
    await context.ledger.saveOutcomes(run, [outcome]);
    if (outcome.unfinished === true) unfinished++;
    context.log.info({ run, sheet: planned.sheet, row: planned.row, id: outcome.id }, outcome.status);
    context.onProgress?.({ stage: 'sending', done: ++done, total });
    return WENT_WELL.has(outcome.status) ? null : placeOf(planned);
  };
  return {
    stopped,
    unfinished: () => unfinished,
    async send(planned, earlier, blame) {
      if (stopped() !== null) return placeOf(planned);
      try {
        if (blame !== null) {
          await finish(planned, notSent(planned, blame));
          return blame;
        }
        return await finish(planned, await sendRow(sendings.of(planned.resource), planned, earlier));
      } catch (error) {
        // What was done so far must be counted and written down all the same.
        thrown ??= error instanceof StopError ? error : fault(error);
        context.log.error({ run, sheet: planned.sheet, row: planned.row, error: String(error) }, 'stopped');
        return placeOf(planned);
      }
    },
  };
}

function interrupted(signal: AbortSignal | undefined): StopError | null {
  if (signal?.aborted !== true) return null;
  return signal.reason instanceof StopError
    ? signal.reason
    : new StopError(EXIT.interrupted, t('Interrupted.', 'Onderbroken.'), { cause: signal.reason });
}

function fault(error: unknown): StopError {
  const what = error instanceof Error ? error.message : String(error);
  const message = t(
    `A fault of the program ended the run: ${what}.`,
    `Een fout in het programma beëindigde de run: ${what}.`,
  );
  const next = t(
    'Please report it with the log. Import the file again to go on: rows that are done come out unchanged.',
    'Meld het, met het logboek. Importeer het bestand opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
  );
  return new StopError(EXIT.fault, message, { next, cause: error });
}

const placeOf = ({ sheet, row }: PlannedRow): string => `${sheet}!${row}`;

function notSent({ seq, id }: PlannedRow, blame: string): Outcome {
  return { seq, status: 'not sent', id, message: earlierFailedText(blame), issues: [], at: null };
}

const DONE: Readonly<Record<Exclude<Step['purpose'], 'key'>, Status>> = {
  create: 'created',
  post: 'created',
  download: 'created',
  update: 'updated',
  delete: 'deleted',
};

/** What an earlier try of the same run left of a row. */
interface EarlierTry {
  readonly progress: RowProgress | null;
  /** That try wrote its record, otherwise than by a request of the row's own that is in doubt. */
  readonly alreadyWritten: boolean;
}

/**
 * Sends a planned row's requests one after the other, from where an earlier try left off, and says what
 * became of it. A row that was not begun is not sent when its record changed since, or that can't be found
 * out. Throws StopError when nothing more can be sent at all (token refused, interrupted).
 */
async function sendRow(
  sending: Sending,
  planned: PlannedRow,
  { progress, alreadyWritten }: EarlierTry,
): Promise<Outcome> {
  const begun = progress !== null && (progress.done > 0 || progress.sendingSince !== null);
  const refusal = alreadyWritten || begun ? null : await changedMeanwhile(sending, planned);
  const ending = refusal ?? (await sendSteps(sending, { planned, progress, recheck: !alreadyWritten }));
  return { seq: planned.seq, ...ending, at: wallClock(sending.context.clock()) };
}

interface RowToSend {
  readonly planned: PlannedRow;
  readonly progress: RowProgress | null;
  /** A change of the record since the plan is someone else's. */
  readonly recheck: boolean;
}

async function sendSteps(sending: Sending, { planned, progress, recheck }: RowToSend): Promise<Ending> {
  let id = progress?.id ?? planned.id ?? (await rememberedId(sending, planned));
  let status = progress === null ? 'not sent' : statusAfter(planned, progress.done);
  let message: Bilingual | null = null;
  for (const [at, step] of planned.steps.entries()) {
    if (at < (progress?.done ?? 0)) continue;
    if (step.purpose === 'key') {
      const stored = await storeKey(sending, planned, step, id);
      if (stored.pending)
        return { status: status as Status, id, message: stored.message, issues: [], unfinished: true };
      message = stored.message;
      continue;
    }
    const doubt = at === progress?.done ? progress.sendingSince : null;
    const one = { planned, step, at, id, doubt, recheck };
    const { sent, message: told } = await sendWithOrWithoutKey(sending, one);
    if ('ending' in sent) return at === 0 ? sent.ending : halfDone(sent.ending, id);
    id = sent.id ?? id;
    message = told ?? message;
    await recordWrite(sending, planned, step, id, sent.body);
    status = statusAfter(planned, at + 1);
    if (at + 1 < planned.steps.length) {
      const next = { done: at + 1, id, sendingSince: null };
      await sending.context.ledger.saveProgress(sending.run, planned.seq, next, false);
    }
  }
  return { status: status as Status, id, message, issues: [] };
}

/** The create went through, and the update after it did not. */
function halfDone(ending: Ending, id: number | null): Ending {
  if (ending.status !== 'failed' && ending.status !== 'unknown') return ending;
  return { ...ending, id: ending.id ?? id, message: createdAllTheSameText(id, ending.message) };
}

/** A row that creates its record is created, whatever it sends after that. */
function statusAfter(planned: PlannedRow, done: number): Status {
  const first = planned.steps.slice(0, done).find((step) => step.purpose !== 'key');
  return first === undefined || first.purpose === 'key' ? 'not sent' : DONE[first.purpose];
}

/** Stores the ExternalID on a record just created; where the service refuses it, the row is still created. */
async function storeKey(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
): Promise<{ readonly message: Bilingual | null; readonly pending: boolean }> {
  const { context, resource } = sending;
  const { keys } = sending.guard;
  const { external } = planned;
  const done = (message: Bilingual | null) => ({ message, pending: false });
  if (id === null || external === null || !keys.kept()) return done(null);
  try {
    const answer = await sendStep(context, resource, step, id);
    if (answer.success) await keys.stored(planned, id);
    else await keys.refused(answer.message ?? 'success false');
    return done(answer.success ? null : keyRefusedText(external, answer.message ?? 'success false'));
  } catch (error) {
    // The record was created: its row must not count as unsent, whatever ends the run.
    if (error instanceof StopError)
      return { message: keyPendingText(external, error.texts.message), pending: true };
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === 'missing') return done(goneSinceText(external));
    if (error.kind !== 'refused') return { message: keyPendingText(external, error.reasons), pending: true };
    await keys.refused(error.words ?? error.reason);
    return done(keys.kept() ? keyRefusedText(external, error.words ?? error.reason) : null);
  }
}

/**
 * Sends a step; `message` goes with a step that went through. An update that would also store an ExternalID
 * that only the ledger knows is sent without it where the service refuses it.
 */
async function sendWithOrWithoutKey(
  sending: Sending,
  one: Attempt,
): Promise<{ readonly sent: Sent; readonly message: Bilingual | null }> {
  const bare = await withoutKey(sending, one);
  if (bare === null) return { sent: await attempt(sending, one), message: null };
  const { keys } = sending.guard;
  if (keys.kept()) {
    const sent = await attempt(sending, one);
    const words = 'ending' in sent ? refusalOf(sent.ending, bare.key) : null;
    if (words === null) return { sent, message: null };
    await keys.refused(words);
  }
  const message = keyOnlyHereText(bare.external);
  if (bare.step !== null) return { sent: await attempt(sending, { ...one, step: bare.step }), message };
  return { sent: { ending: { status: 'unchanged', id: one.id, message, issues: [] } }, message };
}

/** An update that adds a key, without it (`step` is null if that leaves nothing); null for other requests. */
async function withoutKey(
  { context, resource, guard }: Sending,
  { planned, step }: Attempt,
): Promise<{ readonly step: Step | null; readonly key: string; readonly external: number } | null> {
  const { field: key } = guard.keys;
  if (key === null || step.purpose !== 'update') return null;
  const { external, changes, id } = planned;
  if (external === null || !changes.some(({ field, from }) => field === key && from === null)) return null;
  if ((await knownId(context, resource.name, external)) !== id) return null;
  const { [key]: _, ...body } = step.body;
  return { step: changes.length === 1 ? null : { ...step, body }, key, external };
}

/** The service's words about the key, where that is all it refuses. */
function refusalOf({ status, issues }: Ending, key: string): string | null {
  if (status !== 'failed' || issues.length === 0 || issues.some(({ field }) => field !== key)) return null;
  return issues.map(({ hint }) => (typeof hint === 'string' ? hint : (hint?.en ?? ''))).join(' ');
}

/** The id of a record that an earlier row created, for a later row about the same ExternalID. */
export async function rememberedId(
  { context, resource }: Sending,
  { external, steps }: PlannedRow,
): Promise<number | null> {
  if (external === null || steps[0]?.purpose === 'create') return null;
  return await knownId(context, resource.name, external);
}

/** Writes down that a request went through, and what it made known. */
export async function recordWrite(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
  body: Values,
): Promise<void> {
  const { context, resource, guard } = sending;
  const { ledger, serviceKey } = context;
  await guard.wrote({ planned, step, id, body });
  // Written together, so that no crash leaves one without the other.
  const writes: Promise<void>[] = [sending.conflicts.decided(planned, step)];
  if (step.fingerprint !== undefined) {
    writes.push(ledger.settlePosting(serviceKey, resource.name, step.fingerprint, id, true));
  }
  if (step.purpose !== 'delete' && planned.external !== null && id !== null) {
    const label = 'label' in resource ? body[resource.label] : null;
    const pair = { external: planned.external, id, label: typeof label === 'string' ? label : null };
    writes.push(ledger.rememberKeys(serviceKey, resource.name, [pair]));
  }
  await Promise.all(writes);
}
