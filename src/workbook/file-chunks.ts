import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError } from '../errors.ts';

const CHUNK = 1 << 18;

/** The bytes of a file in chunks of 256 KB. Throws StopError when it goes away meanwhile, and the signal's reason when that ends it. */
export async function* fileChunks(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK })) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (signal?.aborted || code === undefined || cause instanceof StopError) throw cause;
    const name = basename(file);
    throw new StopError(
      EXIT.file,
      {
        en: `The file ${name} can no longer be read (${code}).`,
        nl: `Het bestand ${name} kan niet meer worden gelezen (${code}).`,
      },
      {
        next: {
          en: 'Check that it is still there, and try again.',
          nl: 'Kijk of het er nog staat, en probeer het opnieuw.',
        },
        cause,
      },
    );
  }
}
