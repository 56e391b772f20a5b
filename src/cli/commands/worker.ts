import { runWorker, type WorkerTold } from '../../api/run-worker.ts';
import { countsText, shownTotal } from '../../core/counts.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
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
      const { givenUp } = await runWorker(options, { drain, metrics, signal, told: toldIn(view) });
      // One that was told to stop has done what it was to do.
      if (!drain || givenUp.length === 0) return EXIT.ok;
      view.note(givenUpText(givenUp));
      return EXIT.rows;
    } finally {
      for (const name of END_SIGNALS) process.off(name, onSignal);
    }
  });
}

function givenUpText(runs: readonly string[]): Bilingual {
  const list = runs.join(', ');
  const again = runs.map((run) => `catersheet apply ${run} --queue`).join(', ');
  return t(
    `Given up, and not sent to the end: ${list}. Mend what stands above, then hand over again: ${again}.`,
    `Opgegeven, en niet helemaal verstuurd: ${list}. Verhelp wat hierboven staat, en geef daarna weer over: ${again}.`,
  );
}

/** What waits for a newer version. */
function newerText(count: number): Bilingual {
  const those = count === 1 ? t('1 run was', '1 run is') : t(`${count} runs were`, `${count} runs zijn`);
  return t(
    `${those.en} handed over by a newer catersheet, and left to its workers. Update this one to take part.`,
    `${those.nl} door een nieuwere catersheet overgegeven, en aan de workers daarvan gelaten. Werk deze bij om mee te doen.`,
  );
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
  newer: (count) => view.note(newerText(count)),
});
