import { EventEmitter } from 'node:events';
import { countsText, shownTotal } from '../../core/counts.ts';
import { EXIT, type ExitCode, StopError, usageStop } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { FlagsOf } from '../../options/options.ts';
import { serveMetrics } from '../../queue/metrics.ts';
import { type WorkerEvents, work } from '../../queue/work.ts';
import { inView } from '../show.ts';
import { onEnd } from '../stops.ts';
import type { View } from '../view/lines.ts';

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
    const events: WorkerEvents = new EventEmitter();
    const served = metrics === undefined ? undefined : await serveOn(metrics, events);
    const over = onEnd(onSignal);
    try {
      view.note(
        t(
          'Waiting for runs that are handed over with --queue. Ctrl-C ends it when what is out was answered.',
          'Wacht op runs die met --queue overgegeven worden. Ctrl-C stopt het als wat onderweg is beantwoord is.',
        ),
      );
      const givenUp = new Set<string>();
      tell(events, view, givenUp);
      await work(options, { drain, signal, events });
      // One that was told to stop has done what it was to do.
      if (!drain || givenUp.size === 0) return EXIT.ok;
      view.note(givenUpText([...givenUp]));
      return EXIT.rows;
    } finally {
      await served?.close();
      over();
    }
  });
}

function givenUpText(runs: readonly string[]): Bilingual {
  const again = runs.map((run) => `catersheet apply ${run} --queue`).join(', ');
  return t(
    `Given up, and not sent to the end. Mend what stands above, then hand over again: ${again}.`,
    `Opgegeven, en niet helemaal verstuurd. Verhelp wat hierboven staat, en geef daarna weer over: ${again}.`,
  );
}

/** What waits for a newer version. */
const newerText = (count: number): Bilingual =>
  t(
    `Runs that a newer catersheet handed over, and that are left to its workers: ${count}. Update this one to take part.`,
    `Runs die een nieuwere catersheet overgaf, en die aan de workers daarvan gelaten zijn: ${count}. Werk deze bij om mee te doen.`,
  );

/** Where Prometheus finds figures. Throws StopError for a port that can't be used. */
async function serveOn(port: number, events: WorkerEvents) {
  try {
    return await serveMetrics(port, events);
  } catch (cause) {
    throw usageStop(
      t(
        `Port ${port} can’t be used for figures: another program has it, or it needs an administrator.`,
        `Poort ${port} is niet te gebruiken voor cijfers: een ander programma heeft hem, of er is een beheerder nodig.`,
      ),
      t('Name another one with --metrics.', 'Noem een andere met --metrics.'),
      cause,
    );
  }
}

/** Tells a person, and gathers the runs that are given up: nobody tries them again by himself. */
function tell(events: WorkerEvents, view: View, givenUp: Set<string>): void {
  let newer = 0;
  events.on('began', (run) => {
    givenUp.delete(run);
    view.note(t(`Sending run ${run}.`, `Run ${run} wordt verstuurd.`));
  });
  events.on('joined', (run) =>
    view.note(
      t(`Sending run ${run} with another worker.`, `Run ${run} wordt samen met een ander verstuurd.`),
    ),
  );
  events.on('sent', (run, counts) => {
    const shown = shownTotal([{ counts, made: undefined }]);
    const [en, nl] = [countsText(shown, false, 'en'), countsText(shown, false, 'nl')];
    view.note(t(`Run ${run} was sent: ${en}.`, `Run ${run} is verstuurd: ${nl}.`));
  });
  const stopped = (run: string, { texts: { message } }: StopError): void =>
    view.note(t(`Run ${run} stopped: ${message.en}`, `Run ${run} stopte: ${message.nl}`));
  events.on('helped', (run, { stop }) => stop && stopped(run, stop));
  events.on('stopped', (run, stop, again) => {
    if (!again) givenUp.add(run);
    stopped(run, stop);
  });
  // This one leaves them to others.
  events.on('looked', (sizes) => {
    if (sizes.newer > newer) view.note(newerText(sizes.newer));
    newer = sizes.newer;
  });
}
