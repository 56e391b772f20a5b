import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { hrefOf, STEPS, type Step } from '../router.ts';
import { Icon } from './icon.tsx';

const WORDS = {
  read: t('Read', 'Lezen'),
  plan: t('Check', 'Nakijken'),
  send: t('Send', 'Versturen'),
  done: t('Done', 'Klaar'),
} as const;
const LABEL = t('Steps of this file', 'Stappen van dit bestand');

interface StepsProps {
  /** The file; null once it was sent: there is no way back. */
  readonly draft: string | null;
  readonly step: keyof typeof WORDS;
  /** It has a plan: what has none can't be sent. */
  readonly planned: boolean;
}

/** The steps of a file; those that it can be taken back or on to are links. */
export function Steps({ draft, step, planned }: StepsProps): JSX.Element {
  const all = [...STEPS, 'done'] as const;
  const at = all.indexOf(step);
  return (
    <nav class="steps" aria-label={say(LABEL)}>
      <ol>
        {all.map((one, place) => (
          <li key={one} class={place < at ? 'past' : place === at ? 'now' : undefined}>
            <StepLink
              to={
                draft !== null && one !== step && one !== 'done' && (planned || one === 'read')
                  ? [draft, one]
                  : null
              }
              now={one === step}
            >
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
  readonly to: readonly [draft: string, step: Step] | null;
  readonly now: boolean;
  readonly children: JSX.Element[];
}

function StepLink({ to, now, children }: StepLinkProps): JSX.Element {
  if (to === null) return <span aria-current={now ? 'step' : undefined}>{children}</span>;
  const [draft, step] = to;
  return <a href={hrefOf({ page: 'draft', draft, step })}>{children}</a>;
}
