import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, inOne, t, withFlag } from '../core/language.ts';
import { shownUtc } from '../core/shown-moment.ts';
import { shellWord } from '../core/visible-text.ts';
import { copiedAt, listCopies } from './copies.ts';
import type { Ledger } from './ledger.ts';

const ANEW = (file: string): Bilingual =>
  t(
    `To begin with an empty one, move ${file}, its -wal, .mark and .copies away: what was posted before may then be posted twice.`,
    `Wil je leeg beginnen, zet dan ${file}, -wal, .mark en .copies ergens anders: wat al geboekt is, kan dan twee keer geboekt worden.`,
  );

const NOTHING = t(
  'Nothing is sent, as what was sent before is not known.',
  'Er wordt niets verstuurd, want wat al verstuurd is, is niet bekend.',
);

/** While a run sends. */
const NO_MORE = t(
  'Nothing more is sent; the log has every request that was.',
  'Er wordt niets meer verstuurd; in het logboek staat elk verzoek dat verstuurd is.',
);

/**
 * The stop for a ledger that can't be relied on: what is wrong with it, and what can be done; `more` beside
 * what always can, `first` before it.
 */
export function damagedStop(
  file: string,
  what: Bilingual,
  {
    cause = new Error(what.en),
    first = NOTHING,
    more,
  }: { readonly cause?: unknown; readonly first?: Bilingual; readonly more?: Bilingual } = {},
): StopError {
  const text = t(`The ledger ${file} ${what.en}.`, `Het register ${file} ${what.nl}.`);
  const [copy] = listCopies(file);
  const way =
    copy === undefined
      ? withFlag(
          t(
            'There is no copy of it: whoever set the program up can put a backup in its place.',
            'Er is geen kopie van: wie het programma heeft geïnstalleerd kan een back-up ervoor in de plaats zetten.',
          ),
          `catersheet ledger restore backup.db --ledger ${shellWord(file)}`,
        )
      : withFlag(
          t(
            `Whoever set the program up can put its newest whole copy in its place, and keep this one beside it; the newest is of ${shownUtc(copiedAt(copy)).en}: ${copy}.`,
            `Wie het programma heeft geïnstalleerd kan de nieuwste kopie die heel is ervoor in de plaats zetten, en deze ernaast bewaren; de nieuwste is van ${shownUtc(copiedAt(copy)).nl}: ${copy}.`,
          ),
          `catersheet ledger restore --ledger ${shellWord(file)}`,
        );
  const next = inOne([first, way, ...(more === undefined ? [] : [more]), ANEW(file)]);
  return usageStop(text, next, cause);
}

/** What SQLite says of a file that is damaged or no ledger, by its primary result code. */
const DAMAGE: ReadonlySet<string> = new Set(['CORRUPT', 'NOTADB', 'ERROR', 'FORMAT', 'MISMATCH']);

/** The stop for an error of what the ledger holds; undefined for any other. */
export function asDamage(file: string, error: unknown, sending = false): StopError | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const primary = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? '';
  if (!DAMAGE.has(primary) && !(error instanceof SyntaxError)) return undefined;
  const what = t(`is damaged (${message})`, `is beschadigd (${message})`);
  return damagedStop(file, what, { cause: error, ...(sending ? { first: NO_MORE } : {}) });
}

/** Where a ledger keeps where it was moved to: no service has this name. */
export const MOVED = ['', 'moved to'] as const;

/** Asks for it. */
export const MOVED_TO = `select value from @facts where service = '' and name = 'moved to' and value <> ''`;

/** Throws StopError for a ledger that was moved: what is sent with it would not be known where it is now. */
export async function refuseMoved({ findFact }: Pick<Ledger, 'findFact'>, place: string): Promise<void> {
  const now = await findFact(...MOVED);
  if (now !== undefined && now !== '') throw movedStop(place, now);
}

/** The stop for a ledger that is used no more. */
export const movedStop = (place: string, now: string): StopError =>
  usageStop(
    t(`The ledger ${place} was moved to ${now}.`, `Het register ${place} is verhuisd naar ${now}.`),
    withFlag(
      t(
        'Name that one, in your settings too, or move it back.',
        'Noem dat register, ook in je instellingen, of verhuis het terug.',
      ),
      `--ledger ${now}, catersheet ledger move`,
    ),
  );

const NOT_IN_LEDGER = t(
  'then try again: nothing was sent that is not in the ledger.',
  'en probeer het dan opnieuw: er is niets verstuurd dat niet in het register staat.',
);

const again = ({ en, nl }: Bilingual): Bilingual =>
  t(`${en}, ${NOT_IN_LEDGER.en}`, `${nl} ${NOT_IN_LEDGER.nl}`);

/** Errors that end all writing, by SQLite's primary result code. */
const BROKEN: Readonly<Record<string, { what(file: string): Bilingual; readonly next: Bilingual }>> = {
  FULL: {
    what: (file) =>
      t(`The disk that holds the ledger ${file} is full.`, `De schijf met het register ${file} is vol.`),
    next: again(t('Make room on it', 'Maak er ruimte op')),
  },
  IOERR: {
    what: (file) =>
      t(
        `The disk that holds the ledger ${file} gives errors.`,
        `De schijf met het register ${file} geeft fouten.`,
      ),
    next: again(t('Check that disk', 'Controleer die schijf')),
  },
  READONLY: {
    what: (file) =>
      t(`The ledger ${file} may not be written to.`, `In het register ${file} mag niet worden geschreven.`),
    next: again(t('Make it writable', 'Maak het beschrijfbaar')),
  },
  BUSY: {
    what: (file) =>
      t(
        `Another program keeps the ledger ${file} locked.`,
        `Een ander programma houdt het register ${file} bezet.`,
      ),
    next: again(t('End that program', 'Sluit dat programma')),
  },
};

/** The stop for an error of the file, its disk or its contents; undefined where the write itself is wrong. */
export function ledgerStop(file: string, cause: unknown): StopError | undefined {
  const { code } = cause as { readonly code?: unknown };
  // Extended codes go on after it: SQLITE_IOERR_WRITE.
  const primary = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? '';
  const broken = Object.hasOwn(BROKEN, primary) ? BROKEN[primary] : undefined;
  if (broken === undefined) return asDamage(file, cause, true);
  return usageStop(broken.what(file), broken.next, cause);
}
