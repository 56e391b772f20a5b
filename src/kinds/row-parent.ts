import type { IssueCode } from '../core/issue-catalogue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { RecordReference, RowDependency } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { type MappedRow, rowPlaceText } from '../records/mapped-row.ts';
import { type RowDecision, refuseField } from '../records/planning.ts';
import { keysFor, type References, referenceColumn } from '../records/references.ts';
import { askedOnce } from '../records/shared-reading.ts';
import type { Resource } from '../schema/resource.ts';

/** What a row says of the record that it belongs to. */
export type RowParent =
  | { readonly id: number; readonly article?: Value | undefined }
  /** An earlier row creates it. */
  | { readonly reference: RecordReference; readonly need: RowDependency; readonly external: number }
  | RowProblem;

/** Why there is none, on a field of the row. */
interface RowProblem {
  readonly field: string;
  readonly code: IssueCode;
  readonly hint: string | Bilingual;
}

/** Finds the records that rows name in `field`, or by an ExternalID that is looked for once, about their `day`. */
export function createParents(
  { fields }: Resource,
  { field, day }: { readonly field: string; readonly day: string },
  references: References,
): (row: MappedRow) => Promise<RowParent> {
  const column = referenceColumn({ fields }, field);
  if (column === null) throw new TypeError(`no column names ${field} by an ExternalID`);
  const { name, refers } = column;
  const keys = keysFor({ fields }, field);
  const find = askedOnce((external: number, on?: string) => references.find(refers, external, on));
  return async ({ values, mapping: { columnOf } }) => {
    const [id, external, moment] = [values[field], values[name], values[day]];
    const refuse = (code: IssueCode, hint: RowProblem['hint'], on = name) => ({ field: on, code, hint });
    const on = typeof moment === 'string' ? moment.slice(0, 10) : undefined;
    const found = typeof external === 'number' ? await find(external, on) : null;
    if (typeof id === 'number') {
      const other = otherThan(id, found, field);
      return other === null ? { id } : refuse('keys-differ', other);
    }
    if (typeof external !== 'number')
      return refuse('key-missing', keys.join(' / '), keys.findLast((key) => columnOf.has(key)) ?? field);
    if (found === null) return refuse('record-missing', refers.sheets);
    if ('several' in found) return refuse('reference-ambiguous', found.several.join(', '));
    if ('blocked' in found) return refuse('parent-not-sent', rowPlaceText(found.blocked));
    return 'id' in found ? { id: found.id } : { ...found, external };
  };
}

/** What an ExternalID says against the id beside it; an unknown one nothing: not every service keeps them. */
function otherThan(
  id: number,
  found: Awaited<ReturnType<References['find']>>,
  field: string,
): Bilingual | null {
  if (found === null || 'blocked' in found || 'several' in found) return null;
  if ('reference' in found) return t('another row makes it', 'een andere rij maakt het');
  const is = `${field} ${found.id}`;
  return found.id === id ? null : t(`it is ${is}, not ${id}`, `het is ${is}, niet ${id}`);
}

/** Puts an issue on a row that it belongs to nothing. */
export const refuseParent = (row: MappedRow, { field, code, hint }: RowProblem): RowDecision =>
  refuseField(row, field, code, hint);
