import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { writeFailureReason } from '../../files/write-failure.ts';

/** Bytes of a file that is brought: a workbook of a million rows by twenty columns has a tenth of it. */
const MOST_BYTES = 2 * 2 ** 30;

/**
 * Writes a body to a file for its owner alone, as it comes. Throws StopError for one that is too large or
 * empty.
 */
export async function receiveFile(
  body: globalThis.ReadableStream | null,
  path: string,
  most = MOST_BYTES,
): Promise<void> {
  let bytes = 0;
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(
        bytes > most
          ? new StopError(EXIT.file, t('The file is larger than 2 GB.', 'Het bestand is groter dan 2 GB.'), {
              next: t('Import it in parts.', 'Importeer het in delen.'),
            })
          : null,
        part,
      );
    },
  });
  if (body === null) throw EMPTY();
  try {
    const source = body as ReadableStream<Uint8Array>;
    await pipeline(source, counted, createWriteStream(path, { mode: PRIVATE, flags: 'wx' }));
  } catch (cause) {
    if (cause instanceof StopError) throw cause;
    const reason = writeFailureReason(cause);
    throw new StopError(
      EXIT.usage,
      reason === undefined
        ? t('The file did not come through whole.', 'Het bestand kwam niet heel over.')
        : t(`The file can't be kept: ${reason.en}.`, `Het bestand kan niet bewaard worden: ${reason.nl}.`),
      { next: t('Bring it once more.', 'Breng het nog eens.'), cause },
    );
  }
  if (bytes === 0) throw EMPTY();
}

const EMPTY = (): StopError =>
  new StopError(EXIT.file, t('The file is empty.', 'Het bestand is leeg.'), {
    next: t('Choose the workbook or CSV itself.', 'Kies de werkmap of CSV zelf.'),
  });
