import { type Bilingual, t } from '../core/language.ts';

/** A word behind a command's name. */
export interface Positional {
  readonly name: string;
  readonly help: Bilingual;
  /** What is said where it is left out; one without may be. */
  readonly ask?: Bilingual;
  /** May be several. */
  readonly many?: true;
  readonly choices?: readonly string[];
  /** What it chooses from, listed in its help. */
  readonly names?: readonly string[];
}

/** A command as help and docs show it; its flags are in the option table. */
export interface CommandEntry {
  readonly help: Bilingual;
  readonly positionals: readonly Positional[];
  /** What each command line does, where the help does not tell it. */
  readonly examples?: Readonly<Record<string, Bilingual>>;
}

const SHEET_FILE = {
  name: 'file',
  ask: t('Name a file.', 'Noem een bestand.'),
} as const;

/** By name, as nothing slow is imported here; a test holds them to the registry. */
const SHEETS = 'packages recipes events stock-mutations stock-count arrangements trips'.split(' ');
const EXPORTS = 'packages recipes events stock arrangements trips finance'.split(' ');

const NAME_RUN = t(
  'Name the run, as catersheet runs lists them.',
  'Noem de run, zoals catersheet runs ze toont.',
);

/**
 * Every command, in the order of the help. Loaded whenever the program starts, so it imports nothing slow.
 */
export const COMMANDS = {
  import: {
    help: t(
      'Import a workbook: packages, recipes, events, stock, arrangements, trips',
      'Importeer een werkmap: pakketten, recepten, evenementen, voorraad, arrangementen, ritten',
    ),
    positionals: [
      {
        ...SHEET_FILE,
        many: true,
        help: t(
          'Workbook (.xlsx) or CSV to import; several go one after the other. With --done-to also a folder of them',
          'Werkmap (.xlsx) of CSV om te importeren; meer bestanden gaan na elkaar. Met --done-to ook een map ervan',
        ),
      },
    ],
    examples: {
      'import catalogus.xlsx --dry-run': t(
        'what would change, row by row',
        'wat er zou wijzigen, rij voor rij',
      ),
      'import prijzen.csv --as packages --set Actief=Ja --yes': t(
        'a CSV of packages',
        'een CSV met pakketten',
      ),
      'import /srv/in --done-to /srv/klaar --yes': t(
        'all that was dropped there, for cron',
        'alles wat daar is neergezet, voor cron',
      ),
    },
  },
  export: {
    help: t(
      'Export records to a workbook that can be edited and imported again, or a period for finance',
      'Exporteer records naar een werkmap die je kunt bewerken en weer importeren, of een periode voor de financiën',
    ),
    positionals: [
      {
        name: 'what',
        many: true,
        names: EXPORTS,
        ask: t(
          `Say what to export: ${EXPORTS.join(', ')}.`,
          `Zeg wat je wilt exporteren: ${EXPORTS.join(', ')}.`,
        ),
        help: t(
          'What to export; several go into one workbook',
          'Wat je exporteert; meer soorten gaan in één werkmap',
        ),
      },
    ],
    examples: {
      'export packages -o pakketten.xlsx': t(
        'edit it, then import it again',
        'bewerk het en importeer het weer',
      ),
      'export recipes --since 2026-11-01 -o - --format ndjson': t(
        'what changed, for a program',
        'wat er gewijzigd is, voor een programma',
      ),
      'export events --since last': t(
        'what changed since the last time',
        'wat er sinds de vorige keer gewijzigd is',
      ),
      'export events trips --from 2026-11-02 --to 2026-11-08 -o week.xlsx': t(
        'a week in one workbook',
        'een week in één werkmap',
      ),
      'export stock': t('a sheet to count on', 'een werkblad om op te tellen'),
      'export finance --from 2026-11-01 --to 2026-11-30': t(
        'a workbook of the month, with totals; no import takes it',
        'een werkmap van de maand, met totalen; die kun je niet importeren',
      ),
    },
  },
  apply: {
    help: t(
      'Send a planned run exactly as shown, or continue an interrupted one',
      'Verstuur een geplande run precies zoals getoond, of ga verder met een onderbroken run',
    ),
    positionals: [
      {
        name: 'run',
        ask: NAME_RUN,
        help: t(
          'Run to send or to continue (see runs)',
          'Run om te versturen of mee verder te gaan (zie runs)',
        ),
      },
    ],
  },
  undo: {
    help: t(
      'Make a workbook that takes a run back when it is imported',
      'Maak een werkmap die een run terugdraait als je haar importeert',
    ),
    positionals: [
      {
        name: 'run',
        ask: NAME_RUN,
        help: t('Run to take back (see runs)', 'Run om terug te draaien (zie runs)'),
      },
    ],
  },
  runs: {
    help: t(
      'List earlier runs, show one row by row, or remove the rows of old ones',
      'Noem eerdere runs, laat er een rij voor rij zien, of ruim de rijen van oude op',
    ),
    positionals: [
      {
        name: 'run',
        help: t(
          'Run to show row by row; or prune, to remove the rows of old runs',
          'Run om rij voor rij te tonen; of prune, om de rijen van oude runs op te ruimen',
        ),
      },
    ],
    examples: {
      'runs 20270331-074512-k3vq': t('every row of one run', 'elke rij van één run'),
      'runs 20270331-074512-k3vq --withdraw': t(
        'workers send nothing more of it; apply goes on',
        'workers versturen er niets meer van; apply gaat verder',
      ),
      'runs --record packages:30001': t(
        'who changed this package from here, when, and in which run',
        'wie dit pakket van hier wijzigde, wanneer, en in welke run',
      ),
      'runs prune --older-than 730': t(
        'asks before it removes the rows of runs of more than two years ago',
        'vraagt voordat het de rijen van runs van meer dan twee jaar geleden opruimt',
      ),
    },
  },
  check: {
    help: t(
      'Try the service: reachable, token good, lists, lookups and endpoints answering',
      'Probeer het systeem: bereikbaar, token goed, antwoorden van lijsten, keuzelijsten en endpoints',
    ),
    positionals: [],
    examples: {
      'check --lists': t(
        'which number each dropdown list has, to use its names',
        'welk nummer elke keuzelijst heeft, om de namen te gebruiken',
      ),
    },
  },
  template: {
    help: t(
      'Make a workbook to fill in, with notes, checks and lists to choose from',
      'Maak een werkmap om in te vullen, met uitleg, controles en lijsten om uit te kiezen',
    ),
    positionals: [
      {
        name: 'resource',
        many: true,
        names: SHEETS,
        help: t(
          'Sheets to make, all when none is named',
          'Werkbladen om te maken, alle als je er geen noemt',
        ),
      },
    ],
    examples: {
      'template packages events -o week12.xlsx': t(
        'a workbook to fill in, with live lists',
        'een werkmap om in te vullen, met actuele lijsten',
      ),
      'template --offline --lang nl': t(
        'all seven sheets, in Dutch',
        'alle zeven werkbladen, in het Nederlands',
      ),
    },
  },
  documents: {
    help: t(
      'Upload the files that a sheet names to their events, each once',
      'Upload de bestanden die een werkblad noemt naar hun evenementen, elk één keer',
    ),
    positionals: [
      {
        ...SHEET_FILE,
        help: t(
          'Workbook or CSV: PartijID or Event.ExternalID, Submap, Document',
          'Werkmap of CSV: PartijID of Event.ExternalID, Submap, Document',
        ),
      },
    ],
    examples: {
      'documents offertes.xlsx --from ~/offertes --dry-run': t(
        'which files would go where',
        'welke bestanden waarheen zouden gaan',
      ),
    },
  },
  invoices: {
    help: t(
      'Fetch the invoices that a sheet names into a folder',
      'Haal de facturen die een werkblad noemt op in een map',
    ),
    positionals: [
      {
        ...SHEET_FILE,
        help: t(
          'Workbook or CSV: id, and extension where it is not pdf',
          'Werkmap of CSV: id, en extension waar die niet pdf is',
        ),
      },
    ],
  },
  orders: {
    help: t(
      'Send purchase orders over EDI, each at most once',
      'Verstuur inkooporders via EDI, elk hoogstens één keer',
    ),
    positionals: [
      {
        name: 'action',
        ask: t('Say what to do: send.', 'Zeg wat er moet gebeuren: send.'),
        choices: ['send'],
        help: t('What to do with them', 'Wat ermee te doen'),
      },
      { name: 'ids', many: true, help: t('Numbers of purchase orders', 'Nummers van inkooporders') },
    ],
  },
  refresh: {
    help: t(
      'Have the service refresh events: those named, or those of a sheet',
      'Laat het systeem evenementen verversen: genoemde, of die van een werkblad',
    ),
    positionals: [
      {
        name: 'what',
        ask: t(
          'Name events by their numbers, or a file.',
          'Noem evenementen met hun nummers, of een bestand.',
        ),
        many: true,
        help: t(
          'Numbers of events, or a workbook or CSV with PartijID or Event.ExternalID',
          'Nummers van evenementen, of een werkmap of CSV met PartijID of Event.ExternalID',
        ),
      },
    ],
  },
  desk: {
    help: t(
      'Open the page on your own machine: drop a workbook, see the change, correct, send',
      'Open de pagina op je eigen machine: sleep een werkmap erin, zie de wijziging, verbeter, verstuur',
    ),
    positionals: [],
    examples: {
      desk: t('opens the page in your browser', 'opent de pagina in je browser'),
      'desk --shortcut': t(
        'puts a starter on your desktop, for a double-click',
        'zet een snelkoppeling op je bureaublad, voor een dubbelklik',
      ),
      'desk --no-open --port 4750': t(
        'prints its address, with the key that opens it',
        'toont het adres, met de sleutel die haar opent',
      ),
    },
  },
  ledger: {
    help: t(
      'See whether the ledger is whole, copy it, put a copy back, or move it to a database',
      'Kijk of het register heel is, kopieer het, zet een kopie terug, of verhuis het naar een database',
    ),
    positionals: [
      {
        name: 'action',
        ask: t(
          'Say what to do: check, backup, restore or move.',
          'Zeg wat er moet gebeuren: check, backup, restore of move.',
        ),
        choices: ['check', 'backup', 'restore', 'move'],
        help: t('What to do with it', 'Wat ermee te doen'),
      },
      {
        name: 'file',
        help: t(
          'Backup to write, or copy to put back; else a copy beside the ledger, or the newest whole one. Where to move it: a file, or postgres://user@server/database',
          'Back-up om te schrijven, of kopie om terug te zetten; anders een kopie bij het register, of de nieuwste die heel is. Waarheen het verhuist: een bestand, of postgres://gebruiker@server/database',
        ),
      },
      {
        name: 'to',
        help: t(
          'Where to move it, when the ledger to move is named first; else the one in use is moved',
          'Waarheen het verhuist, als het register dat verhuist eerst genoemd is; anders verhuist het register in gebruik',
        ),
      },
    ],
    examples: {
      'ledger check': t('whether it is whole, and its copies', 'of het heel is, en de kopieën'),
      'ledger backup ~/backup/ledger.db': t('also while it is used', 'ook terwijl het in gebruik is'),
      'ledger restore': t(
        'asks before it puts the newest whole copy back',
        'vraagt voordat het de nieuwste hele kopie terugzet',
      ),
      'ledger move postgres://jan@db.example/catersheet': t(
        'for several people or machines; it can come back the same way',
        'voor meer mensen of machines; op dezelfde manier kan het terug',
      ),
    },
  },
  worker: {
    help: t(
      'Send what others handed over with --queue, until it is stopped',
      'Verstuur wat anderen met --queue overgaven, tot je het stopt',
    ),
    positionals: [],
    examples: {
      'worker --profile echt': t(
        'as many as you like, on any machine: one sends at a time, the others take over',
        'zoveel als je wilt, op elke machine: er verstuurt er één tegelijk, de andere nemen het over',
      ),
      'worker --drain': t('what waits now, then it ends', 'wat er nu wacht, daarna stopt het'),
    },
  },
  trust: {
    help: t(
      'Let the settings of the folder that you work in count',
      'Laat de instellingen van de map waarin je werkt tellen',
    ),
    positionals: [
      {
        name: 'file',
        help: t(
          'The file of settings (catersheet.config.json)',
          'Het bestand met instellingen (catersheet.config.json)',
        ),
      },
    ],
  },
  sandbox: {
    help: t(
      'Run the embedded service: a made-up catering company over real HTTP',
      'Draai de ingebouwde proefomgeving: een verzonnen cateringbedrijf via echte HTTP',
    ),
    positionals: [],
    examples: {
      'sandbox --port 4010': t(
        'the whole service on http://127.0.0.1:4010/',
        'het hele systeem op http://127.0.0.1:4010/',
      ),
    },
  },
  interface: {
    help: t(
      'Print the service’s interface as an OpenAPI 3.1 document',
      'Toon de interface van het systeem als OpenAPI 3.1-document',
    ),
    positionals: [],
  },
  help: {
    help: t('Show the help of a command, or of all', 'Toon de hulp van een opdracht, of van alle'),
    positionals: [
      {
        name: 'command',
        help: t('Command to tell about', 'Opdracht om over te vertellen'),
      },
    ],
  },
  completion: {
    help: t(
      'Print what makes a shell complete commands, flags, files, profiles and runs with Tab',
      'Toon wat een shell met Tab opdrachten, vlaggen, bestanden, profielen en runs laat aanvullen',
    ),
    positionals: [
      {
        name: 'shell',
        choices: ['bash', 'zsh', 'fish', 'powershell'],
        ask: t(
          'Name your shell: bash, zsh, fish or powershell.',
          'Noem je shell: bash, zsh, fish of powershell.',
        ),
        help: t('Your shell', 'Je shell'),
      },
    ],
    examples: {
      'completion bash >> ~/.bashrc': t('from the next terminal on', 'vanaf de volgende terminal'),
      'completion zsh >> ~/.zshrc': t('behind the line with compinit', 'achter de regel met compinit'),
      'completion fish > ~/.config/fish/completions/catersheet.fish': t('at once', 'meteen'),
      'completion powershell >> $PROFILE': t(
        'from the next window on; make the file first where there is none',
        'vanaf het volgende venster; maak het bestand eerst als het er niet is',
      ),
    },
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;

/** A command's name. */
export type CommandName = keyof typeof COMMANDS;

type PositionalOf<C extends CommandName> = (typeof COMMANDS)[C]['positionals'][number];
type Words<P> = P extends { readonly many: true }
  ? readonly string[]
  : P extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

/** The words behind a command's name, as the command gets them. */
export type PositionalsOf<C extends CommandName> = {
  readonly [P in PositionalOf<C> as P['name']]: P extends { readonly ask: Bilingual }
    ? Words<P>
    : Words<P> | undefined;
};

/** The commands by name, in the order of the help. */
export const COMMAND_LIST = Object.entries(COMMANDS) as unknown as readonly (readonly [
  CommandName,
  CommandEntry,
])[];
