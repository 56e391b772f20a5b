import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';

interface Broken {
  readonly what: (file: string) => Bilingual;
  readonly next: Bilingual;
}

/** What ends writing altogether, by the primary code of SQLite. */
const BROKEN: Readonly<Record<string, Broken>> = {
  FULL: {
    what: (file) =>
      t(`The disk that holds the ledger ${file} is full.`, `De schijf met het grootboek ${file} is vol.`),
    next: t(
      'Make room on it, then try again: nothing was sent that is not in the ledger.',
      'Maak er ruimte op en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    ),
  },
  IOERR: {
    what: (file) =>
      t(
        `The disk that holds the ledger ${file} gives errors.`,
        `De schijf met het grootboek ${file} geeft fouten.`,
      ),
    next: t(
      'Check that disk, then try again: nothing was sent that is not in the ledger.',
      'Controleer die schijf en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    ),
  },
  READONLY: {
    what: (file) =>
      t(`The ledger ${file} may not be written to.`, `In het grootboek ${file} mag niet worden geschreven.`),
    next: t(
      'Make it writable, then try again: nothing was sent that is not in the ledger.',
      'Maak het beschrijfbaar en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    ),
  },
  BUSY: {
    what: (file) =>
      t(
        `Another program keeps the ledger ${file} locked.`,
        `Een ander programma houdt het grootboek ${file} bezet.`,
      ),
    next: t(
      'End that program, then try again: nothing was sent that is not in the ledger.',
      'Sluit dat programma en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    ),
  },
};

/** What an error of SQLite means for a ledger that is written to; undefined where only what was written is to blame. */
export function brokenDisk(file: string, cause: unknown): StopError | undefined {
  const { code } = cause as { readonly code?: unknown };
  // Extended codes name more behind it: SQLITE_IOERR_WRITE.
  const primary = /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] ?? '';
  const broken = Object.hasOwn(BROKEN, primary) ? BROKEN[primary] : undefined;
  return broken && new StopError(EXIT.usage, broken.what(file), { next: broken.next, cause });
}
