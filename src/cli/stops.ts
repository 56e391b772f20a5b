import { once } from 'node:events';
import { type ExitCode, type StopError, usageStop } from '../core/errors.ts';
import { type Language, t } from '../core/language.ts';
import { onOutputError, showJson } from '../core/standard-streams.ts';
import { writeFailureReason } from '../files/write-aside.ts';
import { saidLanguage } from '../session/spoken-language.ts';
import { show, stopDocument, stopLines } from './view/lines.ts';

/** What asks the program to end: Ctrl-C, a `kill`, and Ctrl-Break on Windows. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/** Calls `told` at each of these; answers what ends that. */
export function onEnd(told: () => void): () => void {
  for (const signal of END_SIGNALS) process.on(signal, told);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, told);
  };
}

/** Resolves at the first of these. */
export const askedToEnd = (): Promise<unknown> =>
  Promise.race(END_SIGNALS.map((signal) => once(process, signal)));

/** Shows what stopped the program where no view was chosen, with nothing that is yet to be loaded. */
export function tellStop(
  words: readonly string[],
  stop: StopError,
  language: Language = saidLanguage(words),
): void {
  if (words.some((word) => /^--json(=|$)/.test(word))) showJson(stopDocument(stop, language));
  show('stderr', stopLines(stop, language));
}

/**
 * Says once, on stderr, that stdout can't be written, and hands on the exit code. A reader that went away (`|
 * head`) is no fault, and nothing is lost: the result is in its file.
 */
export function watchOutput(words: readonly string[], onLost: (code: ExitCode) => void): void {
  let told = false;
  onOutputError((error) => {
    if (error.code === 'EPIPE' || told) return;
    told = true;
    const stop = unshown(error);
    tellStop(words, stop);
    onLost(stop.exit);
  });
}

function unshown(cause: NodeJS.ErrnoException): StopError {
  const reason = writeFailureReason(cause) ?? t(cause.message, cause.message);
  return usageStop(
    t(
      `What was to be shown can't be written to stdout: ${reason.en}.`,
      `Wat te tonen was, kan niet naar stdout worden geschreven: ${reason.nl}.`,
    ),
    t(
      'Make room, or send stdout elsewhere. What was done on the service stays done.',
      'Maak ruimte, of stuur stdout ergens anders heen. Wat in het systeem gedaan is, blijft gedaan.',
    ),
    cause,
  );
}
