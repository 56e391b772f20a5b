import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';

/** What stops the program, whatever was thrown: all but a StopError is a fault of the program, told with where it came from. */
export function asStop(error: unknown): StopError {
  if (error instanceof StopError) return error;
  const what = error instanceof Error ? error.message : String(error);
  const where = error instanceof Error ? (error.stack ?? what) : what;
  return new StopError(
    EXIT.fault,
    t(`A fault of the program: ${what}`, `Een fout in het programma: ${what}`),
    {
      next: t(`Please report it, with this:\n${where}`, `Meld het, met dit erbij:\n${where}`),
      cause: error,
    },
  );
}
