import { EXIT, StopError } from './errors.ts';
import { t } from './language.ts';

/** The code of an error of files that do not belong together, as the program was replaced while it ran. */
export const OTHER_BUILD = 'ERR_OTHER_BUILD';

/** Any thrown value as a StopError: what is not one is a fault of the program, told with its stack. */
export function asStop(error: unknown): StopError {
  if (error instanceof StopError) return error;
  if (error instanceof Error && 'code' in error && error.code === OTHER_BUILD) return replaced(error);
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

const replaced = (cause: Error): StopError =>
  new StopError(
    EXIT.fault,
    t(
      'The program was replaced by another version while it ran.',
      'Het programma is door een andere versie vervangen terwijl het liep.',
    ),
    {
      next: t(
        'Start it again. If it says the same, install it again.',
        'Start het opnieuw. Zegt het dan hetzelfde, installeer het dan opnieuw.',
      ),
      cause,
    },
  );
