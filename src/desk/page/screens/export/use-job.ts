import { useState } from 'preact/hooks';
import type { JobDocument, JobKind } from '../../../contract/documents.ts';
import { isActive, jobs, keepJob } from '../../live.ts';
import type { Wrong } from '../../pieces/error-box.tsx';
import { wrongOf } from '../../wrong.ts';

/** The latest job of a kind, also one from before the page was opened, and what begins another. */
export function useLatestJob(kind: JobKind) {
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [asking, setAsking] = useState(false);
  const job = [...jobs.value.values()]
    .filter((one) => one.kind === kind)
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))[0];
  return {
    job,
    wrong,
    busy: asking || (job !== undefined && isActive(job)),
    begin: async (ask: () => Promise<{ readonly job: JobDocument }>): Promise<void> => {
      setWrong(null);
      setAsking(true);
      try {
        keepJob((await ask()).job);
      } catch (error) {
        setWrong(wrongOf(error));
      } finally {
        setAsking(false);
      }
    },
  };
}
