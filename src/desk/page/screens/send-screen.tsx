import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { DraftDocument, JobDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { isActive, jobs } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { SheetsShown } from '../pieces/status-pill.tsx';
import { goTo } from '../router.ts';
import type { StepProps } from './draft-screen.tsx';
import { PausedRun } from './send/paused-run.tsx';
import { ReviewPlan } from './send/review-plan.tsx';
import { SendingRun } from './send/sending-run.tsx';

const REVIEW = t('Send it?', 'Versturen?');
const SENDING = t('Being sent', 'Wordt verstuurd');
const PAUSED = t('Stopped half-way', 'Halverwege gestopt');
const SENT = t('Sent', 'Verstuurd');
const RESULT = t('To the result', 'Naar het resultaat');

/** Jobs that send something of a run. */
const SENDS: ReadonlySet<JobDocument['kind']> = new Set(['send', 'settle']);

/** The job that sends a draft's run now, or did last. */
function sendJobOf(draft: DraftDocument): JobDocument | undefined {
  const own = [...jobs.value.values()].filter(
    (job) => SENDS.has(job.kind) && (job.draft === draft.id || (draft.run !== null && job.run === draft.run)),
  );
  return own.sort((one, other) => other.startedAt.localeCompare(one.startedAt))[0];
}

/** What exactly is sent, and then how that goes: found again after a reload by the run. */
export function SendScreen({ draft, reload }: StepProps): JSX.Element {
  const job = sendJobOf(draft);
  const isSending = job !== undefined && isActive(job);
  if (isSending)
    return (
      <>
        <ScreenTitle key="sending" title={say(SENDING)} />
        <Sending job={job} draft={draft} />
      </>
    );
  if (draft.stage === 'sent') return <AfterSending draft={draft} job={job} />;
  return (
    <>
      <ScreenTitle key="review" title={say(REVIEW)} />
      {job?.run === draft.run && job?.stop != null && <ErrorBox error={job.stop} />}
      <ReviewPlan key={draft.run} draft={draft} reload={reload} />
    </>
  );
}

interface SendingProps {
  readonly job: JobDocument;
  readonly draft: DraftDocument;
}

/** A run while it is sent, in the words of its sheets: rows that post say so. */
function Sending({ job, draft }: SendingProps): JSX.Element {
  const { data } = useLoaded(`plan ${draft.id} ${draft.run}`, (signal) =>
    call('plan', { params: { draft: draft.id }, signal }),
  );
  return (
    <SheetsShown.Provider value={data?.sheets ?? []}>
      <SendingRun job={job} draft={draft} />
    </SheetsShown.Provider>
  );
}

interface AfterProps {
  readonly draft: DraftDocument;
  readonly job: JobDocument | undefined;
}

/** Nothing of it is being sent: it was stopped, or has come to its end. */
function AfterSending({ draft, job }: AfterProps): JSX.Element {
  const run = draft.run ?? '';
  const { data, error, reload } = useLoaded(
    `run ${run} ${job?.endedAt ?? ''}`,
    (signal) => call('run', { params: { run }, signal }),
    [['runs', run]],
  );
  const isDone = data?.run.state === 'done';
  useEffect(() => {
    if (isDone && job?.state === 'done') goTo({ page: 'draft', draft: draft.id, step: 'done' }, true);
  }, [isDone, job?.state]);
  const title = say(data === null || isDone ? SENT : PAUSED);
  return (
    <>
      <ScreenTitle key={title} title={title} />
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {isDone && (
        <ButtonLink look="primary" icon="right" to={{ page: 'draft', draft: draft.id, step: 'done' }}>
          {say(RESULT)}
        </ButtonLink>
      )}
      {data !== null && !isDone && (
        <PausedRun run={data.run} deletes={data.deletes} workers={data.plan?.workers === true} job={job} />
      )}
    </>
  );
}
