import type { ComponentChildren } from 'preact';
import { type Bilingual, type Language, t } from '../../../core/language.ts';
import { home } from '../desk.ts';
import { changeLanguage, language, said, say } from '../language.ts';
import { connection } from '../live.ts';
import { hrefOf, type Place, route } from '../router.ts';
import { Box } from './error-box.tsx';
import { KeysHelp } from './keys-help.tsx';
import { ServiceBadge } from './service-badge.tsx';
import { Announced } from './toast.tsx';

const PLACES: readonly (readonly [Bilingual, Place, readonly string[]])[] = [
  [t('Home', 'Begin'), { page: 'home' }, ['home', 'file']],
  [t('Export', 'Exporteren'), { page: 'export' }, ['export']],
  [t('Runs', 'Verstuurd'), { page: 'runs' }, ['runs', 'run']],
  [t('Service', 'Systeem'), { page: 'service' }, ['service']],
];
const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['nl', 'NL, Nederlands'],
  ['en', 'EN, English'],
];

/** What stands around every screen: the name, where to go, which service it is, the language. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const service = home.value?.service;
  const { value: shown } = route;
  // A plan is a file on its way still.
  const isPlan = shown.page === 'run' && home.value?.drafts.some(({ run }) => run.run === shown.run) === true;
  const here = isPlan ? 'file' : shown.page;
  return (
    <div class={`desk ${service?.kind ?? ''}`}>
      <button type="button" class="button skip" onClick={() => document.getElementById('content')?.focus()}>
        {say('To the content', 'Naar de inhoud')}
      </button>
      <header class="top">
        <a class="name" href={hrefOf({ page: 'home' })}>
          catersheet
        </a>
        <nav aria-label={say('Main', 'Hoofdmenu')}>
          {PLACES.map(([word, place, pages]) => (
            <a key={place.page} href={hrefOf(place)} aria-current={pages.includes(here) ? 'page' : undefined}>
              {said(word)}
            </a>
          ))}
        </nav>
        <div class="row">
          {service !== undefined && <ServiceBadge service={service} />}
          <KeysHelp />
          <fieldset class="row" aria-label={say('Language', 'Taal')}>
            {LANGUAGES.map(([one, name]) => (
              <button
                key={one}
                type="button"
                lang={one}
                class="button plain small"
                aria-label={name}
                aria-pressed={language.value === one}
                onClick={() => void changeLanguage(one).catch(() => {})}
              >
                {one.toUpperCase()}
              </button>
            ))}
          </fieldset>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
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
      <Announced />
    </div>
  );
}
