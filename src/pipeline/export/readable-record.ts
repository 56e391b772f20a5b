import type { AnswerRecord } from '../../schema/answer.ts';
import type { Members } from '../../schema/members.ts';

/**
 * A record without the nested records that are none: a text where an object should be, and the like, of which cells can't say anything.
 * Each is told by its path, `demand.planning`.
 */
export function readableRecord(
  record: AnswerRecord,
  members: Members,
  misshapen: (path: string) => void,
): AnswerRecord {
  let readable = record;
  for (const [name, member] of Object.entries(members)) {
    const value = record[name];
    if (typeof member === 'string' || value === null || value === undefined) continue;
    const fits = isRecord(value) || ('many' in member && Array.isArray(value) && value.every(isRecord));
    if (!fits) misshapen(name);
    const inside = (inner: unknown): unknown =>
      'one' in member && isRecord(inner)
        ? readableRecord(inner, member.one, (path) => misshapen(`${name}.${path}`))
        : inner;
    const kept = fits ? inside(value) : null;
    if (kept !== value) readable = { ...readable, [name]: kept };
  }
  return readable;
}

const isRecord = (value: unknown): value is AnswerRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
