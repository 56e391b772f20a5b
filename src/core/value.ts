/** A field's value as plain data: decoded from a cell, read from an answer, or about to be sent. Datetimes are wall-clock text. */
export type Value = string | number | boolean | null;

/** Field name → value; a field that is absent is left alone, `null` clears it. */
export type Values = Readonly<Record<string, Value>>;

/** How numbers and dates in text are written. */
export type Locale = 'nl' | 'en';
