import { type Codec, cellText, decoded } from '../codec.ts';
import { datetimeCodec } from './datetime.ts';

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,3})?)?$/;

/** Whether a value is a time alone, `hh:mm:ss`, that still lacks its day. */
export function isTimeOfDay(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

/**
 * A datetime whose cell may hold a time alone: that stays `hh:mm:ss`, which is never sent, until the row's day is put
 * before it.
 */
export const timeOfDayCodec: Codec<string> = {
  ...datetimeCodec,
  decode(cell, locale) {
    const match = cell.type === 'date' || cell.type === 'text' ? TIME.exec(cellText(cell).trim()) : null;
    if (match === null) return datetimeCodec.decode(cell, locale);
    const [hours = '', minutes = '', seconds = '00'] = match.slice(1);
    return decoded(`${hours.padStart(2, '0')}:${minutes}:${seconds}`);
  },
};
