const HEADER = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n612001;Soep;1;veel\n';
const BYTES = 5_000_000;

const filledWith = (text: string): string => text.repeat(Math.floor((BYTES - HEADER.length) / text.length));

/** CSV files of 5 MB that hold far more of something than any real one. */
export const CSV_BOMBS: Readonly<Record<string, () => string | Buffer>> = {
  'a row of a million columns': () => `${HEADER}${filledWith('a;')}\n`,
  'a header of a million columns': () => `${filledWith('a;')}\n1;2\n`,
  'a header of a million empty columns': () => `ExternalID${filledWith(';')}\n1;2\n`,
  'a million rows of a cell': () => HEADER + filledWith('12\n'),
  'a million rows of bad cells': () => HEADER + filledWith('x;;y;z\n'),
  'a million empty rows': () => HEADER + filledWith('\n'),
  'a million rows of nothing but separators': () => HEADER + filledWith(';;;\r\n'),
  'a quoted field of 5 MB': () => `${HEADER}612002;"${filledWith('lange tekst, ')}";1;2\n`,
  'a quoted field of 5 MB that never ends': () => `${HEADER}612002;"${filledWith('tekst\n')}`,
  'a field of 5 MB': () => `${HEADER}612002;${filledWith('x')};1;2\n`,
  'nothing but quotes': () => filledWith('"'),
  'nothing but quotes below a header': () => HEADER + filledWith('"'),
  'quotes and separators': () => HEADER + filledWith('";"'),
  'a quote in every row': () => HEADER + filledWith('1;"\n'),
  'nothing but line ends': () => filledWith('\r\n'),
  'nothing but returns': () => HEADER + filledWith('\r'),
  'line ends of every kind': () => HEADER + filledWith('\n\r\r\n'),
  'nothing but NULs': () => Buffer.alloc(BYTES),
  'NULs below a header': () => HEADER + filledWith('\0'),
  'NULs in UTF-16': () => Buffer.from(`\ufeff${HEADER}${'\0'.repeat(BYTES / 2 - 200)}`, 'utf16le'),
  'bytes that are no UTF-8': () =>
    Buffer.concat([Buffer.from(HEADER), Buffer.alloc(BYTES - HEADER.length, 0xff)]),
  'separators of every kind': () => HEADER + filledWith(';,\t|'),
  formulas: () => HEADER + filledWith('="1";=1+1;@x;-1\n'),
  'the headers again and again': () => HEADER + filledWith(HEADER),
  'rows that repeat one another': () => HEADER + filledWith('612002;Soep;1;3\n'),
  'numbers of 1,000 digits': () => HEADER + filledWith(`612002;Soep;1;${'9'.repeat(1000)}\n`),
  'a row that says it is of another separator': () => `sep=x\n${HEADER}${filledWith('x')}`,
};
