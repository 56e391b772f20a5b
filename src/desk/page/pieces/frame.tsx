import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import type { ServiceInUse } from '../../../session/profile.ts';
import { changeLanguage, language, said, say } from '../language.ts';
import { connection, home } from '../live.ts';
import { hrefOf, route } from '../router.ts';
import { Box, Button, Icon } from './controls.tsx';

/** Where one can go, and the words that the paths there begin with. */
const PLACES: readonly (readonly [Bilingual, path: string, begins: string])[] = [
  [t('Home', 'Begin'), '/', 'files'],
  [t('Export', 'Exporteren'), '/export', 'export'],
  [t('Runs', 'Verstuurd'), '/runs', 'runs'],
  [t('Service', 'Systeem'), '/service', 'service'],
];

const announced = signal('');

/** Has a screen reader say something when it is done with what it says now. */
export function announce(text: string): void {
  // The same text again is news too: a region that doesn't change says nothing.
  announced.value = announced.peek() === text ? `${text}\u00a0` : text;
}

/** What stands around every screen: the name, where to go, which service it is, the language. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const service = home.value?.service;
  const { path: here } = route.value;
  return (
    <div class={`desk ${service?.kind ?? ''}`}>
      <header class="top">
        <a class="name" href={hrefOf('/')}>
          catersheet
        </a>
        <nav aria-label={say('Main', 'Hoofdmenu')}>
          {PLACES.map(([word, path, begins]) => (
            <a
              key={path}
              href={hrefOf(path)}
              aria-current={here === path || here.startsWith(`/${begins}`) ? 'page' : undefined}
            >
              {said(word)}
            </a>
          ))}
        </nav>
        <div class="row">
          {service && <ServiceBadge service={service} />}
          <fieldset class="row" aria-label={say('Language', 'Taal')}>
            {(['nl', 'en'] as const).map((one) => (
              <span key={one} lang={one}>
                <Button
                  small
                  look="plain"
                  label={one === 'nl' ? 'NL, Nederlands' : 'EN, English'}
                  pressed={language.value === one}
                  onClick={() => changeLanguage(one)}
                >
                  {one.toUpperCase()}
                </Button>
              </span>
            ))}
          </fieldset>
        </div>
      </header>
      <main>
        {connection.value === 'lost' && (
          <Box tone="warn">
            {say(
              'catersheet was stopped, or is starting. Start it with catersheet desk, and open the address that it shows, here or in another tab of this browser. Nothing is lost.',
              'catersheet is gestopt, of start net op. Start het met catersheet desk, en open het adres dat het laat zien, hier of in een ander tabblad van deze browser. Er is niets kwijt.',
            )}
          </Box>
        )}
        {children}
      </main>
      <div class="unseen" role="status">
        {announced.value}
      </div>
    </div>
  );
}

/** The host of a service, as people know it. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** Which service is worked on, in a colour and in words: what is sent there counts, or is for trying. */
export function ServiceBadge({ service: { kind, name, address } }: { readonly service: ServiceInUse }) {
  const isSandbox = kind === 'sandbox';
  return (
    <span class={`service kind ${kind}`} title={address ?? undefined}>
      <b>{isSandbox ? say('Sandbox', 'Proefomgeving') : say('Real service', 'Echt systeem')}</b>{' '}
      <span>{isSandbox ? say('made-up data', 'verzonnen gegevens') : (name ?? hostOf(address ?? ''))}</span>
    </span>
  );
}

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
      : { href: hrefOf(to === 'read' ? `/files/${file}` : `/files/${file}/${to}`) };
  return (
    <div class="file-head spread">
      <p class="row">
        <Icon name="sheet" />
        <strong>{name}</strong>
      </p>
      {step !== null && (
        <nav class="steps" aria-label={say('Steps of this file', 'Stappen van dit bestand')}>
          <ol>
            {STEPS.map((one) => (
              <li key={one}>
                <a {...linkTo(one)} aria-current={one === step ? 'step' : undefined}>
                  {said(WORDS[one])}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </div>
  );
}

/** Whether keys are being typed into something. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select') !== null;

/** Does something on a key, wherever the focus is, but where it is typed. */
export function useKey(wanted: string, work: () => void): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== wanted || ctrlKey || metaKey || altKey) return;
      if (isTyping(target) && key !== 'Escape') return;
      if (key !== 'Escape') event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
