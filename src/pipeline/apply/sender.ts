import { EXIT, StopError } from '../../errors.ts';
import type { Outcome, PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';
import type { Blame } from './row-chains.ts';
import { type EarlierTry, sendRow } from './send-row.ts';
import type { Sendings } from './sendings.ts';
import { earlierFailedText } from './texts.ts';

/** Sends rows until something stops the run. */
export interface Sender {
  /** Sends a row and records its outcome, unless an earlier one is to blame; answers the row to blame, if any. */
  send(planned: PlannedRow, earlier: EarlierTry, blame: Blame): Promise<Blame>;
  stopped(): StopError | null;
  /** Rows whose record is there without its ExternalID. */
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
        // Whatever it is, what was done so far must be counted and written down.
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

const placeOf = ({ sheet, row }: PlannedRow): string => `${sheet}!${row}`;

function notSent(planned: PlannedRow, blame: string): Outcome {
  return {
    seq: planned.seq,
    status: 'not sent',
    id: planned.id,
    message: earlierFailedText(blame),
    issues: [],
    at: null,
  };
}
