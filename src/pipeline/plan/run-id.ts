import { randomBytes } from 'node:crypto';

/** What a run's name looks like. */
export const RUN_ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

/** A run's name: sorts by time, short enough to type, such as `20270331-074512-k3vq`. */
export function newRunId(now: Date): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`;
  const time = `${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}`;
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const tail = [...randomBytes(4)].map((byte) => letters[byte % letters.length]).join('');
  return `${day}-${time}-${tail}`;
}
