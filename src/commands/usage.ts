import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';

/** A flag that was used in a way it cannot be. */
export function wrongUsage(message: Bilingual, next?: Bilingual): StopError {
  return new StopError(EXIT.usage, message, { next });
}

/** Throws StopError for a flag that is given and is no whole number between two others. */
export function wholeNumber(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw wrongUsage(
    t(
      `--${name} must be a whole number from ${least} to ${most}.`,
      `--${name} moet een geheel getal van ${least} tot en met ${most} zijn.`,
    ),
  );
}
