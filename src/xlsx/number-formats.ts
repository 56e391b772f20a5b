/** Ids of built-in formats (ECMA-376 part 1, 18.8.30). */
export const BUILT_IN_IDS: Readonly<Record<string, number>> = { General: 0, '0': 1, '@': 49 };

/** The format of texts: programs then make no number or date of one. */
export const TEXT_FORMAT = '@';

/** The first id for formats that a file defines itself. */
export const FIRST_OWN_FORMAT = 164;

/** What a number format shows: a plain number, a day, a day with a time, or a time of day. */
export type NumberKind = 'number' | 'date' | 'datetime' | 'time';

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
