/** Ids of built-in formats (ECMA-376 part 1, 18.8.30). */
export const BUILT_IN_IDS: Readonly<Record<string, number>> = { General: 0, '0': 1, '@': 49 };

/** The format of texts: programs then make no number or date of one. */
export const TEXT_FORMAT = '@';

/** The first id for formats that a file defines itself. */
export const FIRST_OWN_FORMAT = 164;

/** What a number format shows: a plain number, a day, a day with a time, or a time of day. */
type NumberKind = 'number' | 'date' | 'datetime' | 'time';

/**
 * Codes of the built-in formats, which files don't define (ECMA-376 part 1, 18.8.30). Where that has a dollar
 * sign, every program shows the currency of its own country.
 */
const BUILT_IN_CODES: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '€#,##0_);(€#,##0)',
  6: '€#,##0_);[Red](€#,##0)',
  7: '€#,##0.00_);(€#,##0.00)',
  8: '€#,##0.00_);[Red](€#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_(€* #,##0_);_(€* (#,##0);_(€* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_(€* #,##0.00_);_(€* (#,##0.00);_(€* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** The code of a built-in format, undefined for others; 27-36 and 50-58 are dates of a locale. */
export function builtInFormat(id: number): string | undefined {
  if (id === 32 || id === 33) return 'h:mm:ss';
  const dateOfSomeLocale = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return dateOfSomeLocale ? 'yyyy-mm-dd' : BUILT_IN_CODES[id];
}

/** What a format code shows. An elapsed time (`[h]:mm`) is a plain number. */
export function numberKind(code: string): NumberKind {
  const bare = code
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    .replace(/general/gi, '');
  if (/\[(h+|m+|s+)\]/i.test(bare)) return 'number';
  const letters = bare.replace(/\[[^\]]*\]?/g, '').toLowerCase();
  if (!/[ymdhs]/.test(letters)) return 'number';
  // An m beside an h or an s is minutes, else months.
  const days = letters.replace(/h+[^a-z]*m+|m+[^a-z]*s+|am\/pm|a\/p/g, 'h');
  if (!/[ymd]/.test(days)) return 'time';
  return /[hs]/.test(days) ? 'datetime' : 'date';
}

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
