import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { copiedAt, listCopies } from './copies.ts';

/** Marks what can't be read as SQLite marks it. */
export const unreadable = (cause: unknown): Error =>
  Object.assign(new Error(`what is kept can't be read: ${(cause as Error).message}`, { cause }), {
    code: 'SQLITE_CORRUPT',
  });

/** The stop for a ledger that can't be relied on: what is wrong with it, and what can be done. */
export function damagedStop(file: string, what: Bilingual, cause: unknown = new Error(what.en)): StopError {
  const text = t(`The ledger ${file} ${what.en}.`, `Het grootboek ${file} ${what.nl}.`);
  const [copy] = listCopies(file);
  const way =
    copy === undefined
      ? t(
          'There is no copy of it: put it back from a backup of your own, or name another with --ledger.',
          'Er is geen kopie van: zet het terug uit een eigen back-up, of noem een ander met --ledger.',
        )
      : t(
          `Move it and what is named ${file}-wal, -shm and .mark away, and put the copy of ${copiedAt(copy)} in its place: ${copy}. What later runs posted is not in it.`,
          `Zet het met wat ${file}-wal, -shm en .mark heet ergens anders, en zet de kopie van ${copiedAt(copy)} ervoor in de plaats: ${copy}. Wat latere runs boekten, staat daar niet in.`,
        );
  const next = t(
    `Nothing is sent, as what was sent before is not known. ${way.en} To begin with an empty one, move ${file}, its .mark and its .copies away: what was posted before may then be posted twice.`,
    `Er wordt niets verstuurd, want wat al verstuurd is, is niet bekend. ${way.nl} Wil je leeg beginnen, zet dan ${file}, .mark en .copies ergens anders: wat al geboekt is, kan dan twee keer geboekt worden.`,
  );
  return new StopError(EXIT.usage, text, { next, cause });
}

/** What SQLite says of a file that is damaged or no ledger, by its primary result code. */
const DAMAGE: ReadonlySet<string> = new Set(['CORRUPT', 'NOTADB', 'ERROR', 'FORMAT', 'MISMATCH']);

/** The stop for an error of what the ledger holds; undefined for any other. */
export function asDamage(file: string, error: unknown): StopError | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const primary = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? '';
  if (!DAMAGE.has(primary) && !(error instanceof SyntaxError)) return undefined;
  return damagedStop(file, damagedBy(String(message)), error);
}

/** That a ledger is damaged, with what shows it. */
export const damagedBy = (detail: string): Bilingual =>
  t(`is damaged (${detail})`, `is beschadigd (${detail})`);
