import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isHeldHere } from './held-files.ts';
import { decodeText } from './text-encoding.ts';

/** Characters that no file of settings, token or map of headers needs. */
const MOST_BYTES = 4 * 2 ** 20;
/** How long a pipe may keep its text to itself, ms. */
const LONGEST_WAIT = 5000;
const PAUSE = 20;

const failed = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Reads a file that the user names and that is small, whatever it is: a device that never ends is read no
 * further than `most` bytes, and a pipe that nobody writes to is not waited for. Throws an error with `code`:
 * that of the disk, EFBIG or ETIMEDOUT.
 */
export function readSmallText(file: string, most = MOST_BYTES): string {
  if (isHeldHere(file)) throw failed('EBUSY');
  // Opening a pipe would wait for its other end.
  const from = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  try {
    const stats = fstatSync(from);
    if (stats.isDirectory()) throw failed('EISDIR');
    if (stats.isFile() && stats.size > most) throw failed('EFBIG');
    return decodeText(readWhole(from, most));
  } finally {
    closeSync(from);
  }
}

function readWhole(from: number, most: number): Buffer {
  const until = performance.now() + LONGEST_WAIT;
  const chunks: Buffer[] = [];
  let length = 0;
  while (true) {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const read = readSome(from, chunk);
    if (read === 0) return Buffer.concat(chunks);
    if (read > 0) chunks.push(chunk.subarray(0, read));
    length += Math.max(read, 0);
    if (length > most) throw failed('EFBIG');
    if (performance.now() > until) throw failed('ETIMEDOUT');
    if (read < 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
}

/** How much was read: 0 at the end, -1 where there is nothing yet. */
function readSome(from: number, into: Buffer): number {
  try {
    return readSync(from, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    throw error;
  }
}
