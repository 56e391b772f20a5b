import type { AnswerRecord } from '../../schema/answer.ts';
import type { CellLosses } from './cell-losses.ts';
import type { ExportedRecord, ExportedResource } from './lists/exporter.ts';
import { exporterOf } from './lists/exporters.ts';
import { readableRecords } from './readable-record.ts';

/** A record of a list, read once for all that is done with it. */
export interface ReadRecord {
  /** As it came: lines of JSON can say what cells can't. */
  readonly whole: AnswerRecord;
  /** What cells can say of it. */
  readonly record: AnswerRecord;
  /** As an import knows it; null where it would not find it: no row is made of it. */
  readonly known: ExportedRecord | null;
}

/** Makes the reader of a resource's records; what can't be read is counted with the losses. */
export function recordReader(
  resource: ExportedResource,
  losses: CellLosses,
): (whole: AnswerRecord) => ReadRecord {
  const exporter = exporterOf(resource);
  const readable = readableRecords(resource.listed, (path, record) =>
    losses.misshape(path, 'id' in resource ? `${resource.id} ${record[resource.id]}` : ''),
  );
  return (whole) => {
    const record = readable(whole);
    return { whole, record, known: exporter.read(resource, record) };
  };
}
