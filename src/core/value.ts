/**
 * A field's value as plain data, whether from a cell, from an answer or to send; datetimes are wall-clock
 * text.
 */
export type Value = string | number | boolean | null;

/** Field name → value; a field that is absent is left alone, `null` clears it. */
export type Values = Readonly<Record<string, Value>>;

/** How numbers and dates in text are written. */
export type Locale = 'nl' | 'en';
