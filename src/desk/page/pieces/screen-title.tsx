import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import { said, say } from '../language.ts';
import { hrefOf } from '../router.ts';
import { Icon } from './icon.tsx';

/** The first screen leaves the focus where the browser has it. */
let shownBefore = false;

interface TitleProps {
  /** Names the screen in the tab too. */
  readonly title: string;
  readonly children?: ComponentChildren;
  /** What stands beside it stays in view, however long the screen is. */
  readonly stays?: boolean;
}

/** The heading of a screen: takes the focus when one comes to it, and names the tab. */
export function ScreenTitle({ title, children, stays = false }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the screen itself: a key that is struck as it appears must not go to the one before.
  useLayoutEffect(() => {
    if (shownBefore) heading.current?.focus();
    shownBefore = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · catersheet`;
  }, [title]);
  return (
    <div class="screen-title spread">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {stays ? <div class="stays">{children}</div> : children}
    </div>
  );
}

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
