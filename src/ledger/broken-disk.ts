import { EXIT, StopError } from '../errors.ts';
import type { Bilingual } from '../schema/value.ts';

interface Broken {
  readonly what: (file: string) => Bilingual;
  readonly next: Bilingual;
}

/** What ends writing altogether, by the primary code of SQLite. */
const BROKEN: Readonly<Record<string, Broken>> = {
  FULL: {
    what: (file) => ({
      en: `The disk that holds the ledger ${file} is full.`,
      nl: `De schijf met het grootboek ${file} is vol.`,
    }),
    next: {
      en: 'Make room on it, then try again: nothing was sent that is not in the ledger.',
      nl: 'Maak er ruimte op en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    },
  },
  IOERR: {
    what: (file) => ({
      en: `The disk that holds the ledger ${file} gives errors.`,
      nl: `De schijf met het grootboek ${file} geeft fouten.`,
    }),
    next: {
      en: 'Check that disk, then try again: nothing was sent that is not in the ledger.',
      nl: 'Controleer die schijf en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    },
  },
  READONLY: {
    what: (file) => ({
      en: `The ledger ${file} may not be written to.`,
      nl: `In het grootboek ${file} mag niet worden geschreven.`,
    }),
    next: {
      en: 'Make it writable, then try again: nothing was sent that is not in the ledger.',
      nl: 'Maak het beschrijfbaar en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    },
  },
  BUSY: {
    what: (file) => ({
      en: `Another program keeps the ledger ${file} locked.`,
      nl: `Een ander programma houdt het grootboek ${file} bezet.`,
    }),
    next: {
      en: 'End that program, then try again: nothing was sent that is not in the ledger.',
      nl: 'Sluit dat programma en probeer het dan opnieuw: er is niets verstuurd dat niet in het grootboek staat.',
    },
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
