import type { Value, Values } from '../core/value.ts';

/** Reads a table of members in the interface's order: `Name=JSON` where the default is not null. */
export function membersOf(table: string): Values {
  const members = table
    .trim()
    .split(/\s+/)
    .map((member) => member.split('='));
  return Object.fromEntries(members.map(([name, value = 'null']) => [name, JSON.parse(value)]));
}

/** The members with the values given in place of their defaults; null is none. */
export function filledIn(members: Values, values: Values): Record<string, Value> {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return { ...members, ...Object.fromEntries(given) };
}

const asText = (value: number): string =>
  Number.isInteger(value) || Math.round(value * 100) !== value * 100 ? String(value) : value.toFixed(2);

function mix(value: unknown, turn: number): unknown {
  if (value === null) return turn < 2 ? '' : null;
  if (typeof value === 'number') return turn < 2 ? asText(value) : value;
  if (typeof value === 'boolean')
    return turn === 0 ? String(Number(value)) : turn === 1 ? Number(value) : value;
  return value;
}

/**
 * The record in the types in which lists answer: some numbers as text, some flags as "0", "1", 0 or 1, some
 * nulls as empty text. Which ones depends on the field's name and the id alone, so an answer is the same each
 * time.
 */
export function mixTypes(record: Readonly<Record<string, unknown>>, id: number): Record<string, unknown> {
  const mixed: Record<string, unknown> = {};
  for (const name in record) mixed[name] = mix(record[name], (name.length + name.charCodeAt(0) + id) % 5);
  return mixed;
}
