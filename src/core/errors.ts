import { type Bilingual, inOne, onPage, same, t } from './language.ts';

/** What the process ends with and what that means, for help and docs. */
export const EXITS = {
  ok: {
    code: 0,
    text: t(
      'every row is done, or needs nothing (dry run: would be)',
      'elke rij is klaar, of hoeft niets (proefrun: zou klaar zijn)',
    ),
  },
  fault: { code: 1, text: t('a fault of the program', 'een fout in het programma') },
  usage: { code: 2, text: t('usage or configuration', 'gebruik of instellingen') },
  file: {
    code: 3,
    text: t(
      "the file can't be read, or holds no row to send; nothing was sent",
      'het bestand is niet te lezen, of heeft geen rij om te versturen; er is niets verstuurd',
    ),
  },
  service: {
    code: 4,
    text: t(
      "the service can't be reached or refuses the token",
      'het systeem is niet te bereiken of weigert het token',
    ),
  },
  rows: {
    code: 5,
    text: t(
      'finished, but some rows are invalid, failed or in conflict, an export may lack records, or a run was given up',
      'klaar, maar er zijn rijen ongeldig, mislukt of in conflict, in een export kunnen records ontbreken, of een run is opgegeven',
    ),
  },
  unknown: { code: 6, text: t('some outcomes are unknown', 'van sommige rijen is de uitkomst onbekend') },
  interrupted: { code: 130, text: t('interrupted, can be continued', 'onderbroken, kan verder') },
} as const;

type Exits = typeof EXITS;

/** Exit codes of the command line, by name. */
export const EXIT = Object.fromEntries(Object.entries(EXITS).map(([name, { code }]) => [name, code])) as {
  readonly [Name in keyof Exits]: Exits[Name]['code'];
};

/** A code that the process ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface StopOptions {
  /** The next step, as a whole sentence. */
  readonly next?: Bilingual | undefined;
  /** What to type instead, whole: `next` leads to it. */
  readonly command?: Bilingual | undefined;
  readonly cause?: unknown;
}

/**
 * The one error that stops a run: what is wrong in one sentence, the next step, and the exit code. A bad cell
 * is never one of these, but an Issue on its row. `message` and `next` are in English, for logs and programs;
 * `texts` has them in every language, for people.
 */
export class StopError extends Error {
  /** What the command would end with. */
  readonly exit: Exclude<ExitCode, 0>;
  /** The next step, a sentence in English. */
  readonly next: string | undefined;
  /** The same in every language, for people. */
  readonly texts: {
    /** What is wrong. */
    readonly message: Bilingual;
    /** The next step. */
    readonly next: Bilingual | undefined;
    /** The end of `next` that is a command: never broken over lines. */
    readonly command: Bilingual | undefined;
  };

  constructor(exit: StopError['exit'], message: Bilingual, { next: lead, command, cause }: StopOptions = {}) {
    super(message.en, cause === undefined ? undefined : { cause });
    const next = lead === undefined || command === undefined ? (command ?? lead) : joined(lead, command);
    this.name = 'StopError';
    this.exit = exit;
    this.next = next?.en;
    this.texts = { message, next, command };
  }
}

const joined = (lead: Bilingual, command: Bilingual): Bilingual => ({
  ...inOne([lead, command]),
  page: onPage(lead),
});

/** A stop with EXIT.usage: what is wrong with the options given, and what to do instead. */
export const usageStop = (message: Bilingual, next: Bilingual, cause?: unknown): StopError =>
  new StopError(EXIT.usage, message, { next, cause });

/** What Node says of a module, or of its native part, that it can't load. */
const NOT_THERE: ReadonlySet<unknown> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
]);

/** Any thrown value as a StopError: what is not one is a fault of the program, told with its stack. */
export function asStop(error: unknown): StopError {
  if (error instanceof StopError) return error;
  if (error instanceof Error && 'code' in error && NOT_THERE.has(error.code)) return notLoaded(error);
  const what = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // The message may hold lines of its own, which must not pass for ours.
  const where = [JSON.stringify(what), ...stack.split('\n').filter((line) => /^ {4}at /.test(line))].join(
    '\n',
  );
  const next = t(`Please report it, with this:\n${where}`, `Meld het, met dit erbij:\n${where}`);
  return new StopError(
    EXIT.fault,
    t(`A fault of the program: ${what}`, `Een fout in het programma: ${what}`),
    {
      next,
      cause: error,
    },
  );
}

/** Node's message names the part in its first line; behind it stands who asked for it. */
function notLoaded(cause: Error): StopError {
  const [what = ''] = cause.message.split('\n');
  return new StopError(
    EXIT.usage,
    t(
      `A part of the program can't be loaded: ${what}.`,
      `Een deel van het programma is niet te laden: ${what}.`,
    ),
    {
      next: t(
        'Install it again on this machine, with what is optional; its native part is there for Linux, macOS and Windows with Node for x64, and Linux and macOS for arm64:',
        'Installeer het opnieuw op deze machine, met wat optioneel is; het deel van het systeem is er voor Linux, macOS en Windows met Node voor x64, en voor Linux en macOS met arm64:',
      ),
      command: same('npm install --global catersheet --include=optional'),
      cause,
    },
  );
}
