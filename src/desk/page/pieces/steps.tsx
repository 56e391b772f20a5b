import { t } from '../../../core/language.ts';
import { said, say } from '../language.ts';
import { hrefOf } from '../router.ts';
import { Icon } from './icon.tsx';

const WORDS = {
  read: t('Read', 'Lezen'),
  check: t('Check', 'Nakijken'),
  send: t('Send', 'Versturen'),
  done: t('Done', 'Klaar'),
} as const;

type Step = keyof typeof WORDS;
const STEPS = Object.keys(WORDS) as readonly Step[];

interface HeadProps {
  /** The name of the file. */
  readonly name: string;
  /** Its id, where it can be taken back or on; null once it was sent. */
  readonly file: string | null;
  /** It has a plan, to be taken on to. */
  readonly planned: boolean;
  /** Null for a run that is of no file of this page. */
  readonly step: Step | null;
}

/** Which file it is, and its steps; those that it can be taken back or on to are links. */
export function FileHead({ name, file, planned, step }: HeadProps) {
  const linkTo = (to: Step) =>
    file === null || to === step || to === 'done' || (to !== 'read' && !planned)
      ? {}
      : { href: hrefOf({ page: 'file', file, step: to === 'read' ? undefined : to }) };
  return (
    <div class="file-head spread">
      <p class="row">
        <Icon name="sheet" />
        <strong>{name}</strong>
      </p>
      {step !== null && (
        <nav class="steps" aria-label={say('Steps of this file', 'Stappen van dit bestand')}>
          <ol>
            {STEPS.map((one, place) => (
              <li key={one} class={place < STEPS.indexOf(step) ? 'past' : undefined}>
                <a {...linkTo(one)} aria-current={one === step ? 'step' : undefined}>
                  <span>{said(WORDS[one])}</span>
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </div>
  );
}
