import { textCodec } from '../../core/codecs/text.ts';
import type { Issue } from '../../core/issue.ts';
import type { BaseRecord } from '../../files/base-sheet.ts';
import { sameValue } from '../../kinds/catalogue/existing.ts';
import type { Resource } from '../../schema/resource.ts';
import type { MappedRow } from '../map/map-row.ts';

/**
 * The row without what is wrong with cells that hold what the record held when the workbook was written: nobody changed
 * them, so nothing of them is sent. A service may hold what its own fields don't take, such as a price "on request".
 */
export function withoutUntouched<R extends Resource>(
  row: MappedRow<R>,
  was: Pick<BaseRecord, 'values'>,
): MappedRow<R> {
  const issues = row.issues.filter((issue) => !isUntouched(issue, row, was));
  return issues.length === row.issues.length ? row : { ...row, issues };
}

/** A key says which record is meant, and of two columns one may be changed: what is wrong with those always counts. */
function isUntouched<R extends Resource>(
  { field, found, code }: Issue,
  { values, mapping }: MappedRow<R>,
  was: Pick<BaseRecord, 'values'>,
): boolean {
  if (field === null || mapping.resource.keys.includes(field) || code === 'header-twice') return false;
  const base = was.values[field];
  if (base === undefined || base === null) return false;
  const mine = values[field];
  // As text is compared everywhere: without outer blanks and what can't be seen, whatever its line ends.
  return mine === undefined ? textCodec.read(base) === textCodec.read(found) : sameValue(base, mine);
}
