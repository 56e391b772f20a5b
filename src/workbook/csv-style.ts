import type { CsvEncoding } from './csv-encoding.ts';

/** Which fields stand between quotes that need none: those of a number, of another text, and empty ones. */
export interface CsvQuoting {
  readonly numbers: boolean;
  readonly texts: boolean;
  readonly empty: boolean;
}

/** How a CSV is written: as the one that was read. */
export interface CsvStyle {
  readonly delimiter: string;
  readonly encoding: CsvEncoding;
  readonly quoting: CsvQuoting;
  /** Whether its first line names the separator, `sep=;`. */
  readonly named: boolean;
}

/** Of a CSV that was none before. */
export const PLAIN_STYLE: CsvStyle = {
  ...{ delimiter: ';', encoding: 'utf-8', named: false },
  quoting: { numbers: false, texts: false, empty: false },
};

const NUMBER = /^-?[\d.,]+$/;

/** Which fields a CSV quotes, by fields as they stand there. */
export function quotingOf(records: readonly (readonly string[])[]): CsvQuoting {
  const seen = { numbers: 0, texts: 0, empty: 0 };
  const quoted = { numbers: 0, texts: 0, empty: 0 };
  for (const raw of records.flat()) {
    const [, inside] = /^\s*"(.*)"\s*$/s.exec(raw) ?? [];
    const kind = kindOf(inside ?? raw.trim());
    seen[kind]++;
    if (inside !== undefined) quoted[kind]++;
  }
  const all = (kind: keyof CsvQuoting): boolean => seen[kind] > 0 && quoted[kind] === seen[kind];
  return { numbers: all('numbers'), texts: all('texts'), empty: all('empty') };
}

/** Whether a field stands between quotes. */
export function isQuoted(field: string, quoting: CsvQuoting): boolean {
  return quoting[kindOf(field)];
}

function kindOf(field: string): keyof CsvQuoting {
  if (field === '') return 'empty';
  return NUMBER.test(field) ? 'numbers' : 'texts';
}
