import type { ZipRecord } from './read-zip.ts';

const UNIX_FILE = 0o100644 * 2 ** 16;

/** What a zip says of each of its files beside its bytes; its clock is that of UTC, so that no time zone of the machine shows. */
export function zipRecord(made: Date): Omit<ZipRecord, 'nameRaw'> {
  const day = ((made.getUTCFullYear() - 1980) << 9) | ((made.getUTCMonth() + 1) << 5) | made.getUTCDate();
  const time = (made.getUTCHours() << 11) | (made.getUTCMinutes() << 5) | (made.getUTCSeconds() >> 1);
  return { madeBy: (3 << 8) | 20, flags: 1 << 11, time, date: day, internal: 0, external: UNIX_FILE };
}
