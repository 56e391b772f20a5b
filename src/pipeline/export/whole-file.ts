import { basename } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import { orStop } from '../or-stop.ts';

/** Does all of the work, or says what became of the file (null for stdout). Throws StopError. */
export async function whole<T>(context: Context, file: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await orStop(context, work, file === null ? CUT_SHORT : unwritten(file));
  } catch (cause) {
    if (context.signal?.aborted !== true) throw cause;
    throw new StopError(EXIT.interrupted, interrupted(file), { cause });
  }
}

const CUT_SHORT: Bilingual = {
  en: 'What was written so far is not all of it.',
  nl: 'Wat er tot nu toe geschreven is, is niet alles.',
};

const unwritten = (file: string): Bilingual => ({
  en: `Nothing was written to ${basename(file)}; if it was there, it is as it was.`,
  nl: `Er is niets geschreven naar ${basename(file)}; stond het er al, dan is het zoals het was.`,
});

const interrupted = (file: string | null): Bilingual =>
  file === null
    ? {
        en: 'Interrupted: what was written so far is not all of it.',
        nl: 'Onderbroken: wat er tot nu toe geschreven is, is niet alles.',
      }
    : {
        en: `Interrupted: nothing was written to ${file}.`,
        nl: `Onderbroken: er is niets geschreven naar ${file}.`,
      };
