import { countsText, shownTotal } from '../../core/counts.ts';
import { EXIT, type ExitCode, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { FlagsOf } from '../../options/options.ts';
import { serveMetrics, type WorkerMetrics } from '../../queue/metrics.ts';
import { type WorkerEvents, work } from '../../queue/work.ts';
import { inView } from '../show.ts';
import { onEnd } from '../stops.ts';
import type { View } from '../view/view.ts';

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
    const served = metrics === undefined ? undefined : await serveOn(metrics);
    const over = onEnd(onSignal);
    try {
      view.note(
        t(
          'Waiting for runs that are handed over with --queue. Ctrl-C ends it when what is out was answered.',
          'Wacht op runs die met --queue overgegeven worden. Ctrl-C stopt het als wat onderweg is beantwoord is.',
        ),
      );
      const givenUp = new Set<string>();
      const told = [toldIn(view, givenUp), ...(served === undefined ? [] : [served.events])];
      await work(options, { drain, signal, events: toEach(told) });
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
async function serveOn(port: number): Promise<WorkerMetrics> {
  try {
    return await serveMetrics(port);
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(
        `Port ${port} can’t be used for figures: another program has it, or it needs an administrator.`,
        `Poort ${port} is niet te gebruiken voor cijfers: een ander programma heeft hem, of er is een beheerder nodig.`,
      ),
      {
        cause,
        next: t('Name another one with --metrics.', 'Noem een andere met --metrics.'),
      },
    );
  }
}

const EVENTS = ['began', 'sent', 'stopped', 'joined', 'helped', 'looked'] as const;

/** Tells each of these what a worker does. */
function toEach(all: readonly WorkerEvents[]): WorkerEvents {
  const each = EVENTS.map((name) => [
    name,
    (...told: never[]) => {
      for (const one of all) (one[name] as (...told: never[]) => void)(...told);
    },
  ]);
  return Object.fromEntries(each) as WorkerEvents;
}

/** Tells a person, and gathers the runs that are given up: nobody tries them again by himself. */
function toldIn(view: View, givenUp: Set<string>): WorkerEvents {
  let newer = 0;
  return {
    began(run) {
      givenUp.delete(run);
      view.note(t(`Sending run ${run}.`, `Run ${run} wordt verstuurd.`));
    },
    sent(run, counts) {
      const shown = shownTotal([{ counts, made: undefined }]);
      const [en, nl] = [countsText(shown, false, 'en'), countsText(shown, false, 'nl')];
      view.note(t(`Run ${run} was sent: ${en}.`, `Run ${run} is verstuurd: ${nl}.`));
    },
    joined: (run) =>
      view.note(
        t(
          `Sending run ${run} with another worker.`,
          `Run ${run} wordt samen met een andere worker verstuurd.`,
        ),
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
    stopped(run, { texts: { message } }, again) {
      if (!again) givenUp.add(run);
      view.note(t(`Run ${run} stopped: ${message.en}`, `Run ${run} stopte: ${message.nl}`));
    },
    // This one leaves them to others.
    looked(sizes) {
      if (sizes.newer > newer) view.note(newerText(sizes.newer));
      newer = sizes.newer;
    },
  };
}
