import { wouldSendText } from '../core/counts.ts';
import { EXIT, type ExitCode, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { exitCodeOf, type ImportResult } from '../import/import.ts';
import { eachRow } from '../ledger/each-row.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import { wrongUsage } from './usage.ts';

/** Shows what a run came to, and what stopped it if anything did; answers the exit code. */
export async function showResult(
  { context, logFile }: Session,
  view: View,
  result: ImportResult,
): Promise<ExitCode> {
  const rows = eachRow(context.ledger, result.plan.run);
  await view.showImport({ result, service: context.serviceName, rows, logFile });
  if (result.stopped !== null) view.stop(withWayOn(result.stopped, result.plan.run), logFile);
  if (result.resultError !== null) view.stop(result.resultError, logFile);
  if (result.reportError !== null) view.stop(result.reportError, logFile);
  return exitCodeOf(result);
}

/** Says how the run goes on: what was begun is in the ledger. */
function withWayOn(stop: StopError, run: string): StopError {
  if (stop.exitCode === EXIT.fault) return stop;
  const on = t(
    `catersheet apply ${run} goes on where it was; importing the file again does too: rows that are done come out unchanged.`,
    `catersheet apply ${run} gaat verder waar het was; het bestand opnieuw importeren kan ook: wat klaar is, blijkt dan ongewijzigd.`,
  );
  const { message, next } = stop.texts;
  const ownNext = stop.exitCode === EXIT.interrupted || next === undefined ? null : next;
  return new StopError(stop.exitCode, message, {
    next: ownNext === null ? on : t(`${ownNext.en} ${on.en}`, `${ownNext.nl} ${on.nl}`),
    cause: stop,
  });
}

/** Shows a plan and asks whether to send it. Throws StopError with EXIT.usage where there is nobody to ask. */
export async function askToSend(
  json: string | undefined,
  view: View,
  ...[plan, signal]: Parameters<View['confirm']>
): Promise<boolean> {
  if (process.stdin.isTTY === true && json === undefined) return await view.confirm(plan, signal);
  const { en, nl } = wouldSendText(plan.requests);
  throw wrongUsage(
    t(`${en}, and there is no terminal to ask on.`, `${nl}, en er is geen terminal om het te vragen.`),
    t(
      'Add --yes to send them, or --dry-run to see what would change.',
      'Voeg --yes toe om ze te versturen, of --dry-run om te zien wat er zou veranderen.',
    ),
  );
}
