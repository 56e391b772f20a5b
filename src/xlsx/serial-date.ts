import type { NumberKind } from './number-formats.ts';

const DAY = 86_400_000;
/** 9999-12-31, the last day of Excel, in the 1900 system. */
const LAST_SERIAL = 2_958_465;
/** Days between the systems of 1900 and 1904. */
const SHIFT_1904 = 1462;

/**
 * A date serial as `YYYY-MM-DD`, `YYYY-MM-DD hh:mm:ss[.SSS]`, or `hh:mm:ss` for a bare time. Undefined when
 * negative, after 9999, or before day 1 in a format without time. Serial 60 of 1900 is `1900-02-29`, a day
 * only Excel has.
 */
export function serialToText(serial: number, kind: NumberKind, date1904: boolean): string | undefined {
  const milliseconds = Math.round(serial * DAY);
  let day = Math.floor(milliseconds / DAY);
  const time = milliseconds - day * DAY;
  if (serial >= 0 && serial < 1 && (kind === 'time' || (kind === 'datetime' && !date1904)))
    return timeText(time);
  if (date1904) day += SHIFT_1904;
  if (serial < 0 || day < 1 || day > LAST_SERIAL) return undefined;
  return time === 0 ? dayText(day) : `${dayText(day)} ${timeText(time)}`;
}

const texts = new Map<number, string>();

/** Kept, as a sheet holds few different days, and making the text is the slow part. */
function dayText(day: number): string {
  let text = texts.get(day);
  if (text === undefined) {
    if (texts.size >= 20_000) texts.clear();
    text = makeDayText(day);
    texts.set(day, text);
  }
  return text;
}

function makeDayText(day: number): string {
  if (day === 60) return '1900-02-29';
  // Serials before 1900-02-29 are one day closer to 1970.
  const sinceEpoch = day - (day < 60 ? 25_568 : 25_569);
  return new Date(sinceEpoch * DAY).toISOString().slice(0, 10);
}

function timeText(time: number): string {
  const thousandths = time % 1000;
  const seconds = (time - thousandths) / 1000;
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return thousandths === 0 ? text : `${text}.${String(thousandths).padStart(3, '0')}`;
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

const ISO =
  /^(\d{4}-\d\d-\d\d)?(?:(?:^|[T ])T?(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** An ISO 8601 date or time (`t="d"`) as wall-clock text, its offset in `zone`; undefined for other text. */
export function isoToText(text: string): { readonly value: string; readonly zone?: string } | undefined {
  const parts = ISO.exec(text.trim());
  if (parts === null || (parts[1] === undefined && parts[2] === undefined)) return undefined;
  const [, day, minutes, seconds = '00', fraction = '', zone] = parts;
  const thousandths = fraction.slice(0, 3).padEnd(3, '0');
  const time =
    minutes === undefined
      ? undefined
      : `${minutes}:${seconds}${thousandths === '000' ? '' : `.${thousandths}`}`;
  const value = [day, time === '00:00:00' && day !== undefined ? undefined : time].filter(Boolean).join(' ');
  return zone === undefined ? { value } : { value, zone };
}

/** The 1900 serial of wall-clock text as `serialToText` writes it; undefined for days before 1900. */
export function textToSerial(text: string): number | undefined {
  const parts = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^| )(\d\d):(\d\d):(\d\d(?:\.\d+)?))?$/.exec(text);
  if (parts === null || text === '') return undefined;
  const [, year, month, date, hours = '0', minutes = '0', seconds = '0'] = parts;
  const time = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  if (year === undefined) return time;
  if (text.startsWith('1900-02-29')) return 60 + time;
  const day = Date.UTC(Number(year), Number(month) - 1, Number(date)) / DAY + 25_569;
  const serial = day > 60 ? day : day - 1;
  return serial < 1 ? undefined : serial + time;
}
