import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { beginPlan } from '../begin.ts';
import { say } from '../language.ts';
import { isActive, jobs } from '../live.ts';
import { asCallError } from '../loaded.ts';
import { Box } from '../pieces/box.tsx';
import { Button } from '../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { JobView } from '../pieces/job-view.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import type { StepProps } from './draft-screen.tsx';

const MAKING = t('The plan is being made', 'Het plan wordt gemaakt');
const NONE = t('No plan yet', 'Nog geen plan');
const WHAT = t(
  'Every row is checked and held against the service. Nothing is sent.',
  'Elke rij wordt nagekeken en naast het systeem gelegd. Er wordt niets verstuurd.',
);
const MAKE = t('Make the plan', 'Plan maken');

/** Stands where a file has no plan yet: how far that is, or what stopped it. */
export function PlanningScreen({ draft, reload }: StepProps): JSX.Element {
  const wrong = useSignal<Wrong | null>(null);
  const job =
    [...jobs.value.values()].find((one) => one.draft === draft.id && one.kind === 'plan' && isActive(one)) ??
    (draft.job === null ? undefined : (jobs.value.get(draft.job.id) ?? draft.job));
  const isMaking = job !== undefined && isActive(job);
  const make = async (): Promise<void> => {
    wrong.value = null;
    await beginPlan(draft.id).catch((error: unknown) => {
      wrong.value = asCallError(error);
    });
    reload();
  };
  // Its end was told and the draft is not here yet.
  const isMade = job?.state === 'done';
  const title = say(isMaking || isMade ? MAKING : NONE);
  return (
    <>
      <ScreenTitle title={title} />
      {(isMaking || isMade) && <Box>{say(WHAT)}</Box>}
      {job !== undefined && <JobView job={job} />}
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      {!isMaking && !isMade && (
        <Button look="primary" onClick={() => void make()}>
          {say(MAKE)}
        </Button>
      )}
    </>
  );
}
