import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Counts } from '../../../../core/counts.ts';
import { t } from '../../../../core/language.ts';
import type { DeskRun } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { isActive, JobStopped, jobs, keepJob, whenEnded } from '../../live.ts';
import { asCallError } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { JobView } from '../../pieces/job-view.tsx';
import { goTo, hrefOf } from '../../router.ts';

const TITLE = t('Not what you wanted?', 'Niet wat je wilde?');
const WHAT = t(
  'Taking it back makes a plan that undoes this run: you look at it first, and nothing is sent before you say so.',
  'Terugdraaien maakt een plan dat deze run ongedaan maakt: je bekijkt het eerst, en er gaat niets uit voordat je dat zegt.',
);
const TAKE = t('Take this run back', 'Deze run terugdraaien');
const TAKEN = t('This run was taken back by', 'Deze run is teruggedraaid door');

interface TakeBackProps {
  readonly run: DeskRun;
  readonly counts: Counts;
}

/** The way to undo a run, as a plan like any other; nothing where it changed nothing. */
export function TakeBack({ run, counts }: TakeBackProps): JSX.Element | null {
  const begun = useSignal<string | null>(null);
  const wrong = useSignal<Wrong | null>(null);
  if (counts.created + counts.updated + counts.deleted === 0) return null;
  const job = begun.value === null ? undefined : jobs.value.get(begun.value);
  const take = async (): Promise<void> => {
    wrong.value = null;
    try {
      const started = keepJob((await call('takeBack', { params: { run: run.run }, body: {} })).job);
      begun.value = started.id;
      const { draft } = await whenEnded(started);
      if (draft !== null) goTo({ page: 'draft', draft, step: 'plan' });
    } catch (error) {
      // What stopped the job is told by the job.
      if (!(error instanceof JobStopped)) wrong.value = asCallError(error);
    }
  };
  return (
    <section class="tile" aria-labelledby="take-back">
      <h2 id="take-back">{say(TITLE)}</h2>
      {run.takenBack === null ? (
        <>
          <p class="dim">{say(WHAT)}</p>
          {wrong.value !== null && <ErrorBox error={wrong.value} />}
          {job !== undefined && <JobView job={job} />}
          <div class="actions">
            <Button icon="undo" busy={job !== undefined && isActive(job)} onClick={() => void take()}>
              {say(TAKE)}
            </Button>
          </div>
        </>
      ) : (
        <p>
          {say(TAKEN)} <a href={hrefOf({ page: 'run', run: run.takenBack })}>{run.takenBack}</a>.
        </p>
      )}
    </section>
  );
}
