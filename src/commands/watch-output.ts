import { EXIT, type ExitCode, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { writeFailureReason } from '../files/write-failure.ts';
import { earlyLanguage } from './early-language.ts';

/**
 * Says once, on stderr, that stdout can't be written, and with which code the process then ends. A reader that went away
 * (`| head`) is no fault of ours, and nothing is lost: the result is in its file.
 */
export function watchOutput(words: readonly string[], onLost: (code: ExitCode) => void): void {
  let told = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || told) return;
    told = true;
    const stop = unshown(error);
    const language = earlyLanguage(words, process.env);
    process.stderr.write(`${stop.texts.message[language]}\n${stop.texts.next?.[language]}\n`);
    onLost(stop.exitCode);
  });
}

function unshown(cause: NodeJS.ErrnoException): StopError {
  const reason = writeFailureReason(cause) ?? { en: cause.message, nl: cause.message };
  return new StopError(
    EXIT.usage,
    t(
      `What was to be shown can't be written to stdout: ${reason.en}.`,
      `Wat te tonen was, kan niet naar stdout worden geschreven: ${reason.nl}.`,
    ),
    {
      next: t(
        'Make room, or send stdout elsewhere. What was done on the service stays done.',
        'Maak ruimte, of stuur stdout ergens anders heen. Wat op de dienst gedaan is, blijft gedaan.',
      ),
      cause,
    },
  );
}
