import type { AnswerRecord } from '../../schema/answer.ts';
import type { Member, Members } from '../../schema/members.ts';

/** Is told of a nested record that is none: by its path, `demand.planning`, and by the record that it is somewhere in. */
type Misshapen = (path: string, whole: AnswerRecord) => void;

/**
 * Makes of a record one without the nested records that are none: a text where an object should be, and the like, of which cells can't
 * say anything.
 */
export function readableRecords(
  members: Members,
  misshapen: Misshapen,
): (record: AnswerRecord, whole?: AnswerRecord) => AnswerRecord {
  const reads = Object.entries(members).flatMap(([name, member]) =>
    typeof member === 'string' ? [] : [[name, nestedReader(name, member, misshapen)] as const],
  );
  return (record, whole = record) => {
    let readable = record;
    for (const [name, read] of reads) {
      const value = record[name];
      if (value === null || value === undefined) continue;
      const kept = read(value, whole);
      if (kept !== value) readable = { ...readable, [name]: kept };
    }
    return readable;
  };
}

/** What reads one nested member of a record: as it is, or null. */
function nestedReader(
  name: string,
  member: Exclude<Member, string>,
  misshapen: Misshapen,
): (value: unknown, whole: AnswerRecord) => unknown {
  const inside =
    'one' in member
      ? readableRecords(member.one, (path, whole) => misshapen(`${name}.${path}`, whole))
      : (inner: AnswerRecord) => inner;
  return (value, whole) => {
    if (isRecord(value)) return inside(value, whole);
    if ('many' in member && Array.isArray(value) && value.every(isRecord)) return value;
    misshapen(name, whole);
    return null;
  };
}

const isRecord = (value: unknown): value is AnswerRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
