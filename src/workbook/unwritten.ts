import { EXIT, StopError } from '../errors.ts';
import type { Bilingual } from '../schema/value.ts';

const NOT_ALLOWED = { en: 'writing there is not allowed', nl: 'daar mag niet worden geschreven' };
const FULL = { en: 'the disk is full', nl: 'de schijf is vol' };

/** Why a file can't be written, by the code of the failure. */
const REASONS: Record<string, Bilingual> = {
  ENOENT: { en: 'its folder does not exist', nl: 'de map bestaat niet' },
  ENOTDIR: { en: 'its folder is a file', nl: 'de map is een bestand' },
  EISDIR: { en: 'it is a folder', nl: 'het is een map' },
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: { en: 'the disk is read-only', nl: 'de schijf is alleen-lezen' },
  EBUSY: { en: 'it is open in another program', nl: 'het staat open in een ander programma' },
  ETXTBSY: { en: 'it is open in another program', nl: 'het staat open in een ander programma' },
  ENAMETOOLONG: { en: 'its name is too long', nl: 'de naam is te lang' },
  ELOOP: { en: 'it is a link that leads nowhere', nl: 'het is een koppeling die nergens heen gaat' },
  ENOSPC: FULL,
  EDQUOT: FULL,
  EIO: { en: 'the disk does not answer as it should', nl: 'de schijf antwoordt niet zoals het hoort' },
};

/** Why a file can't be written, from a failure of the disk; undefined for any other error. */
export function reasonOf(cause: unknown): Bilingual | undefined {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? undefined : REASONS[code];
}

/** A failure of the disk as the StopError that says why the target can't be written; any other error as it is. */
export function unwritten(target: string, cause: unknown): unknown {
  const reason = reasonOf(cause);
  return reason === undefined ? cause : unwritable(target, reason, cause);
}

/** The StopError for a target that can't be written. */
export function unwritable(target: string, reason: Bilingual, cause?: unknown): StopError {
  const next = {
    en: 'Name another file with --out, or close the file where it is open.',
    nl: 'Noem een ander bestand met --out, of sluit het bestand waar het open staat.',
  };
  const text = {
    en: `The result ${target} can't be written: ${reason.en}.`,
    nl: `Het resultaat ${target} kan niet worden geschreven: ${reason.nl}.`,
  };
  return new StopError(EXIT.usage, text, { next, cause });
}
