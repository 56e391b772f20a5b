/** The cells of lines as they are typed, between semicolons: numbers as numbers, and null for nothing. */
export const cellsOf = (lines: readonly string[]): (string | number | null)[][] =>
  lines.map((line) =>
    line.split(';').map((text) => {
      if (text === '') return null;
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    }),
  );
