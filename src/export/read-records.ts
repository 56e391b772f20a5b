import { listerOf } from '../kinds/kinds.ts';
import type { ExportedRecord, ExportedResource } from '../records/listing.ts';
import type { AnswerRecord, Member, Members } from '../schema/answer.ts';
import type { CellLosses } from './record-rows.ts';

/** Is told of a malformed nested record: its path, such as `demand.planning`, and the whole record. */
type Misshapen = (path: string, whole: AnswerRecord) => void;

/** Leaves out malformed nested records, such as a text in place of an object: no cell can hold them. */
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

/** Reads one nested member: as it is, or null where it is malformed. */
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

/** A listed record. */
export interface ReadRecord {
  readonly record: AnswerRecord;
  /** As an import knows it; null where an import would not find it, and it has no row. */
  readonly known: ExportedRecord | null;
}

/** A record to write: `record` is without its malformed nested records. */
export interface WrittenRecord extends ReadRecord {
  /** As it came, for NDJSON. */
  readonly whole: AnswerRecord;
}

/** Reads listed records, and prepares those to write; malformed nested records are counted as losses. */
export function recordReader(
  resource: ExportedResource,
  losses: CellLosses,
): { read(record: AnswerRecord): ReadRecord; readable(read: ReadRecord): WrittenRecord } {
  const lister = listerOf(resource);
  const readable = readableRecords(resource.listed, (path, record) =>
    losses.misshape(path, 'id' in resource ? `${resource.id} ${record[resource.id]}` : ''),
  );
  return {
    read: (record) => ({ record, known: lister.read(resource, record) }),
    readable: ({ record, known }) => ({ record: readable(record), whole: record, known }),
  };
}
