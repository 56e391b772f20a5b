import { EXIT, StopError } from '../../errors.ts';
import type { Outcome, PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';
import { type EarlierTry, sendRow } from './send-row.ts';
import type { Sendings } from './sendings.ts';
import { earlierFailedText } from './texts.ts';

/** Sends rows until something stops the run. */
export interface Sender {
  /** Sends a row and records its outcome; true when later rows on the record may follow. */
  send(planned: PlannedRow, earlier: EarlierTry, previousOk: boolean): Promise<boolean>;
  stopped(): StopError | null;
}

const WENT_WELL: ReadonlySet<string> = new Set(['created', 'updated', 'deleted', 'unchanged']);

/** A sender for a plan; its progress counts the rows that are to be sent. */
export function createSender(context: Context, run: string, sendings: Sendings, total: number): Sender {
  let done = 0;
  let thrown: StopError | null = null;
  const stopped = (): StopError | null => thrown ?? sendings.breaker.stop() ?? interrupted(context.signal);
  const finish = async (planned: PlannedRow, outcome: Outcome): Promise<boolean> => {
    await context.ledger.saveOutcomes(run, [outcome]);
    context.log.info({ run, sheet: planned.sheet, row: planned.row, id: outcome.id }, outcome.status);
    context.onProgress?.({ stage: 'sending', done: ++done, total });
    return WENT_WELL.has(outcome.status);
  };
  return {
    stopped,
    async send(planned, earlier, previousOk) {
      if (stopped() !== null) return false;
      try {
        if (!previousOk) return await finish(planned, notSent(planned));
        return await finish(planned, await sendRow(sendings.of(planned.resource), planned, earlier));
      } catch (error) {
        // Whatever it is, what was done so far must be counted and written down.
        thrown ??= error instanceof StopError ? error : fault(error);
        context.log.error({ run, sheet: planned.sheet, row: planned.row, error: String(error) }, 'stopped');
        return false;
      }
    },
  };
}

function interrupted(signal: AbortSignal | undefined): StopError | null {
  if (signal?.aborted !== true) return null;
  return signal.reason instanceof StopError
    ? signal.reason
    : new StopError(EXIT.interrupted, { en: 'Interrupted.', nl: 'Onderbroken.' }, { cause: signal.reason });
}

function fault(error: unknown): StopError {
  const what = error instanceof Error ? error.message : String(error);
  return new StopError(
    EXIT.fault,
    {
      en: `A fault of the program ended the run: ${what}.`,
      nl: `Een fout in het programma beëindigde de run: ${what}.`,
    },
    {
      next: {
        en: 'Please report it with the log. Import the file again to go on: rows that are done come out unchanged.',
        nl: 'Meld het, met het logboek. Importeer het bestand opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
      },
      cause: error,
    },
  );
}

function notSent(planned: PlannedRow): Outcome {
  return {
    seq: planned.seq,
    status: 'not sent',
    id: planned.id,
    message: earlierFailedText(),
    issues: [],
    at: null,
  };
}
