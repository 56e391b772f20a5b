import type { Bilingual } from '../schema/value.ts';

/**
 * A part of a workbook that can't be read: the rest of a sentence that begins with the part's name. The caller, who
 * knows the sheet and the file, makes a StopError of it.
 */
export class DamagedPart extends Error {
  readonly text: Bilingual;
  /** What to do about it, where saving it again is not the way. */
  readonly next: Bilingual | undefined;

  constructor(text: Bilingual, options: { cause?: unknown; next?: Bilingual } = {}) {
    super(text.en, options);
    this.name = 'DamagedPart';
    this.text = text;
    this.next = options.next;
  }
}
