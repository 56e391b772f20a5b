import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import type { JobDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { isActive, keepJob } from '../live.ts';
import { asCallError } from '../loaded.ts';
import { Button } from './button.tsx';
import { ErrorBox } from './error-box.tsx';
import { Progress } from './progress.tsx';
import { toast } from './toast.tsx';
import { workersText } from './who-does-it.tsx';

const STOP = t('Stop', 'Stoppen');
const PAUSE = t('Pause', 'Pauzeren');

interface JobViewProps {
  readonly job: JobDocument;
  /** What the button is called that stops it. */
  readonly stopWord?: string;
  /** Makes it once more after it failed. */
  readonly onRetry?: () => void;
}

/** A job under way with what stops it, or what stopped it; nothing once it went well. */
export function JobView({ job, stopWord = say(STOP), onRetry }: JobViewProps): JSX.Element | null {
  if (isActive(job))
    return (
      <div class="job">
        <Progress job={job} />
        <Button small busy={job.state === 'stopping'} onClick={() => stopJob(job)}>
          {job.workers !== null && job.kind === 'send' ? say(PAUSE) : stopWord}
        </Button>
        {job.workers !== null && (
          <p class="dim">
            {job.notes.at(-1)} {workersText(job)}
          </p>
        )}
      </div>
    );
  if (job.stop === null) return null;
  return <ErrorBox error={job.stop} {...(onRetry === undefined ? {} : { onRetry })} />;
}

/** Stops a job: what is on its way is awaited. */
export async function stopJob({ id }: JobDocument): Promise<void> {
  await call('stopJob', { params: { job: id }, body: {} }).then(
    ({ job }) => keepJob(job),
    (error: unknown) => toast(asCallError(error).message, 'bad'),
  );
}
