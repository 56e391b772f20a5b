const WALL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{3}))?)?$/;

/** Wall-clock text as milliseconds, without a time zone. */
const wallMilliseconds = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** Milliseconds as wall-clock text, `YYYY-MM-DD hh:mm:ss.SSS`. */
export const wallText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');

/** A moment of a request as LMT is stored, `YYYY-MM-DD hh:mm:ss.SSS`, so that text compares as time. */
export function wallTime(text: string): string {
  const [, day, minutes, seconds = '00', milliseconds = '000'] = WALL_TIME.exec(text) ?? [];
  return day === undefined ? text : `${day} ${minutes}:${seconds}.${milliseconds}`;
}

/** The local wall clock as `YYYY-MM-DD hh:mm:ss.SSS`. */
export function localNow(): string {
  const now = Date.now();
  return wallText(now - new Date(now).getTimezoneOffset() * 60_000);
}

/** Gives each write its LMT: the local time, but always later than the one before. */
export function createClock(last: string | undefined): () => string {
  let previous = last === undefined ? 0 : wallMilliseconds(last);
  return () => {
    previous = Math.max(wallMilliseconds(localNow()), previous + 1);
    return wallText(previous);
  };
}
