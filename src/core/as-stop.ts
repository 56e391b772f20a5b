import { EXIT, StopError } from './errors.ts';
import { same, t } from './language.ts';

/** What Node says of a module, or of its native part, that it can't load. */
const NOT_THERE: ReadonlySet<unknown> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
]);

/** Any thrown value as a StopError: what is not one is a fault of the program, told with its stack. */
export function asStop(error: unknown): StopError {
  if (error instanceof StopError) return error;
  if (error instanceof Error && 'code' in error && NOT_THERE.has(error.code)) return notLoaded(error);
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

/** Node's message names the part in its first line; behind it stands who asked for it. */
function notLoaded(cause: Error): StopError {
  const [what = ''] = cause.message.split('\n');
  return new StopError(
    EXIT.usage,
    t(
      `A part of the program can't be loaded: ${what}.`,
      `Een deel van het programma is niet te laden: ${what}.`,
    ),
    {
      next: t(
        'Install it again on this machine, with what is optional; its native part is there for Linux, macOS and Windows with Node for x64, and Linux and macOS for arm64:',
        'Installeer het opnieuw op deze machine, met wat optioneel is; het deel van het systeem is er voor Linux, macOS en Windows met Node voor x64, en voor Linux en macOS met arm64:',
      ),
      command: same('npm install --global catersheet --include=optional'),
      cause,
    },
  );
}
