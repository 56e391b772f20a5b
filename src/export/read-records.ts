import { listerOf } from '../kinds/kinds.ts';
import type { ExportedRecord, ExportedResource } from '../records/listing.ts';
import type { AnswerRecord, Member, Members } from '../schema/answer.ts';
import type { CellLosses } from './record-rows.ts';

/** Is told of a nested record that is none: by its path, `demand.planning`, and by the record that it is somewhere in. */
type Misshapen = (path: string, whole: AnswerRecord) => void;

/**
 * Makes of a record one without the nested records that are none: a text where an object should be, and the like, of which cells can't
 * say anything.
 */
function readableRecords(
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

/** A record of a list, read once for all that is done with it. */
export interface ReadRecord {
  readonly record: AnswerRecord;
  /** As an import knows it; null where it would not find it: no row is made of it. */
  readonly known: ExportedRecord | null;
}

/** One that is written. */
export interface WrittenRecord extends ReadRecord {
  /** What cells can say of it. */
  readonly record: AnswerRecord;
  /** As it came: lines of JSON can say what cells can't. */
  readonly whole: AnswerRecord;
}

/** What reads the records of a resource, and what makes readable those of them that are written: what can't be is counted with the losses. */
export function recordReader(
  resource: ExportedResource,
  losses: CellLosses,
): {
  read(record: AnswerRecord): ReadRecord;
  readable(read: ReadRecord): WrittenRecord;
} {
  const exporter = listerOf(resource);
  const readable = readableRecords(resource.listed, (path, record) =>
    losses.misshape(path, 'id' in resource ? `${resource.id} ${record[resource.id]}` : ''),
  );
  return {
    read: (record) => ({ record, known: exporter.read(resource, record) }),
    readable: ({ record, known }) => ({ record: readable(record), whole: record, known }),
  };
}
