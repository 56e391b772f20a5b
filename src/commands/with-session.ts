import { EXIT, type ExitCode, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';
import { openSession, type Session, type SessionHooks } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';
import { chooseView } from './choose-view.ts';
import type { CommonFlags } from './common-flags.ts';
import { asStop } from './fault.ts';

/**
 * Opens what a command needs, runs it and closes everything again, however it ends. Ctrl-C asks it to stop in good
 * order; a second one ends the process at once. `exclusive` for commands that plan or send; `goOn` says how one that was
 * interrupted goes on.
 */
export async function withSession(
  flags: CommonFlags,
  work: (session: Session, view: View) => Promise<ExitCode>,
  exclusive?: SessionHooks['exclusive'],
  goOn: Bilingual = exclusive === undefined ? ONCE_MORE : IMPORT_AGAIN,
): Promise<ExitCode> {
  const view = chooseView(flags, resolveSettings(flags).lang);
  const interrupt = new AbortController();
  const onSignal = (): void => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(interruptedBy(goOn));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const hooks = { signal: interrupt.signal, onProgress: view.progress, onWait: view.note, exclusive };
  let session: Session | undefined;
  try {
    session = await openSession(flags, hooks);
    if (session.embedded) view.note(WORDS.embedded);
    return await work(session, view);
  } catch (error) {
    const stop = asStop(error);
    session?.context.log.error({ code: stop.exitCode, cause: causeOf(stop) }, stop.message);
    view.stop(stop, needsLog(stop) ? (session?.logFile ?? null) : null);
    return stop.exitCode;
  } finally {
    view.close();
    await session?.close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** Runs a command that needs no service and no ledger, and says what stopped it. */
export async function withView(
  flags: CommonFlags,
  work: (view: View) => Promise<ExitCode>,
): Promise<ExitCode> {
  const view = chooseView(flags, resolveSettings(flags).lang);
  try {
    return await work(view);
  } catch (error) {
    const stop = asStop(error);
    view.stop(stop, null);
    return stop.exitCode;
  } finally {
    view.close();
  }
}

/** A wrong file or flag is explained in full, and who interrupts knows why; for the rest the log may tell more. */
function needsLog({ exitCode }: StopError): boolean {
  return exitCode === EXIT.fault || exitCode === EXIT.service;
}

const ONCE_MORE: Bilingual = t('Give the same command again.', 'Geef dezelfde opdracht opnieuw.');

const IMPORT_AGAIN: Bilingual = t(
  'Import the same file again to go on: rows that are done come out unchanged.',
  'Importeer hetzelfde bestand opnieuw om verder te gaan: wat klaar is, blijkt dan ongewijzigd.',
);

const interruptedBy = (next: Bilingual): StopError =>
  new StopError(
    EXIT.interrupted,
    t('Interrupted: nothing new is sent.', 'Onderbroken: er wordt niets nieuws meer verstuurd.'),
    { next },
  );

function causeOf(error: StopError): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
