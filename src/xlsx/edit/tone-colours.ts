import type { MarkTone, Tone } from '../../files/result-sheet.ts';

/** Paper and ink of each tone. They differ in one bit from the colours that Excel offers, so that our own are told from the user's. */
export const TONES: Readonly<Record<Tone | MarkTone, readonly [paper: string, ink: string]>> = {
  good: ['FFC6EFCF', 'FF006101'],
  plain: ['FFF2F2F3', 'FF404041'],
  warn: ['FFFFEB9D', 'FF7F6001'],
  bad: ['FFFFC7CF', 'FF9C0007'],
  change: ['FFDDEBF6', 'FF1F4E79'],
};

/** The colour that stands where the paper under a tint is kept, when there was none: behind a solid fill, where nothing shows it. */
export const NO_PAPER = 'FFCA7E01';

/** Before what is said in a note, where its author can't be: by it our own are known when a result comes back. */
export const NOTE_MARK = 'catersheet: ';
