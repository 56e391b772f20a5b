import { fullDatetime } from './clock.ts';
import type { Field } from './schema.ts';
import type { Value, Values } from './types.ts';

/** What a body holds of the fields it may hold, and what is wrong with it by field. */
export interface Checked {
  readonly values: Values;
  readonly errors: Record<string, string[]>;
}

/** Reads a body field by field; other fields are left alone. */
export function check(fields: readonly Field[], body: unknown): Checked {
  const values: Values = {};
  const errors: Record<string, string[]> = {};
  const given: Record<string, unknown> = isObject(body) ? body : {};
  for (const field of fields) {
    const value = given[field.name];
    if (value === undefined || value === null || value === '') {
      if (field.required) errors[field.name] = [`The ${field.name} field is required.`];
      else if (value !== undefined) values[field.name] = field.type === 'text' ? value : null;
      continue;
    }
    const read = readValue(field, value);
    if (read === undefined) errors[field.name] = [`The ${field.name} must be of type ${field.type}.`];
    else values[field.name] = read;
  }
  return { values, errors };
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readValue(field: Field, value: unknown): Value | undefined {
  if (field.type === 'bool') return readBool(value);
  if (field.type === 'text') return typeof value === 'object' ? undefined : String(value);
  if (field.type === 'int' || field.type === 'float') return readNumber(value, field.type === 'int');
  if (typeof value !== 'string') return undefined;
  const full = fullDatetime(value);
  return field.type === 'date' ? full?.slice(0, 10) : full;
}

function readBool(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  return value === false || value === 0 || value === '0' || value === 'false' ? false : undefined;
}

function readNumber(value: unknown, isWhole: boolean): number | undefined {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (!isNumeric) return undefined;
  const number = Number(value);
  return Number.isFinite(number) && (!isWhole || Number.isSafeInteger(number)) ? number : undefined;
}
