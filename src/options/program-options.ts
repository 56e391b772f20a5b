import { z } from 'zod';
import { type Bilingual, t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import type { Progress } from '../run/progress.ts';
import { type Dialect, dialectSchema } from '../schema/dialect.ts';
import { FUNCTIONS, type Option, takenBy } from './option.ts';

const text = z.string();
const truth = z.boolean();
const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Commands that work with the service or the ledger. */
const WORKING = [
  ...(['import', 'export', 'apply', 'undo', 'runs', 'check', 'template'] as const),
  ...(['documents', 'invoices', 'orders', 'refresh'] as const),
] as const;

/** Those, and the one about the ledger itself. */
const LOCAL = [...WORKING, 'ledger'] as const;

const flags = takenBy(LOCAL, []);
const program = takenBy([], FUNCTIONS);
const everywhere = takenBy([...WORKING, 'desk', 'worker'], FUNCTIONS);
const local = takenBy([...LOCAL, 'desk', 'worker'], FUNCTIONS);

const LEDGER = t(
  'The ledger: a file, or a database as postgres://user@server/database',
  'Het register: een bestand, of een database als postgres://gebruiker@server/database',
);

/** The numbers that count where neither an option nor the profile says one. */
export const DEFAULTS = { concurrency: 8, timeout: 30_000, retries: 5, doubt: 60 };

/** The options about the service and the program, for all that work with it. */
export const PROGRAM_OPTIONS = {
  json: takenBy([...LOCAL, 'sandbox', 'interface'], [])(
    text.refine(
      (value) => ['', 'rows', 'all'].includes(value),
      checkWords(t('Write --json, or --json=all.', 'Schrijf --json, of --json=all.')),
    ),
    t(
      'One JSON document on stdout; --json=all lists every row',
      'Eén JSON-document op stdout; --json=all noemt elke rij',
    ),
    { group: 'output' },
  ),
  quiet: flags(truth, t('No progress and no notes', 'Geen voortgang en geen opmerkingen'), {
    alias: 'q',
    group: 'output',
  }),
  verbose: everywhere(truth, t('The log on stderr too', 'Het logboek ook op stderr'), { group: 'output' }),
  color: flags(truth, t('Colours (--no-color: none)', 'Kleuren (--no-color: geen)'), {
    initial: () => process.stdout.isTTY === true && !process.env.NO_COLOR,
    group: 'output',
  }),
  lang: takenBy(
    [...LOCAL, 'desk', 'worker', 'sandbox', 'trust', 'interface', 'help', 'completion'],
    FUNCTIONS,
  )(z.enum(['en', 'nl']), t('Language of messages', 'Taal van de berichten'), {
    inProfile: true,
    harmless: true,
    group: 'output',
  }),

  baseUrl: everywhere(text, t('Address of the service', 'Adres van het systeem'), {
    placeholder: 'URL',
    otherwise: 'CATERSHEET_BASE_URL',
    inProfile: true,
    group: 'service',
  }),
  token: program(
    text,
    t(
      'The token itself, for programs; no flag, as others on the machine can see what a flag says',
      'Het token zelf, voor programma’s; geen vlag, want wat een vlag zegt is voor anderen op de computer te zien',
    ),
    { otherwise: 'CATERSHEET_TOKEN' },
  ),
  tokenFile: everywhere(text, t('File that holds the token', 'Bestand met het token'), {
    otherwise: t('else CATERSHEET_TOKEN', 'anders CATERSHEET_TOKEN'),
    inProfile: true,
    group: 'service',
  }),
  profile: local(text, t('Profile of catersheet.config.json', 'Profiel uit catersheet.config.json'), {
    placeholder: 'NAME',
    group: 'service',
  }),
  concurrency: everywhere(
    z.int().min(1).max(256),
    t('Most requests in flight, up to 256', 'Hoogstens zoveel verzoeken tegelijk, tot 256'),
    { otherwise: DEFAULTS.concurrency, inProfile: true, harmless: true, group: 'run' },
  ),
  rate: everywhere(
    z.number().min(0.1).max(1_000_000),
    t(
      'Most requests a second, over all programs with the same ledger in a database',
      'Hoogstens zoveel verzoeken per seconde, over alle programma’s met hetzelfde register in een database',
    ),
    { inProfile: true, harmless: true, group: 'run' },
  ),
  timeout: everywhere(
    z.int().min(1).max(3_600_000),
    t(
      'Longest silence of the service, ms; a whole answer may take ten times that',
      'Hoe lang het systeem stil mag zijn, ms; een heel antwoord mag tien keer zo lang duren',
    ),
    { otherwise: DEFAULTS.timeout, inProfile: true, group: 'run' },
  ),
  retries: everywhere(z.int().min(0).max(100), t('Attempts after the first', 'Pogingen na de eerste'), {
    otherwise: DEFAULTS.retries,
    inProfile: true,
    group: 'run',
  }),
  doubt: everywhere(
    z.number().min(0).max(86_400),
    t(
      'How long a write without an answer may still arrive, and is looked for, s; Ctrl-C ends the wait',
      'Hoe lang iets dat zonder antwoord bleef nog kan aankomen, en gezocht wordt, s; Ctrl-C beëindigt het wachten',
    ),
    { otherwise: DEFAULTS.doubt, inProfile: true, group: 'run' },
  ),
  elsewhere: everywhere(
    z.enum(['same', 'other']),
    t(
      'What was posted at another address: same: that is this service; other: post it here too',
      'Wat op een ander adres geboekt is: same: dat is dit systeem; other: boek het hier ook',
    ),
    { inProfile: true, group: 'service' },
  ),
  allowHttp: program(
    truth,
    t('The token may go over http to another machine', 'Het token mag over http naar een andere computer'),
    { inProfile: true },
  ),
  dialect: program(
    dialectSchema.partial() as unknown as z.ZodType<Partial<Dialect>>,
    t(
      'How the service fills in what its interface leaves open',
      'Hoe het systeem invult wat de interface openlaat',
    ),
    { inProfile: true },
  ),
  ledger: local(text, LEDGER, {
    inProfile: true,
    group: 'run',
  }),
  log: everywhere(text, t('File of the log', 'Bestand van het logboek'), {
    inProfile: true,
    group: 'run',
  }),
  signal: program(
    z.instanceof(AbortSignal),
    t('Stops in good order once it is aborted', 'Stopt netjes zodra het wordt afgebroken'),
  ),
  onProgress: program(
    z.custom<(progress: Progress) => void>(isFunction),
    t('Is told how far a stage is', 'Hoort hoe ver een stap is'),
  ),
  onWait: program(
    z.custom<(words: Bilingual) => void>(isFunction),
    t(
      'Is told what is waited for: another program that sends with this ledger, or a pause that the service asks for',
      'Hoort waarop gewacht wordt: een ander programma dat met dit register verstuurt, of een pauze waar het systeem om vraagt',
    ),
  ),
} satisfies Readonly<Record<string, Option>>;
