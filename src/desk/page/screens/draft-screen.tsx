import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../../core/language.ts';
import type { DraftDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { type Loaded, useLoaded } from '../loaded.ts';
import { ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Icon } from '../pieces/icon.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Steps } from '../pieces/steps.tsx';
import type { Step } from '../router.ts';
import { TO_HOME } from './lost-screen.tsx';

const GONE = t('This file is no longer here', 'Dit bestand is er niet meer');
const WHY = t(
  'It was removed from this page, or was not touched for 90 days. What was sent of it stands among the runs.',
  'Het is van deze pagina gehaald, of 90 dagen niet aangeraakt. Wat ervan verstuurd is, staat bij de runs.',
);
const TO_RUNS = t('To the runs', 'Naar de runs');

function GoneScreen(): JSX.Element {
  return (
    <>
      <ScreenTitle title={say(GONE)} />
      <p>{say(WHY)}</p>
      <div class="actions">
        <ButtonLink to={{ page: 'home' }} look="primary">
          {say(TO_HOME)}
        </ButtonLink>
        <ButtonLink to={{ page: 'runs' }}>{say(TO_RUNS)}</ButtonLink>
      </div>
    </>
  );
}

/** What each step of a file is given. */
export interface StepProps {
  readonly draft: DraftDocument;
  readonly reload: () => void;
}

interface DraftProps {
  readonly id: string;
  readonly step: Step;
  readonly children: (props: StepProps) => ComponentChildren;
}

/** A file on its way: which one, which step, and that step. */
export function DraftScreen({ id, step, children }: DraftProps): JSX.Element {
  const loaded: Loaded<DraftDocument> = useLoaded(
    id,
    async (signal) => (await call('draft', { params: { draft: id }, signal })).draft,
    [['drafts', id]],
  );
  const { data: draft, error, reload } = loaded;
  if (draft === null && error?.status === 404) return <GoneScreen />;
  return (
    <>
      <div class="draft-head">
        {draft !== null && (
          <>
            <p class="draft-file">
              <Icon name="sheet" />
              <strong>{draft.file.name}</strong>
            </p>
            <Steps draft={draft} step={step} />
          </>
        )}
      </div>
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {draft !== null && children({ draft, reload })}
    </>
  );
}
