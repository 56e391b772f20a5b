import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import type { ServiceInUse } from '../../../session/own-profiles.ts';
import { home } from '../desk.ts';
import { changeLanguage, language, said, say } from '../language.ts';
import { connection } from '../live.ts';
import { hrefOf, type Place, route } from '../router.ts';
import { Box, Button } from './controls.tsx';
import { KeysHelp } from './keys-help.tsx';

const PLACES: readonly (readonly [Bilingual, Place, inner: Place['page']])[] = [
  [t('Home', 'Begin'), { page: 'home' }, 'file'],
  [t('Export', 'Exporteren'), { page: 'export' }, 'export'],
  [t('Runs', 'Verstuurd'), { page: 'runs' }, 'run'],
  [t('Service', 'Systeem'), { page: 'service' }, 'service'],
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
  const { page: here } = route.value;
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
          {PLACES.map(([word, place, inner]) => (
            <a
              key={place.page}
              href={hrefOf(place)}
              aria-current={here === place.page || here === inner ? 'page' : undefined}
            >
              {said(word)}
            </a>
          ))}
        </nav>
        <div class="row">
          {service && <ServiceBadge service={service} />}
          <KeysHelp />
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
    <span class={`service ${kind}`} title={address ?? undefined}>
      <b>{isSandbox ? say('Sandbox', 'Proefomgeving') : say('Real service', 'Echt systeem')}</b>{' '}
      <span>{isSandbox ? say('made-up data', 'verzonnen gegevens') : (name ?? hostOf(address ?? ''))}</span>
    </span>
  );
}
