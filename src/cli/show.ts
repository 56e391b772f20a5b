import type { Confirm, ImportEnd } from '../api/import-workbook.ts';
import { wouldSendText } from '../core/counts.ts';
import { asStop, EXIT, type ExitCode, StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, inOne, onPage, same, t } from '../core/language.ts';
import type { ReadQuestions } from '../import/import.ts';
import type { FlagsOf } from '../options/options.ts';
import { wallClock } from '../run/context.ts';
import type { Service } from '../service/service.ts';
import { type Exclusive, type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import { onEnd } from './stops.ts';
import { humanView } from './view/human.ts';
import { jsonView } from './view/json.ts';
import type { View } from './view/lines.ts';
import { type GivenFlags, serviceFlags } from './view/next-steps.ts';

/** The flags of every command that works with the service or the ledger. */
type CommonFlags = Omit<FlagsOf<'check'>, 'lists'>;

/**
 * Does a command's work within a session and shows what stopped it. Ctrl-C stops it in good order, a second
 * one at once. `exclusive` for commands that plan or send; `resume` tells how to continue an interrupted one.
 */
export async function inSession(
  flags: CommonFlags,
  exclusive: Exclusive,
  work: (session: Session, view: View) => Promise<ExitCode>,
  resume: Bilingual = exclusive === undefined ? ONCE_MORE : GO_ON,
): Promise<ExitCode> {
  const interrupt = new AbortController();
  return await inView(flags, async (view) => {
    let service: Service | undefined;
    const onSignal = (): void => {
      if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
      const out = service?.stats.out ?? 0;
      if (out > 0) view.note(stillOutText(out, service?.stats.lastAnswers ?? 0));
      interrupt.abort(
        new StopError(
          EXIT.interrupted,
          t('Interrupted: nothing new is sent.', 'Onderbroken: er wordt niets nieuws meer verstuurd.'),
          { next: resume },
        ),
      );
    };
    const over = onEnd(onSignal);
    const options = { ...flags, signal: interrupt.signal, onProgress: view.progress, onWait: view.note };
    try {
      return await withSession(options, exclusive, async (session) => {
        service = session.context.service;
        if (session.embedded)
          view.note(
            t(
              'No service is named, so the embedded sandbox answers (a made-up company, kept on this machine). Set one with --base-url.',
              'Er is geen systeem genoemd, dus de ingebouwde proefomgeving antwoordt (een verzonnen bedrijf, op deze computer). Stel er een in met --base-url.',
            ),
          );
        try {
          return await work(session, view);
        } catch (error) {
          const stop = asStop(error);
          const cause = stop.cause instanceof Error ? stop.cause.message : undefined;
          session.context.log.error({ code: stop.exit, cause }, stop.message);
          // A wrong file or flag is explained in full, an interruption explains itself; for the rest see the log.
          const logTells = stop.exit === EXIT.fault || stop.exit === EXIT.service;
          view.stop(stop, logTells ? session.logFile : null);
          return stop.exit;
        }
      });
    } finally {
      over();
    }
  });
}

/** Does a command's work without a session, and shows what stopped it. */
export async function inView(
  flags: Pick<CommonFlags, 'json' | 'quiet' | 'color' | 'lang'> & GivenFlags,
  work: (view: View) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { quiet, color, json } = flags;
  const { lang: language } = resolveSettings(flags);
  const view =
    json === undefined
      ? humanView({ language, quiet, color, given: flags })
      : jsonView({ language, quiet, all: json === 'all' });
  try {
    return await work(view);
  } catch (error) {
    const stop = asStop(error);
    view.stop(stop, null);
    return stop.exit;
  } finally {
    view.close();
  }
}

/** Shows the outcome of a run, and what stopped it if anything did; returns the exit code. */
export async function showImport(view: View, end: ImportEnd, flags: SentFlags): Promise<ExitCode> {
  const { result, logFile, exit } = end;
  const stopped = result.stopped && withNextStep(result.stopped, result.plan.run, flags);
  await view.showImport(end, stopped);
  if (stopped !== null) view.stop(stopped, logFile);
  if (result.resultError !== null) view.stop(result.resultError, logFile);
  if (result.reportError !== null) view.stop(result.reportError, logFile);
  return exit;
}

/**
 * Asks before a command sends; undefined with `--yes`. Throws StopError with EXIT.usage without a terminal.
 */
export function asking({ yes }: Asked, view: View, { context }: Session): Confirm | undefined {
  if (yes) return undefined;
  const nobody: Confirm = ({ requests }) => {
    throw nobodyToAsk(
      wouldSendText(requests),
      t(
        'Add --yes to send them, or --dry-run to see what would change.',
        'Voeg --yes toe om ze te versturen, of --dry-run om te zien wat er zou veranderen.',
      ),
    );
  };
  return view.questions(context.signal)?.confirm ?? nobody;
}

/** Asks what a file's headers stand for; undefined with `--yes`, and where there is nobody to ask. */
export const readQuestions = ({ yes }: Asked, view: View, { context }: Session): ReadQuestions | undefined =>
  yes ? undefined : (view.questions(context.signal) ?? undefined);

/** Asks before a command does something, unless that was agreed. Throws StopError with EXIT.usage without a terminal. */
export async function agreed(
  { yes }: Asked,
  view: View,
  question: Bilingual,
  signal?: AbortSignal,
): Promise<boolean> {
  if (yes) return true;
  const asked = view.questions(signal)?.agreed(question);
  if (asked === undefined)
    throw nobodyToAsk(
      t('This is asked about first', 'Dit wordt eerst gevraagd'),
      t('Add --yes to do it without a question.', 'Voeg --yes toe om het zonder vraag te doen.'),
    );
  return await asked;
}

const nobodyToAsk = ({ en, nl }: Bilingual, next: Bilingual): StopError =>
  usageStop(
    t(`${en}, and there is no terminal to ask on.`, `${nl}, en er is geen terminal om het te vragen.`),
    next,
  );

type SentFlags = GivenFlags & { readonly yes?: boolean; readonly queue?: boolean };

interface Asked {
  readonly yes: boolean;
}

/** Adds how to continue the run: what was begun is in the ledger. */
function withNextStep(stop: StopError, run: string, { yes, queue, ...given }: SentFlags): StopError {
  if (stop.exit === EXIT.fault) return stop;
  const { message, next } = stop.texts;
  // A plan above a ceiling, which nobody looked at yet.
  const isHeld = stop.exit === EXIT.rows;
  const own = isHeld ? '' : `${queue ? ' --queue' : ''}${yes ? ' --yes' : ''}`;
  const on = next === undefined || stop.exit === EXIT.interrupted ? ON : inOne([next, ON]);
  return new StopError(stop.exit, message, {
    // It is the workers' still: to import the file again would plan the same rows twice.
    next: isHeld ? next && onPage(next) : queue ? next : on,
    command: same(`catersheet apply ${run}${own}${serviceFlags(given)}`),
    cause: stop,
  });
}

const ON = t(
  'Importing the file again goes on: rows that are done come out unchanged. So does this, where it was:',
  'Het bestand opnieuw importeren gaat verder: wat klaar is, blijkt dan ongewijzigd. Dit ook, waar het was:',
);

/** What is waited for after Ctrl-C. */
function stillOutText(out: number, wait: number): Bilingual {
  const time = wallClock(new Date(Date.now() + wait)).slice(11);
  return t(
    `Requests that are still out: ${out}; waiting until ${time} for the answers. Ctrl-C again ends at once; the next run looks what arrived, and names what it can't tell.`,
    `Verzoeken die nog onderweg zijn: ${out}; er wordt tot ${time} op de antwoorden gewacht. Nog eens Ctrl-C stopt meteen; de volgende run kijkt wat er aangekomen is, en noemt wat niet te zien is.`,
  );
}

const ONCE_MORE = t('Give the same command again.', 'Geef dezelfde opdracht opnieuw.');

const GO_ON = t(
  'Give the same command again to go on: what is done is not done again.',
  'Geef dezelfde opdracht opnieuw om verder te gaan: wat klaar is, gebeurt niet nog eens.',
);
