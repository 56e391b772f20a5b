import type { Value } from '../core/value.ts';
import type { BaseRecord } from '../files/base-sheet.ts';
import type { Base } from '../import/baseline/open-base.ts';
import type { SameField } from '../import/baseline/three-way.ts';
import type { MappedRow } from '../import/map/map-row.ts';
import { recordCopied, recordTwice } from '../import/map/record-twice.ts';
import { sameValue } from './catalogue/existing.ts';
import type { EarlierRows } from './earlier-rows.ts';
import type { PlannerSetup } from './kind.ts';

/** What telling of two rows on one record takes. */
interface Around extends Pick<PlannerSetup, 'base' | 'rules'> {
  readonly earlier: EarlierRows;
  /** All rows on the record, this one too, as far as they were read. */
  readonly beside?: readonly MappedRow[] | undefined;
  readonly same?: SameField;
}

/**
 * Says of a row that another names the same record; `field` is the key by which it does. Several rows on one record may be meant
 * so, and are a warning. In a workbook that says what its records were, one that was changed beside one that says something else is
 * a copied row, meant for a new record: it would overwrite another one, and is an error.
 */
export async function noteTwice(
  row: MappedRow,
  field: string,
  key: string | null,
  { base, rules, earlier, beside = [], same = ALIKE }: Around,
): Promise<void> {
  if (key === null || !(beside.length > 1 || earlier.maybe(key)) || row.action === 'skip') return;
  const { resource } = row.mapping;
  const was = base.find(resource.name, key);
  if (was !== undefined && differs(row, was.values, same)) {
    const other = beside.find(
      (one) => one !== row && one.action !== 'skip' && differs(row, one.values, same),
    );
    if (other !== undefined) {
      row.issues.push(recordCopied(row, field, { sheet: other.mapping.sheet, row: other.row }));
      return;
    }
  }
  const twice = await earlier.named(key);
  if (twice === undefined) return;
  const copied =
    was !== undefined && differs(row, was.values, same) && differs(row, saidBy(twice, was), same);
  if (copied) row.issues.push(recordCopied(row, field, twice));
  else if (twice.action !== 'invalid') row.issues.push(recordTwice(row, field, twice, rules.strict));
}

const ALIKE: SameField = (_, one, other) => sameValue(one, other);

/** Whether a row says of its record something else than these values do. */
function differs(row: MappedRow, others: Readonly<Record<string, Value>>, same: SameField): boolean {
  const { resource } = row.mapping;
  const { keys, fields } = resource;
  const external = 'external' in resource ? resource.external : null;
  return Object.entries(row.values).some(([field, value]) => {
    const other = others[field];
    const sent = field === external || (!keys.includes(field) && fields[field]?.update !== 'none');
    return sent && other !== undefined && !same(field, other, value);
  });
}

/** What an earlier row said, as far as its plan tells: what the workbook was written with, and what it changes. */
function saidBy({ changes }: Awaited<ReturnType<EarlierRows['named']>> & object, was: BaseRecord) {
  return { ...was.values, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) };
}

/** Rows by the record that they name, of records that more than one names; nothing of a workbook that does not say what its records were. */
export function besideOf<R extends MappedRow>(
  { at }: Base,
  rows: readonly R[],
  keyOf: (row: R, at: number) => string | null,
): ReadonlyMap<string | null, readonly R[]> {
  const found = new Map<string | null, R[]>();
  if (at === '') return found;
  const first = new Map<string, R>();
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as R;
    const key = keyOf(row, place);
    if (key === null) continue;
    const other = first.get(key);
    if (other === undefined) first.set(key, row);
    else found.set(key, [...(found.get(key) ?? [other]), row]);
  }
  return found;
}
