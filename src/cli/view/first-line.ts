import { EXIT, type StopError } from '../../core/errors.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import { show } from './lines.ts';

/** A line that is kept until anything else is told; an error that comes before makes it no news. */
export function firstLine(before: () => void, language: Language) {
  let kept: Bilingual | null = null;
  return {
    keep(text: Bilingual): void {
      kept = text;
    },
    tell(): void {
      if (kept === null) return;
      before();
      show('stderr', [kept[language]]);
      kept = null;
    },
    dropFor({ exit }: StopError): void {
      if (exit === EXIT.usage || exit === EXIT.file) kept = null;
    },
  };
}
