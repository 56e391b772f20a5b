import type { AnswerRecord } from '../../schema/answer.ts';
import type { CellLosses } from './cell-losses.ts';
import type { ExportedRecord, ExportedResource } from './lists/exporter.ts';
import { exporterOf } from './lists/exporters.ts';
import { readableRecords } from './readable-record.ts';

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
  const exporter = exporterOf(resource);
  const readable = readableRecords(resource.listed, (path, record) =>
    losses.misshape(path, 'id' in resource ? `${resource.id} ${record[resource.id]}` : ''),
  );
  return {
    read: (record) => ({ record, known: exporter.read(resource, record) }),
    readable: ({ record, known }) => ({ record: readable(record), whole: record, known }),
  };
}
