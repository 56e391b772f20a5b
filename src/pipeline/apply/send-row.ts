import { StopError } from '../../errors.ts';
import type { WriteAnswer } from '../../schema/answer.ts';
import type { Outcome, PlannedRow, Status, Step } from '../../schema/plan.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import { RequestError } from '../../service/request-error.ts';
import { type Context, wallClock } from '../context.ts';
import type { RowGuard } from '../kinds/kind.ts';
import type { Breaker } from './breaker.ts';
import { type AddressOf, failureOf } from './failure-outcome.ts';
import { knownId, MissingRecord, sendStep } from './send-steps.ts';

/** What sending rows of one resource works with. */
export interface Sending {
  readonly context: Context;
  readonly run: string;
  readonly resource: Resource;
  readonly guard: RowGuard;
  readonly breaker: Breaker;
  readonly addressOf: AddressOf;
}

type Ending = Pick<Outcome, 'status' | 'id' | 'message' | 'issues'>;

const DONE: Readonly<Record<Exclude<Step['purpose'], 'key'>, Status>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
};

/**
 * Sends a planned row's requests one after the other and says what became of it. Throws StopError when nothing
 * more can be sent at all (token refused, interrupted).
 */
export async function sendRow(sending: Sending, planned: PlannedRow): Promise<Outcome> {
  const moved = await sending.guard.check(planned);
  const ending: Ending =
    moved === null
      ? await sendSteps(sending, planned)
      : { status: 'conflict', id: planned.id, message: moved, issues: [] };
  return { seq: planned.seq, ...ending, at: wallClock(sending.context.clock()) };
}

async function sendSteps(sending: Sending, planned: PlannedRow): Promise<Ending> {
  let id = planned.id ?? (await rememberedId(sending, planned));
  let status: Status = 'not sent';
  let message: Bilingual | null = null;
  for (const step of planned.steps) {
    if (step.purpose === 'key') {
      message = await storeKey(sending, planned, step, id);
      continue;
    }
    const sent = await attempt(sending, planned, step, id);
    if ('failed' in sent) return sent.failed;
    id = sent.answer.id ?? id;
    if (step.purpose === 'create' && id === null)
      return { status: 'unknown', id, message: noIdText(), issues: [] };
    if (id !== null) await recordWrite(sending, planned, step, id);
    status = DONE[step.purpose];
  }
  return { status, id, message, issues: [] };
}

type Sent = { readonly answer: WriteAnswer } | { readonly failed: Ending };

async function attempt(sending: Sending, planned: PlannedRow, step: Step, id: number | null): Promise<Sent> {
  const { context, resource, run } = sending;
  if (step.purpose === 'create') await context.ledger.markSending(run, planned.seq);
  try {
    const answer = await sendStep(context, resource, step, id);
    sending.breaker.note(null);
    if (answer.success) return { answer };
    return { failed: { status: 'failed', id, message: refusedText(answer.message), issues: [] } };
  } catch (error) {
    if (error instanceof MissingRecord)
      return { failed: { status: 'not sent', id, message: noRecordText(), issues: [] } };
    if (!(error instanceof RequestError)) throw error;
    sending.breaker.note(error);
    if (error.mayHaveTakenEffect) {
      const settled = await sending.guard.tookEffect(planned, step, id);
      if (settled !== null && settled !== 'no')
        return { answer: { id: settled.id, success: true, message: null } };
    }
    return { failed: { id, ...failureOf(planned, error, sending.addressOf) } };
  }
}

/** A record that this run created earlier, for a later row about the same ExternalID. */
async function rememberedId({ context, resource }: Sending, planned: PlannedRow): Promise<number | null> {
  const { external, steps } = planned;
  if (external === null || steps[0]?.purpose === 'create') return null;
  return await knownId(context, resource.name, external);
}

async function recordWrite(sending: Sending, planned: PlannedRow, step: Step, id: number): Promise<void> {
  const { context, resource } = sending;
  sending.guard.wrote(id);
  if (step.purpose === 'delete' || planned.external === null) return;
  await context.ledger.rememberKeys(context.serviceKey, resource.name, [{ external: planned.external, id }]);
}

/** Stores the ExternalID on a record just created. A service that won't have it costs the row nothing. */
async function storeKey(
  sending: Sending,
  planned: PlannedRow,
  step: Step,
  id: number | null,
): Promise<Bilingual | null> {
  const { context, resource } = sending;
  const { keys } = sending.guard;
  const { external } = planned;
  if (id === null || external === null || !keys.kept()) return null;
  try {
    const answer = await sendStep(context, resource, step, id);
    if (!answer.success) keys.refused(answer.message ?? 'success false');
    else await keys.verify(external, id);
  } catch (error) {
    // The record is there, whatever ends the run now: its row must not count as unsent.
    if (error instanceof StopError) return keyPendingText(resource.external, error.message);
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === 'refused') keys.refused(error.words ?? error.reason);
    else return keyPendingText(resource.external, error.reason);
  }
  return null;
}

const refusedText = (words: string | null): Bilingual => ({
  en: words ?? 'the service answered success: false',
  nl: words ?? 'de dienst antwoordde success: false',
});

const noRecordText = (): Bilingual => ({
  en: 'not sent: the record should have been created by an earlier row of this file, and was not',
  nl: 'niet verstuurd: het record had door een eerdere rij van dit bestand aangemaakt moeten zijn, en dat is niet gebeurd',
});

const noIdText = (): Bilingual => ({
  en: 'the service said it was created but gave no id',
  nl: 'de dienst zei dat het aangemaakt is maar gaf geen id',
});

const keyPendingText = (external: string, reason: string): Bilingual => ({
  en: `created; its ${external} could not be stored yet (${reason}), the next import does so`,
  nl: `aangemaakt; ${external} kon nog niet worden opgeslagen (${reason}), de volgende import doet dat`,
});
