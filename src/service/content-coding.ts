import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const INFLATE: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The code of an answer past the size limit. */
export const TOO_LARGE = 'ANSWER_TOO_LARGE';
/** The code of an answer that says it is compressed but cannot be opened. */
const BROKEN = 'CONTENT_CODING';

/**
 * The bytes of an answer that was compressed on the way; never asked for, some gateways do it anyway.
 * Or the code of what is wrong with them.
 */
export function inflated(bytes: Buffer, coding: unknown, maxOutputLength: number): Buffer | string {
  const inflate =
    INFLATE[
      String(coding ?? '')
        .trim()
        .toLowerCase()
    ];
  if (inflate === undefined) return bytes;
  try {
    return inflate(bytes, { maxOutputLength });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : BROKEN;
  }
}
