import { type StopError, usageStop } from '../core/errors.ts';
import { type Bilingual, inOne, t, withFlag } from '../core/language.ts';
import { shownUtc } from '../core/shown-moment.ts';
import { copiedAt, listCopies } from './copies.ts';

/** A file's name as a word of a command. */
export const word = (file: string): string => (/^[\w./\\:~@+,-]+$/.test(file) ? file : `"${file}"`);

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
          `catersheet ledger restore backup.db --ledger ${word(file)}`,
        )
      : withFlag(
          t(
            `Whoever set the program up can put its newest whole copy in its place, and keep this one beside it; the newest is of ${shownUtc(copiedAt(copy)).en}: ${copy}.`,
            `Wie het programma heeft geïnstalleerd kan de nieuwste kopie die heel is ervoor in de plaats zetten, en deze ernaast bewaren; de nieuwste is van ${shownUtc(copiedAt(copy)).nl}: ${copy}.`,
          ),
          `catersheet ledger restore --ledger ${word(file)}`,
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
