import type { StopError } from '../core/errors.ts';
import type { Language } from '../core/value.ts';

/** What stopped a run, a line each: what is wrong, and what to do about it. */
export function stopLines({ texts }: StopError, language: Language): string[] {
  return [texts.message[language], texts.next?.[language]].filter((line) => line !== undefined);
}

/** What stopped a run, as `--json` prints it. */
export function stopDocument({ exitCode, texts }: StopError, language: Language): object {
  return {
    error: {
      exit: exitCode,
      message: texts.message[language],
      ...(texts.next === undefined ? {} : { next: texts.next[language] }),
    },
  };
}
