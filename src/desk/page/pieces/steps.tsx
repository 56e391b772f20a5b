import { t } from '../../../core/language.ts';
import type { Run } from '../../contract/answers.ts';
import { said, say } from '../language.ts';
import { hrefOf, type Place } from '../router.ts';
import { Icon } from './icon.tsx';

const WORDS = {
  read: t('Read', 'Lezen'),
  plan: t('Check', 'Nakijken'),
  send: t('Send', 'Versturen'),
  done: t('Done', 'Klaar'),
} as const;

type Step = keyof typeof WORDS;
const STEPS = Object.keys(WORDS) as readonly Step[];

interface HeadProps {
  /** The name of the file. */
  readonly name: string;
  /** Where it is read; null once it was sent, as there is no way back. */
  readonly file: string | null;
  /** Its plan; null where it has none yet, or once it was sent. */
  readonly run: string | null;
  /** Null for a run that is of no file of this page. */
  readonly step: Step | null;
}

/** Which file it is, and its steps; those that it can be taken back or on to are links. */
export function FileHead({ name, file, run, step }: HeadProps) {
  return (
    <div class="file-head spread">
      <p class="row">
        <Icon name="sheet" />
        <strong>{name}</strong>
      </p>
      {step !== null && (
        <nav class="steps" aria-label={say('Steps of this file', 'Stappen van dit bestand')}>
          <ol>
            {STEPS.map((one, place) => {
              const to = one === step ? null : placeOf(one, file, run);
              return (
                <li key={one} class={place < STEPS.indexOf(step) ? 'past' : undefined}>
                  <a
                    {...(to === null ? {} : { href: hrefOf(to) })}
                    aria-current={one === step ? 'step' : undefined}
                  >
                    <span>{said(WORDS[one])}</span>
                  </a>
                </li>
              );
            })}
          </ol>
        </nav>
      )}
    </div>
  );
}

/** Where it is seen how a file is read, with the plan whose corrections go along. */
export const readingOf = ({ source, run }: Pick<Run, 'source' | 'run'>): Place =>
  source === null ? { page: 'home' } : { page: 'file', file: source, query: { run } };

function placeOf(step: Step, file: string | null, run: string | null): Place | null {
  if (step === 'read' && file !== null) return { page: 'file', file, query: run === null ? {} : { run } };
  if (run === null || step === 'read' || step === 'done') return null;
  return step === 'plan' ? { page: 'run', run } : { page: 'run', run, step };
}
