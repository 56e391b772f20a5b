import type { Effect } from '../../schema/endpoint.ts';
import type { Bilingual } from '../../schema/value.ts';

/** Words in every language. */
export type Said = Bilingual;

const both = (en: string, nl: string): Bilingual => ({ en, nl });

/** What sending twice does, for who writes a client of their own. */
export const EFFECTS: Readonly<Record<Effect, Bilingual>> = {
  none: both('Reads only.', 'Leest alleen.'),
  same: both(
    'Sent twice it leaves the same as sent once.',
    'Twee keer versturen laat hetzelfde achter als één keer.',
  ),
  each: both(
    'Takes place anew each time it is sent: never repeat it blindly after a lost answer.',
    'Gebeurt elke keer opnieuw als het verstuurd wordt: herhaal het nooit blind na een verloren antwoord.',
  ),
};

/** The other words of the document. */
export const WORDS = {
  title: both('Catering and event management', 'Catering en evenementen'),
  about: both(
    'Bodies are strict: what is not named is refused. Answers are as the service may give them: a member may come as a number, as text or as null, may be absent, and others may stand beside it; a list of one may come as the one record, and a list or a record within data.',
    'Verzoeken zijn streng: wat niet genoemd is, wordt geweigerd. Antwoorden zijn zoals de dienst ze kan geven: een lid kan als getal, als tekst of als null komen, kan ontbreken, en er kunnen andere naast staan; een lijst van één kan als dat ene record komen, en een lijst of record binnen data.',
  ),
  sandbox: both('catersheet sandbox --port 4010', 'catersheet sandbox --port 4010'),
  service: both('Your own service, up to and not including api/v1', 'Je eigen dienst, tot en zonder api/v1'),
  section: both('Interface', 'Interface'),
  refused: both('The token is missing or refused', 'Het token ontbreekt of wordt geweigerd'),
  other: both(
    'Any other answer; what it holds is not described',
    'Elk ander antwoord; wat erin staat is niet beschreven',
  ),
  done: both('Done, unless success is false', 'Gelukt, tenzij success false is'),
  file: both('The file itself: its bytes, with its name', 'Het bestand zelf: de bytes, met de naam'),
  page: both('The page, counted from 1', 'De pagina, geteld vanaf 1'),
} as const satisfies Record<string, Bilingual>;
