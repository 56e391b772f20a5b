import { t } from '../core/language.ts';
import type { CommandEntry } from './command-entry.ts';

/** The commands that ask nothing of a service: about the program and what it keeps. */
export const OWN_COMMANDS = {
  ledger: {
    help: t(
      'See whether the ledger is whole, copy it, put a copy back, or move it to a database',
      'Kijk of het register heel is, kopieer het, zet een kopie terug, of verhuis het naar een database',
    ),
    positionals: [
      {
        name: 'action',
        required: true,
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
    examples: {
      trust: t('after a look at what it sets', 'na een blik op wat het instelt'),
    },
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
    examples: {
      'interface > openapi.json': t(
        'for the tools that integrators use',
        'voor de gereedschappen van integrators',
      ),
    },
  },
  help: {
    help: t('Show the help of a command, or of all', 'Toon de hulp van een opdracht, of van alle'),
    positionals: [
      {
        name: 'command',
        help: t('Command to tell about', 'Opdracht om over te vertellen'),
      },
    ],
    examples: { 'help import': t('all that import takes', 'alles wat import kent') },
  },
  completion: {
    help: t(
      'Print what makes a shell complete commands, flags, files, profiles and runs with Tab',
      'Toon wat een shell met Tab opdrachten, vlaggen, bestanden, profielen en runs laat aanvullen',
    ),
    positionals: [
      {
        name: 'shell',
        required: true,
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
