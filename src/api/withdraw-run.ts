import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { openQueuedRuns, refuseFile } from '../queue/run-queue.ts';
import { resolveSettings } from '../session/settings.ts';
import type { RunDocument } from './documents.ts';
import { runDocument, withRuns } from './runs.ts';

/** How often it is looked whether a worker that was asked to stop has done so, ms. */
const LOOK = 250;

/**
 * Takes a run back from workers, waits until they have nothing more of it in hand, and resolves to how it
 * stands; `onWait` hears where they are at it. Throws StopError for a ledger in a file, and a run that no
 * worker has.
 */
export async function withdrawRun(run: string, options: OptionsOf<'withdrawRun'> = {}): Promise<RunDocument> {
  const given = checkOptions('withdrawRun', options, { run });
  const { ledger } = resolveSettings(given);
  const { signal, onWait: tell = () => {} } = given;
  refuseFile(ledger);
  // A database that can't be reached is told soon; the queue would wait for it a minute, without a word.
  const { ledger: opened } = await openAnyLedger(ledger, systemTime);
  await opened.close();
  const queued = await openQueuedRuns(ledger);
  try {
    for (let asked = false; ; asked = true) {
      const now = await queued.withdraw(run);
      if (now === 'not theirs' && !asked) throw notTheirs(run);
      if (now !== 'asked') break;
      if (!asked) tell(STOPPING);
      signal?.throwIfAborted();
      await systemTime.sleep(LOOK, signal).catch(() => {});
    }
  } finally {
    await queued.close();
  }
  return await withRuns(given, async ({ open }) => runDocument((await open(run)).record));
}

const STOPPING = t(
  'A worker is at it: it sends nothing new, and what is on its way is awaited.',
  'Een worker is ermee bezig: er gaat niets nieuws meer uit, en op wat onderweg is wordt gewacht.',
);

const notTheirs = (run: string): StopError =>
  usageStop(
    t(
      `No worker has run ${run}, and none will take it.`,
      `Geen worker heeft run ${run}, en geen zal hem nemen.`,
    ),
    withFlag(
      t('The run shows how it stands.', 'De run laat zien hoe het ermee staat.'),
      `catersheet runs ${run}`,
    ),
  );
