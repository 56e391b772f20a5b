import { useState } from 'preact/hooks';
import type { JobDocument, JobKind, ServiceDocument } from '../../../contract/documents.ts';
import { isSameService } from '../../../contract/same-service.ts';
import { home } from '../../desk.ts';
import { isActive, jobs, keepJob } from '../../live.ts';
import type { Wrong } from '../../pieces/error-box.tsx';
import { wrongOf } from '../../wrong.ts';

/**
 * The latest job of a kind on the service in use, also one from before the page was opened, and what begins
 * another. What another service answered is not shown.
 */
export function useLatestJob(kind: JobKind, service: ServiceDocument | undefined = home.value?.service) {
  const [failed, setFailed] = useState<{ readonly wrong: Wrong; readonly of: string } | null>(null);
  const [asking, setAsking] = useState(false);
  const here = JSON.stringify(service);
  const job = [...jobs.value.values()]
    .filter((one) => one.kind === kind && service !== undefined && isSameService(one.service, service))
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))[0];
  return {
    job,
    wrong: failed?.of === here ? failed.wrong : null,
    busy: asking || (job !== undefined && isActive(job)),
    begin: async (ask: () => Promise<{ readonly job: JobDocument }>): Promise<void> => {
      setFailed(null);
      setAsking(true);
      try {
        keepJob((await ask()).job);
      } catch (error) {
        setFailed({ wrong: wrongOf(error), of: here });
      } finally {
        setAsking(false);
      }
    },
  };
}
