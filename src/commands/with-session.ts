import { EXIT, type ExitCode, StopError } from '../errors.ts';
import { openSession, type Session } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { humanView } from '../view/human-view.ts';
import { jsonView } from '../view/json-view.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';
import type { CommonFlags } from './common-flags.ts';

/** The view that the flags ask for. */
function chooseView(flags: CommonFlags): View {
  const { lang: language } = resolveSettings(flags);
  const { quiet, color, json } = flags;
  if (json !== undefined) return jsonView({ language, quiet, all: json === 'all' });
  return humanView({ language, quiet, color });
}

/**
 * Opens what a command needs, runs it and closes everything again, however it ends. Ctrl-C asks it to stop in good
 * order; a second one ends the process at once. `exclusive` for commands that send.
 */
export async function withSession(
  flags: CommonFlags,
  work: (session: Session, view: View) => Promise<ExitCode>,
  exclusive = false,
): Promise<ExitCode> {
  const view = chooseView(flags);
  const interrupt = new AbortController();
  const onSignal = (): void => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort(interruptedBy());
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const hooks = { signal: interrupt.signal, onProgress: view.progress, onWait: view.note, exclusive };
  let session: Session | undefined;
  try {
    session = await openSession(flags, hooks);
    if (session.embedded) view.note(WORDS.embedded);
    return await work(session, view);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    session?.context.log.error({ code: error.exitCode, cause: causeOf(error) }, error.message);
    view.stop(error, needsLog(error) ? (session?.logFile ?? null) : null);
    return error.exitCode;
  } finally {
    view.close();
    await session?.close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** A wrong file or flag is explained in full; for the rest the log may tell more. */
function needsLog(error: StopError): boolean {
  return error.exitCode !== EXIT.usage && error.exitCode !== EXIT.file;
}

function interruptedBy(): StopError {
  return new StopError(
    EXIT.interrupted,
    'Interrupted: nothing new was sent, what was in flight was finished.',
    {
      next: 'Import the same file again to go on: rows that are done come out unchanged.',
    },
  );
}

function causeOf(error: StopError): string | undefined {
  return error.cause instanceof Error ? error.cause.message : undefined;
}
