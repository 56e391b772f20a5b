import { extname } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';

const NOT_ALLOWED = t('writing there is not allowed', 'daar mag niet worden geschreven');
const OPEN = t('it is open in another program', 'het staat open in een ander programma');
const FULL = t('the disk is full', 'de schijf is vol');
const TOO_MANY = withFlag(
  t('too many files and connections are open', 'er staan te veel bestanden en verbindingen open'),
  '--concurrency',
);

/** Reasons by error code. */
const REASONS: Record<string, Bilingual> = {
  ENOENT: t('its folder does not exist', 'de map bestaat niet'),
  ENOTDIR: t('its folder is a file', 'de map is een bestand'),
  EISDIR: t('it is a folder', 'het is een map'),
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: t('the disk is read-only', 'de schijf is alleen-lezen'),
  EBUSY: OPEN,
  ETXTBSY: OPEN,
  ENAMETOOLONG: t('its name is too long', 'de naam is te lang'),
  ELOOP: t('it is a link that leads nowhere', 'het is een koppeling die nergens heen gaat'),
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  SQLITE_READONLY: NOT_ALLOWED,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: t('the disk does not answer as it should', 'de schijf antwoordt niet zoals het hoort'),
};

/** Why a file can't be written, by the error of the disk; undefined for other errors. */
export function writeFailureReason(cause: unknown): Bilingual | undefined {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? undefined : REASONS[code];
}

/** Makes an error of the disk the StopError for an unwritable target; others stay as they are. */
export function asWriteStop(target: string, cause: unknown): unknown {
  const reason = writeFailureReason(cause);
  return reason === undefined ? cause : writeStop(target, reason, cause);
}

/** The StopError for a target that can't be written. */
export function writeStop(target: string, reason: Bilingual, cause?: unknown): StopError {
  // A report has a flag of its own.
  const isReport = extname(target).toLowerCase() === '.html';
  const [flag, what] = isReport
    ? (['report', t('The report', 'Het verslag')] as const)
    : (['out', t('The result', 'Het resultaat')] as const);
  const isOpen = reason === OPEN;
  const next = withFlag(
    isOpen
      ? t('Close it there, or name another file.', 'Sluit het daar, of noem een ander bestand.')
      : t(
          'Make room there for it, or name a file elsewhere.',
          'Maak daar plaats, of noem een bestand ergens anders.',
        ),
    `--${flag}`,
  );
  const text = t(
    `${what.en} ${target} can't be written: ${reason.en}.`,
    `${what.nl} ${target} kan niet worden geschreven: ${reason.nl}.`,
  );
  return new StopError(EXIT.usage, text, { next, cause });
}
