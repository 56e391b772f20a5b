import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import type { DraftDocument } from '../../contract/documents.ts';
import { say } from '../language.ts';
import { hrefOf, STEPS, type Step } from '../router.ts';
import { Icon } from './icon.tsx';

const WORDS: Readonly<Record<Step, Bilingual>> = {
  read: t('Read', 'Lezen'),
  plan: t('Check', 'Nakijken'),
  send: t('Send', 'Versturen'),
  done: t('Done', 'Klaar'),
};
const LABEL = t('Steps of this file', 'Stappen van dit bestand');

/** How far a file can be looked at: what isn't planned can't be sent. */
const REACHED: Readonly<Record<DraftDocument['stage'], readonly Step[]>> = {
  read: ['read'],
  planned: ['read', 'plan', 'send'],
  sent: ['plan', 'send', 'done'],
};

interface StepsProps {
  readonly draft: DraftDocument;
  readonly step: Step;
}

/** The steps of a file; those that it can be taken back or on to are links. */
export function Steps({ draft, step }: StepsProps): JSX.Element {
  const reached = REACHED[draft.stage];
  const at = STEPS.indexOf(step);
  return (
    <nav class="steps" aria-label={say(LABEL)}>
      <ol>
        {STEPS.map((one, place) => (
          <li key={one} class={place < at ? 'past' : place === at ? 'now' : undefined}>
            <StepLink step={one} draft={draft.id} now={one === step} open={reached.includes(one)}>
              <span class="step-mark" aria-hidden="true">
                {place < at ? <Icon name="check" /> : place + 1}
              </span>
              <span class="step-word">{say(WORDS[one])}</span>
            </StepLink>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepLinkProps {
  readonly step: Step;
  readonly draft: string;
  readonly now: boolean;
  readonly open: boolean;
  readonly children: JSX.Element | (JSX.Element | string)[];
}

function StepLink({ step, draft, now, open, children }: StepLinkProps): JSX.Element {
  if (now) return <span aria-current="step">{children}</span>;
  if (!open) return <span class="closed">{children}</span>;
  return <a href={hrefOf({ page: 'draft', draft, step })}>{children}</a>;
}
