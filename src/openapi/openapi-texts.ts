import { type Bilingual, same, t } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';

/** The effect of a repeated request, for authors of other clients. */
export const EFFECT_TEXTS: Readonly<Record<Endpoint['effect'], Bilingual>> = {
  none: t('Reads only.', 'Leest alleen.'),
  same: t(
    'Sent twice it leaves the same as sent once.',
    'Twee keer versturen laat hetzelfde achter als één keer.',
  ),
  each: t(
    'Takes place anew each time it is sent: never repeat it blindly after a lost answer.',
    'Gebeurt elke keer opnieuw als het verstuurd wordt: herhaal het nooit blind na een verloren antwoord.',
  ),
};

/** The other words of the document. */
export const OPENAPI_WORDS = {
  title: t('Catering and event management', 'Catering en evenementen'),
  about: t(
    'Bodies are strict: what is not named is refused. Answers are as the service may give them: a member may come as a number, as text or as null, may be absent, and others may stand beside it; a list of one may come as the one record, and a list or a record within data.',
    'Verzoeken zijn streng: wat niet genoemd is, wordt geweigerd. Antwoorden zijn zoals de dienst ze kan geven: een lid kan als getal, als tekst of als null komen, kan ontbreken, en er kunnen andere naast staan; een lijst van één kan als dat ene record komen, en een lijst of record binnen data.',
  ),
  sandbox: same('catersheet sandbox --port 4010'),
  service: t('Your own service, up to and not including api/v1', 'Je eigen dienst, tot en zonder api/v1'),
  section: t('Interface', 'Interface'),
  refused: t('The token is missing or refused', 'Het token ontbreekt of wordt geweigerd'),
  other: t(
    'Any other answer; what it holds is not described',
    'Elk ander antwoord; wat erin staat is niet beschreven',
  ),
  done: t('Done, unless success is false', 'Gelukt, tenzij success false is'),
  file: t('The file itself: its bytes, with its name', 'Het bestand zelf: de bytes, met de naam'),
  page: t('The page, counted from 1', 'De pagina, geteld vanaf 1'),
} as const satisfies Record<string, Bilingual>;
