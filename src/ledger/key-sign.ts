import type { PlannedRow } from '../core/plan.ts';

/** Stands for a key that is made of the row's ExternalID, or of its id. */
const BY_EXTERNAL = 1;
const BY_ID = 2;

/** What a key is stored as: a number for one that the row's other members tell. */
export function signOf({ key, external, id }: PlannedRow): string | number | null {
  if (isMadeOf(key, 'external:', external)) return BY_EXTERNAL;
  return isMadeOf(key, 'id:', id) ? BY_ID : key;
}

/** The key that was stored as `sign`. */
export function keyOf(sign: unknown, external: unknown, id: unknown): string | null {
  if (sign === BY_EXTERNAL) return `external:${external}`;
  return sign === BY_ID ? `id:${id}` : (sign as string | null);
}

/** Looked at in pieces: to put them together for each of a million rows takes several times as long. */
function isMadeOf(key: string | null, prefix: string, number: number | null): boolean {
  if (key === null || number === null || !key.startsWith(prefix)) return false;
  const digits = String(number);
  return key.length === prefix.length + digits.length && key.endsWith(digits);
}
