import { runWorker, type WorkerTold } from '../../api/run-worker.ts';
import { countsText, shownTotal } from '../../core/counts.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { FlagsOf } from '../../options/options.ts';
import { inView } from '../show.ts';
import { END_SIGNALS } from '../stops.ts';
import type { View } from '../view/view.ts';
import { WORDS } from '../view/words.ts';

/** `worker`: sends what was handed over, until it is stopped. */
export async function workerCommand(flags: FlagsOf<'worker'>): Promise<ExitCode> {
  const { drain, metrics, ...options } = flags;
  const shown = { ...flags, json: undefined, quiet: false, color: process.stderr.isTTY };
  return await inView(shown, async (view) => {
    const interrupt = new AbortController();
    const { signal } = interrupt;
    const onSignal = (): void => {
      // What is out is awaited; a second one ends at once, and another worker goes on.
      if (signal.aborted) process.exit(EXIT.interrupted);
      interrupt.abort(new StopError(EXIT.interrupted, t('Interrupted.', 'Onderbroken.')));
    };
    for (const name of END_SIGNALS) process.on(name, onSignal);
    try {
      view.note(WORDS.workerRuns);
      await runWorker(options, { drain, metrics, signal, told: toldIn(view) });
      return EXIT.ok;
    } finally {
      for (const name of END_SIGNALS) process.off(name, onSignal);
    }
  });
}

const toldIn = (view: View): WorkerTold => ({
  began: (run) => view.note(t(`Sending run ${run}.`, `Run ${run} wordt verstuurd.`)),
  sent(run, counts) {
    const shown = shownTotal([{ counts, made: undefined }]);
    const [en, nl] = [countsText(shown, false, 'en'), countsText(shown, false, 'nl')];
    view.note(t(`Run ${run} was sent: ${en}.`, `Run ${run} is verstuurd: ${nl}.`));
  },
  joined: (run) =>
    view.note(
      t(`Sending run ${run} with another worker.`, `Run ${run} wordt samen met een andere worker verstuurd.`),
    ),
  helped(run, { stop }) {
    if (stop === null) return;
    const { en, nl } = stop.texts.message;
    view.note(
      t(
        `No longer sending run ${run} with another worker: ${en}`,
        `Run ${run} wordt hier niet meer verstuurd: ${nl}`,
      ),
    );
  },
  stopped: (run, { texts: { message } }) =>
    view.note(t(`Run ${run} stopped: ${message.en}`, `Run ${run} stopte: ${message.nl}`)),
});
