import { Writable } from 'node:stream';
import { z } from 'zod';
import { type Bilingual, t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import { EXPORT_FORMATS } from '../export/export-target.ts';
import { LAST_ROW } from '../files/limits.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { sheetChoices } from '../import/map/sheet-choices.ts';
import { ON_CONFLICT } from '../records/planning.ts';
import { resources } from '../resources/registry.ts';
import type { Progress } from '../run/progress.ts';
import { type Dialect, dialectSchema } from '../schema/dialect.ts';
import type { Resource } from '../schema/resource.ts';
import { FUNCTIONS, type Option, takenBy } from './option.ts';

const text = z.string();
const truth = z.boolean();

/** Commands that work with the service or the ledger. */
const WORKING = [
  ...(['import', 'export', 'apply', 'undo', 'runs', 'check', 'template'] as const),
  ...(['documents', 'invoices', 'orders', 'refresh'] as const),
] as const;

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Those, and the one about the ledger itself. */
const LOCAL = [...WORKING, 'ledger'] as const;

const flags = takenBy(LOCAL, []);
const program = takenBy([], FUNCTIONS);
const everywhere = takenBy([...WORKING, 'desk', 'worker'], FUNCTIONS);
const local = takenBy([...LOCAL, 'desk', 'worker'], FUNCTIONS);

/** The numbers that count where neither an option nor the profile says one. */
export const DEFAULTS = { concurrency: 8, timeout: 30_000, retries: 5, doubt: 60 };

const texts = z.array(z.string()).readonly();
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NAMES = resources.map(({ name }) => name);

/** What `--as` takes in the library: a resource, or its name. */
const resourceOrName = z.custom<Resource | string>(
  (value) => typeof value === 'string' || (isRecord(value) && isRecord(value.fields)),
  checkWords(
    t(`give one of ${NAMES.join(', ')}, or a resource`, `geef een van ${NAMES.join(', ')}, of een resource`),
  ),
);

/** What `--map` takes in the library: a table, or a text as on the command line. */
const headerMap = z.custom<HeaderTable | string>(
  (value) => typeof value === 'string' || isRecord(value),
  checkWords(
    t(
      'give a text such as Prijs=Verkoopprijs, or an object of headers',
      'geef een tekst zoals Prijs=Verkoopprijs, of een object met koppen',
    ),
  ),
);

const BY_ITSELF = t('found by itself', 'vanzelf gevonden');
const NEVER_OVER = t(
  'Workbook to write; never over another',
  'Werkmap om te schrijven; nooit over een andere',
);

const IMPORTS = ['importWorkbook', 'planImport'] as const;
/** The functions that read a sheet. */
const READERS = [...IMPORTS, 'uploadDocuments', 'fetchInvoices', 'refreshEvents'] as const;
/** The functions that look into one. */
const [LOOKERS, IMPORT_LOOKERS] = [
  [...READERS, 'readSheets'],
  [...IMPORTS, 'readSheets'],
] as const;
/** The functions that write a result. */
const SHEETS = [...READERS, 'applyPlan'] as const;

const reading = takenBy(['import', 'documents', 'invoices', 'refresh'], LOOKERS);
const importing = takenBy(['import'], IMPORTS);
const telling = takenBy(['import'], IMPORT_LOOKERS);
const resulting = takenBy(['import', 'apply'], SHEETS);
const applying = takenBy(['apply'], ['applyPlan']);
const templating = takenBy(['template'], ['writeTemplate']);
const exporting = takenBy(['export'], ['exportRecords', 'exportFinance']);
const listing = takenBy(['export'], ['exportRecords']);
const checking = takenBy(['check'], ['checkService']);
const serving = takenBy(['sandbox'], []);

/**
 * Every option of the commands and of the library, in the order of the help. Flags, types, checks, help in
 * both languages and pages of `docs/` are made from it.
 */
export const OPTIONS = {
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
  ledger: local(
    text,
    t(
      'The ledger: a file, or a database as postgres://user@server/database',
      'Het register: een bestand, of een database als postgres://gebruiker@server/database',
    ),
    {
      inProfile: true,
      group: 'run',
    },
  ),
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

  map: reading(
    headerMap,
    t(
      'What your headers stand for: a file, or pairs (Pakketnr=ExternalID;Prijs=Verkoopprijs); none forgets those remembered for the profile',
      'Waar je koppen voor staan: een bestand, of paren (Pakketnr=ExternalID;Prijs=Verkoopprijs); none vergeet wat voor het profiel onthouden is',
    ),
    { typed: text, group: 'reading' },
  ),
  headerRow: reading(z.int().min(1).max(LAST_ROW), t('Row that holds the headers', 'Rij met de koppen'), {
    otherwise: BY_ITSELF,
    group: 'reading',
  }),
  encoding: reading(
    text,
    t('Encoding of a CSV, such as windows-1252', 'Codering van een CSV, zoals windows-1252'),
    { placeholder: 'NAME', otherwise: BY_ITSELF, group: 'reading' },
  ),
  columns: telling(
    texts,
    t(
      'Headers of a CSV that has none, in order, - for a column that does not count',
      'Koppen van een CSV die ze niet heeft, op volgorde, - voor een kolom die niet telt',
    ),
    { typed: text, placeholder: 'A,B', group: 'reading' },
  ),
  delimiter: reading(text, t('Separator of a CSV, or tab', 'Scheidingsteken van een CSV, of tab'), {
    placeholder: 'C',
    otherwise: BY_ITSELF,
    group: 'reading',
  }),
  dryRun: takenBy(['import', 'documents', 'invoices', 'refresh', 'runs'], [...SHEETS, 'pruneRuns'])(
    truth,
    t('Show what would be done; do nothing', 'Laat zien wat er zou gebeuren; doe niets'),
  ),
  yes: takenBy(['import', 'apply', 'documents', 'refresh', 'orders', 'ledger', 'runs'], [])(
    truth,
    t('Do it without asking', 'Doe het zonder te vragen'),
    { alias: 'y' },
  ),
  queue: takenBy(['import', 'apply'], ['importWorkbook', 'applyPlan'])(
    truth,
    t(
      'Hand it over to workers, and follow them; needs a ledger in a database',
      'Geef het aan workers over, en volg ze; vraagt om een register in een database',
    ),
  ),
  as: telling(
    resourceOrName,
    t(
      `What the sheets hold, whatever their names: ${NAMES.join(', ')}`,
      `Wat er op de werkbladen staat, hoe ze ook heten: ${NAMES.join(', ')}`,
    ),
    { typed: text, placeholder: 'RESOURCE' },
  ),
  sheets: reading(texts, t('Only this sheet', 'Alleen dit werkblad'), {
    flag: 'sheet',
    placeholder: 'NAME',
    initial: [],
  }),
  choices: takenBy([], IMPORT_LOOKERS)(
    sheetChoices,
    t(
      'What single sheets are taken for: resource, row of the headers, columns; overrules all that is found',
      'Waar losse werkbladen voor doorgaan: soort, rij met de koppen, kolommen; gaat boven wat gevonden is',
    ),
  ),
  set: telling(
    z.record(z.string(), z.string()),
    t(
      'Field=value for all rows; of a column that the file has, for its empty cells',
      'Veld=waarde voor alle rijen; van een kolom die het bestand heeft, voor de lege cellen',
    ),
    { typed: texts, placeholder: 'Field=value', initial: [] },
  ),
  locale: takenBy(['import', 'export'], FUNCTIONS)(
    z.enum(['nl', 'en']),
    t(
      'How numbers in text are written (nl: 1.234,50)',
      'Hoe getallen in tekst geschreven zijn (nl: 1.234,50)',
    ),
    { inProfile: true, harmless: true },
  ),
  strict: importing(
    truth,
    t(
      'Stop rows that were read in an unexpected way',
      'Houd rijen tegen die anders gelezen zijn dan je misschien verwacht',
    ),
  ),
  allowDelete: importing(
    truth,
    t('Let rows marked delete be deleted', 'Sta toe dat rijen met delete verwijderd worden'),
  ),
  maxChanges: importing(
    z.int().min(0),
    t(
      'Rows that may be sent before you looked: above it the plan is kept and nothing is sent',
      'Rijen die verstuurd mogen worden voordat je keek: daarboven wordt het plan bewaard en niets verstuurd',
    ),
    { placeholder: 'N', inProfile: true },
  ),
  maxDeletes: importing(
    z.int().min(0),
    t('The same of rows that are deleted', 'Hetzelfde voor rijen die verwijderd worden'),
    { placeholder: 'N', inProfile: true },
  ),
  rulesFile: importing(
    text,
    t(
      'File with a rule on each line, beside those of the profile and of a sheet Regels: docs/rules.md',
      'Bestand met op elke regel een regel, naast die van het profiel en van een werkblad Regels: docs/rules.md',
    ),
    { flag: 'rules', placeholder: 'FILE' },
  ),
  rules: takenBy([], IMPORTS)(
    texts,
    t(
      'Rules on what records hold, such as Verkoopprijs > 0',
      'Regels voor wat records bevatten, zoals Verkoopprijs > 0',
    ),
    { inProfile: true },
  ),
  onConflict: importing(
    z.enum(ON_CONFLICT),
    t(
      'What both you and someone else changed since the workbook was written: skip the row, or send mine or leave theirs',
      'Wat zowel jij als een ander wijzigde sinds de werkmap geschreven is: sla de rij over (skip), verstuur wat jij hebt (mine) of laat wat er staat (theirs)',
    ),
    { initial: 'skip' },
  ),
  out: takenBy(['import', 'apply', 'documents', 'invoices', 'refresh'], SHEETS)(
    text,
    t('Result workbook', 'Werkmap met het resultaat'),
    {
      alias: 'o',
      otherwise: t('NAME.result.xlsx beside the file', 'NAAM.result.xlsx naast het bestand'),
    },
  ),
  doneTo: takenBy(['import'], [])(
    text,
    t(
      'Folder that each file goes to with its result, when it is done; in failed there, when it has rows to look at or can’t be read',
      'Map waar elk bestand met zijn resultaat heen gaat als het klaar is; daarin naar failed, als er rijen zijn om naar te kijken of het niet te lezen is',
    ),
    { placeholder: 'DIR' },
  ),
  onlyProblems: resulting(
    truth,
    t(
      'What the result shows: only the rows that need work, to correct and import',
      'Wat het resultaat toont: alleen de rijen waar werk aan is, om te verbeteren en te importeren',
    ),
    { flag: 'only', typed: z.enum(['problems']) },
  ),
  report: resulting(
    text,
    t(
      'Also write a page (.html) to hand over: counts, problems and every change',
      'Schrijf ook een pagina (.html) om door te geven: aantallen, problemen en elke wijziging',
    ),
    { placeholder: 'FILE' },
  ),
  allRows: takenBy([], SHEETS)(
    truth,
    t(
      'Every row in the answer, not only those that are not plainly fine; --json=all on the command line',
      'Elke rij in het antwoord, niet alleen die waar iets over te zeggen is; op de opdrachtregel --json=all',
    ),
  ),
  expect: applying(
    text,
    t(
      'Fingerprint of the plan that was looked at, from its report: no other plan is sent',
      'Vingerafdruk van het plan dat bekeken is, uit het verslag: een ander plan wordt niet verstuurd',
    ),
    { placeholder: 'FINGERPRINT' },
  ),
  resend: applying(
    texts,
    t(
      'Row (12, or Sheet!12) of unknown outcome to send again, deliberately',
      'Rij (12, of Blad!12) met onbekende uitkomst om bewust nog eens te versturen',
    ),
    { placeholder: 'ROW', initial: [] },
  ),
  done: applying(
    texts,
    t(
      'Row of unknown outcome that you found on the service: it counts as posted',
      'Rij met onbekende uitkomst die je in het systeem hebt gevonden: die telt als geboekt',
    ),
    { placeholder: 'ROW', initial: [] },
  ),

  undoOut: takenBy(['undo'], ['undoRun'])(text, NEVER_OVER, {
    name: 'out',
    alias: 'o',
    otherwise: 'undo-RUN.xlsx',
  }),
  templateOut: templating(text, NEVER_OVER, {
    name: 'out',
    alias: 'o',
    otherwise: t('template.xlsx', 'sjabloon.xlsx'),
  }),
  offline: templating(
    truth,
    t(
      'Without the service, so without lists to choose from',
      'Zonder het systeem, dus zonder lijsten om uit te kiezen',
    ),
  ),

  exportOut: exporting(
    text,
    t(
      'File to write: .xlsx, .csv or .ndjson; - for stdout',
      'Bestand om te schrijven: .xlsx, .csv of .ndjson; - voor stdout',
    ),
    {
      name: 'out',
      alias: 'o',
      otherwise: t(
        'the sheet’s name, as in pakketten.xlsx',
        'de naam van het werkblad, zoals in pakketten.xlsx',
      ),
    },
  ),
  stream: takenBy([], ['exportRecords'])(
    z.instanceof(Writable),
    t(
      'What CSV or NDJSON is written to in place of a file; it is not ended',
      'Waar CSV of NDJSON heen gaat in plaats van naar een bestand; het wordt niet afgesloten',
    ),
  ),
  format: exporting(z.enum(EXPORT_FORMATS), t('How it is written', 'Hoe het geschreven wordt'), {
    otherwise: t('by the ending; csv for -', 'naar het einde van de naam; csv voor -'),
  }),
  since: listing(
    text,
    t(
      'What was modified after this moment, or since the last export (to a file: a pipe may lose its end)',
      'Wat na dit moment gewijzigd is, of met last sinds de vorige export (naar een bestand: een pijp kan zijn einde kwijtraken)',
    ),
    { placeholder: 'MOMENT' },
  ),
  from: exporting(
    text,
    t(
      'First day of events, arrangements, trips or finance',
      'Eerste dag van evenementen, arrangementen, ritten of finance',
    ),
    { placeholder: 'D' },
  ),
  to: exporting(text, t('Last day of them', 'Laatste dag daarvan'), { placeholder: 'D' }),
  period: takenBy(['export'], ['exportRecords', 'exportFinance'])(
    text,
    t(
      'In place of --from and --to: yesterday, today, this-week, last-month, next-week, this-year, 2026-11, 2026-W48, 2026-Q4, 2026',
      'In plaats van --from en --to: yesterday, today, this-week, last-month, next-week, this-year, 2026-11, 2026-W48, 2026-Q4, 2026',
    ),
    { placeholder: 'P' },
  ),
  definitive: listing(
    truth,
    t('Definitive events, of all days or of these', 'Definitieve evenementen, van alle dagen of van deze'),
  ),
  all: takenBy(['export'], ['exportFinance'])(
    truth,
    t(
      'Finance of all events, not of the definitive ones alone',
      'Finance van alle evenementen, niet alleen van de definitieve',
    ),
  ),
  file: listing(
    text,
    t('Stock of the products that this file names', 'Voorraad van de producten die dit bestand noemt'),
  ),
  declaration: listing(truth, t('With the ingredient declaration', 'Met de ingrediëntendeclaratie')),
  overwrite: exporting(
    truth,
    t('Overwrite a file that is there already', 'Overschrijf een bestand dat er al is'),
    { flag: 'yes', alias: 'y' },
  ),
  exportDelimiter: exporting(text, t('Separator of a CSV, or tab', 'Scheidingsteken van een CSV, of tab'), {
    name: 'delimiter',
    placeholder: 'C',
    otherwise: t('; or , by the locale', '; of , naar de locale'),
  }),
  ids: listing(truth, t('Numbers (ids) in place of names', 'Nummers (id’s) in plaats van namen')),

  documentsFrom: takenBy(['documents'], ['uploadDocuments'])(
    text,
    t('Folder that the files are in', 'Map waar de bestanden in staan'),
    { name: 'from', placeholder: 'DIR', otherwise: t('the one of the sheet', 'die van het werkblad') },
  ),
  invoicesTo: takenBy(['invoices'], ['fetchInvoices'])(
    text,
    t('Folder that the files go to', 'Map waar de bestanden in komen'),
    { name: 'to', placeholder: 'DIR', required: true },
  ),
  allOrders: takenBy(['orders'], [])(
    truth,
    t('All that the service has to send', 'Alles wat het systeem te versturen heeft'),
    { name: 'all' },
  ),
  again: takenBy(['orders'], ['sendOrders'])(
    truth,
    t(
      'Also what was sent before, or may have been, deliberately',
      'Bewust ook wat al eerder verstuurd is, of misschien',
    ),
  ),

  lists: checking(
    truth,
    t(
      'Also show the dropdown lists with their numbers, with a read of each up to 150',
      'Laat ook de keuzelijsten met hun nummers zien, door ze tot 150 elk te lezen',
    ),
  ),

  port: serving(z.int().min(0).max(65_535), t('Port on 127.0.0.1', 'Poort op 127.0.0.1'), {
    otherwise: t('a free one', 'een vrije'),
  }),
  data: serving(
    text,
    t(
      'Where the company is kept; :memory: keeps nothing',
      'Waar het bedrijf bewaard wordt; :memory: bewaart niets',
    ),
  ),
  deskPort: takenBy(['desk'], [])(z.int().min(0).max(65_535), t('Port on 127.0.0.1', 'Poort op 127.0.0.1'), {
    name: 'port',
    otherwise: t('4747, else a free one', '4747, anders een vrije'),
  }),
  open: takenBy(['desk'], [])(
    truth,
    t('Open the browser (--no-open: only the address)', 'Open de browser (--no-open: alleen het adres)'),
    { initial: true },
  ),
  shortcut: takenBy(['desk'], [])(
    truth,
    t(
      'Put a starter on your desktop, to open the page by a double-click; nothing is started now',
      'Zet een snelkoppeling op je bureaublad, die de pagina opent met een dubbelklik; er wordt nu niets gestart',
    ),
  ),
  record: takenBy(['runs'], [])(
    text,
    t(
      'Record by its kind and number (packages:30001): every change of it that was sent from here',
      'Record met soort en nummer (packages:30001): elke wijziging ervan die van hier verstuurd is',
    ),
    { placeholder: 'RECORD' },
  ),
  withdraw: takenBy(['runs'], [])(
    truth,
    t(
      'Take the run back from workers: what is on its way is awaited, the rest is not sent',
      'Haal de run terug bij workers: op wat onderweg is wordt gewacht, de rest wordt niet verstuurd',
    ),
  ),
  olderThan: takenBy(['runs'], ['pruneRuns'])(
    z.int().min(30).max(36_500),
    t(
      'With prune: days after which a run is old; a plan that was not sent is after 100 at most',
      'Met prune: na hoeveel dagen een run oud is; een plan dat niet verstuurd is na hoogstens 100',
    ),
    { otherwise: 365 },
  ),
  drain: takenBy(['worker'], [])(truth, t('End when nothing waits any more', 'Stop als er niets meer wacht')),
  metrics: takenBy(['worker'], [])(
    z.int().min(0).max(65_535),
    t(
      'Port on 127.0.0.1 where Prometheus finds figures, at /metrics',
      'Poort op 127.0.0.1 waar Prometheus cijfers vindt, op /metrics',
    ),
  ),
} satisfies Readonly<Record<string, Option>>;
