import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { Job } from '../../contract/answers.ts';
import { showPlan } from '../begin.ts';
import { said, say } from '../language.ts';
import { isActive, planNow, planningOf } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { JobView } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { FileHead } from '../pieces/steps.tsx';
import { route } from '../router.ts';
import { TO_HOME } from './lost-screen.tsx';
import { ReadScreen } from './read-screen.tsx';

export const ANOTHER = t('Another file', 'Nog een bestand');

/** What went wrong with a file or a plan that is no longer there. */
export const Gone = () => (
  <>
    <ScreenTitle title={say('This file is no longer here', 'Dit bestand is er niet meer')} />
    <p>
      {say(
        'It was removed from this page, or was brought more than 90 days ago. What was sent of it stands among the runs.',
        'Het is van deze pagina gehaald, of meer dan 90 dagen geleden gebracht. Wat ervan verstuurd is, staat bij wat verstuurd is.',
      )}
    </p>
    <ButtonLink to={{ page: 'home' }} look="primary">
      {said(TO_HOME)}
    </ButtonLink>
  </>
);

/** Stands in the place of a plan while it is made. */
export const Planning = ({ job }: { readonly job: Job }) => (
  <>
    <ScreenTitle title={say('Every row is checked', 'Elke rij wordt nagekeken')} />
    <p>
      {say(
        'Every row is held against the service. Nothing is sent.',
        'Elke rij wordt naast het systeem gelegd. Er wordt niets verstuurd.',
      )}
    </p>
    <JobView job={job} />
  </>
);

/** A file that was brought: how it is read, then its plan as it is made. */
export function FileScreen({ id }: { readonly id: string }) {
  const { data, error, reload } = useLoaded('sheets', { file: id });
  const given = route.value.query?.run;
  const plan = given === undefined ? undefined : planNow(given);
  const job = planningOf(id);
  const isMaking = job !== undefined && isActive(job);
  const wasMaking = useRef(false);
  // What is chosen now is not what was planned: the way on is to check every row anew.
  const [isChanged, setChanged] = useState(false);
  const change = (): void => {
    setChanged(true);
    reload();
  };
  // Also where the page was loaded anew meanwhile, or came here when the plan was made: nobody came back to read.
  useEffect(() => {
    if ((wasMaking.current || given === undefined) && job?.state === 'done' && job.run !== null)
      showPlan(id, job.run);
    wasMaking.current = isMaking;
  }, [job?.state]);
  if (data === null && error?.status === 404) return <Gone />;
  return (
    <>
      <FileHead
        name={data?.file ?? ''}
        file={id}
        run={isChanged ? null : (plan ?? null)}
        step={isMaking ? 'plan' : 'read'}
      />
      {isMaking ? (
        <Planning job={job} />
      ) : (
        <>
          <ErrorBox error={error} onRetry={reload} />
          {job?.state === 'failed' && (
            <>
              <ErrorBox error={job.stop} />
              <p>
                <ButtonLink to={{ page: 'home' }}>{said(ANOTHER)}</ButtonLink>
              </p>
            </>
          )}
          {data !== null && <ReadScreen file={id} plan={plan} sheets={data} reload={change} />}
        </>
      )}
    </>
  );
}
