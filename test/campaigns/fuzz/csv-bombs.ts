const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n612001;Soep;1;veel\n';
const BYTES = 5_000_000;

const filledWith = (text: string): string => text.repeat(Math.floor((BYTES - HEADER.length) / text.length));

/** CSV files of 5 MB that hold far more of something than any real one. */
export const CSV_BOMBS: Readonly<Record<string, () => string | Buffer>> = {
  'a row of a million columns': () => `${HEADER}${filledWith('a;')}\n`,
  'a header of a million columns': () => `${filledWith('a;')}\n1;2\n`,
  'a million rows of bad cells': () => HEADER + filledWith('x;;y;z\n'),
  'a million empty rows': () => HEADER + filledWith('\n'),
  'a quoted field of 5 MB that never ends': () => `${HEADER}612002;"${filledWith('tekst\n')}`,
  'a field of 5 MB': () => `${HEADER}612002;${filledWith('x')};1;2\n`,
  'nothing but quotes': () => filledWith('"'),
  'a quote in every row': () => HEADER + filledWith('1;"\n'),
  'nothing but NULs': () => Buffer.alloc(BYTES),
  'NULs in UTF-16': () => Buffer.from(`\ufeff${HEADER}${'\0'.repeat(BYTES / 2 - 200)}`, 'utf16le'),
  'bytes that are no UTF-8': () =>
    Buffer.concat([Buffer.from(HEADER), Buffer.alloc(BYTES - HEADER.length, 0xff)]),
  'rows that repeat one another': () => HEADER + filledWith('612002;Soep;1;3\n'),
};
