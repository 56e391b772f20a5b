import type { StopError } from '../core/errors.ts';
import { showLines } from '../core/standard-streams.ts';
import { earlyLanguage } from '../session/spoken-language.ts';
import { stopLines } from './view/words.ts';

/** Shows what stopped the program with nothing that is yet to be loaded: a view may lack the very part. */
export function tellStop(words: readonly string[], stop: StopError): void {
  showLines('stderr', stopLines(stop, earlyLanguage(words, process.env)));
}
