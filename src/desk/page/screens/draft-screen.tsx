import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import type { Draft } from '../../contract/answers.ts';
import { makePlan } from '../begin.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { isActive, jobNow } from '../live.ts';
import { useAttempt, useLoaded } from '../loaded.ts';
import { Button, ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Icon } from '../pieces/icon.tsx';
import { JobView } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Steps } from '../pieces/steps.tsx';
import { goTo, type Step } from '../router.ts';
import { TO_HOME } from './lost-screen.tsx';
import { PlanScreen } from './plan-screen.tsx';
import { ReadScreen } from './read-screen.tsx';
import { ANOTHER } from './run-screen.tsx';
import { SendScreen } from './send-screen.tsx';

const GONE = t('This file is no longer here', 'Dit bestand is er niet meer');
const WHY = t(
  'It was removed from this page, or was not touched for 90 days. What was sent of it stands among the runs.',
  'Het is van deze pagina gehaald, of 90 dagen niet aangeraakt. Wat ervan verstuurd is, staat bij wat verstuurd is.',
);
const MAKING = t('Every row is checked', 'Elke rij wordt nagekeken');
const NONE = t('Not checked yet', 'Nog niet nagekeken');
const WHAT = t(
  'Every row is held against the service. Nothing is sent.',
  'Elke rij wordt naast het systeem gelegd. Er wordt niets verstuurd.',
);
const MAKE = t('Check every row', 'Elke rij nakijken');
const HOW = t('How the file is read', 'Hoe het bestand gelezen wordt');

interface DraftProps {
  readonly id: string;
  readonly step: Step;
}

/** A file on its way: which one, which step, and that step. */
export function DraftScreen({ id, step }: DraftProps): JSX.Element {
  const { data, error, reload } = useLoaded(id, (signal) => call('draft', { params: { draft: id }, signal }));
  if (data === null && error?.status === 404)
    return (
      <>
        <ScreenTitle title={say(GONE)} />
        <p>{say(WHY)}</p>
        <ButtonLink to={{ page: 'home' }} look="primary">
          {say(TO_HOME)}
        </ButtonLink>
      </>
    );
  if (data === null) return <ErrorBox error={error} onRetry={reload} />;
  const { draft } = data;
  if (draft.stage === 'sent' && draft.run !== null) goTo({ page: 'run', run: draft.run }, true);
  return (
    <>
      <div class="draft-head spread">
        <p class="row">
          <Icon name="sheet" />
          <strong>{draft.file}</strong>
        </p>
        <Steps draft={id} step={step} planned={draft.run !== null} />
      </div>
      <ErrorBox error={error} onRetry={reload} />
      <DraftStep draft={draft} step={step} />
    </>
  );
}

function DraftStep({ draft, step }: { readonly draft: Draft; readonly step: Step }): JSX.Element {
  const job = jobNow(draft.planning);
  if (step === 'read') return <ReadScreen draft={draft} />;
  const isMaking = job !== undefined && isActive(job);
  // Its end was told, and the draft with its run is not here yet.
  const isMade = job?.state === 'done' && draft.run !== job.run;
  if (draft.run === null || isMaking || isMade)
    return <Planning draft={draft} isMaking={isMaking || isMade} />;
  const stop = job?.state === 'failed' ? job.stop : null;
  return (
    <>
      <ErrorBox error={stop} />
      {step === 'plan' ? (
        <PlanScreen draft={draft} run={draft.run} />
      ) : (
        <SendScreen draft={draft} run={draft.run} />
      )}
    </>
  );
}

/** Stands where a file has no plan yet: how far that is, or what stopped it. */
function Planning({ draft, isMaking }: { readonly draft: Draft; readonly isMaking: boolean }): JSX.Element {
  const { busy, wrong, attempt } = useAttempt();
  const job = jobNow(draft.planning);
  const hasFailed = job?.state === 'failed';
  return (
    <>
      <ScreenTitle title={say(isMaking ? MAKING : NONE)} />
      <p>{say(WHAT)}</p>
      <JobView job={job} />
      <ErrorBox error={hasFailed ? null : wrong} />
      {!isMaking && (
        <p class="row">
          <Button look="primary" busy={busy} onClick={() => void attempt(() => makePlan(draft.id))}>
            {say(MAKE)}
          </Button>
          {hasFailed && (
            <>
              <ButtonLink to={{ page: 'draft', draft: draft.id, step: 'read' }}>{say(HOW)}</ButtonLink>
              <ButtonLink to={{ page: 'home' }}>{say(ANOTHER)}</ButtonLink>
            </>
          )}
        </p>
      )}
    </>
  );
}
