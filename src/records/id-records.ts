import { cellAddress } from '../core/cell.ts';
import { cellText } from '../core/codec.ts';
import { issueAt, shorten } from '../core/issue.ts';
import { t } from '../core/language.ts';
import { shareWord } from '../core/share-word.ts';
import type { Value, Values } from '../core/value.ts';
import type { NamedId, NamedRecords } from '../run/named-records.ts';
import type { Fields, NamedRecord } from '../schema/field.ts';
import { idNamedBy, isNameHeader, type Resource, recordBehind } from '../schema/resource.ts';
import { type ExistingRecord, numberIn } from './existing-record.ts';
import { issueOn, type MappedRow, type SheetColumns } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';

/** Fields whose ids name a record; `within`: the field of whose record it must be. */
const recordsOf = (fields: Fields): [field: string, of: NamedRecord, within: string | undefined][] =>
  Object.entries(fields).flatMap(([field, { record, within }]) =>
    record === undefined ? [] : [[field, record, within]],
  );

/** The value of an id; null for none, and for 0, which stands for none. */
const idIn = (value: unknown): number | null => (typeof value === 'number' && value !== 0 ? value : null);

const effective = ({ values }: MappedRow, existing: ExistingRecord | null, field: string) =>
  values[field] === undefined ? existing?.values[field] : values[field];

const changes = ({ values }: MappedRow, existing: ExistingRecord | null, field: string): boolean =>
  values[field] !== undefined && values[field] !== existing?.values[field];

/** A row with its record; `ids`: those that it names by other keys. */
interface RowWithIds {
  readonly row: MappedRow;
  readonly existing: ExistingRecord | null;
  readonly ids?: Values | undefined;
}

/**
 * Asks for the records of ids that rows would send or change, side by side; `sample`: a record of the service's
 * own, whose ids are there. `isUntouched` says of a cell that it is as it was exported.
 */
export async function askForIds<R extends Resource>(
  named: NamedRecords,
  rows: readonly { readonly row: MappedRow<R>; readonly existing: ExistingRecord | null }[],
  sample: ExistingRecord | undefined,
  isUntouched: (row: MappedRow<R>, field: string, existing: ExistingRecord | null) => boolean,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const fields = recordsOf(first.row.mapping.resource.fields).filter(([, { isSure }]) => isSure === true);
  const wanted = rows.flatMap(({ row, existing }) => {
    const isNew = (field: string): boolean =>
      changes(row, existing, field) && !isUntouched(row, field, existing);
    return fields.flatMap(([field, of, within = field]): NamedId[] => {
      const id = isNew(field) || isNew(within) ? idIn(effective(row, existing, field)) : null;
      return id === null ? [] : [[of, id]];
    });
  });
  await named.askAll(wanted);
  for (const [field, of] of fields) {
    const ids = wanted.flatMap(([one, id]) => (one === of ? [id] : []));
    await named.doubtNone(of, ids, idIn(sample?.values[field]) ?? undefined);
  }
}

/** Puts issues on ids without a record, and on contacts of others; `existing`: what the row changes. */
export function checkIds(
  named: NamedRecords,
  row: MappedRow,
  existing: ExistingRecord | null,
  strict: boolean,
): void {
  const { fields } = row.mapping.resource;
  const called = (of: NamedRecord, id: number): string =>
    [id, named.known(of, id).name].filter((part) => part !== null).join(' ');
  for (const [field, of, within] of recordsOf(fields)) {
    const id = idIn(effective(row, existing, field));
    if (id === null) continue;
    const { isThere, record } = named.known(of, id);
    const isNew = changes(row, existing, field);
    if (isNew && isThere === false && !named.failing.has(of))
      row.issues.push(issueOn(row, field, { code: 'id-without-record', found: String(id), hint: of.called }));
    const whole = fields[within ?? '']?.record;
    if (within === undefined || whole === undefined || record === null) continue;
    if (!isNew && !changes(row, existing, within)) continue;
    const [owner, told] = [idIn(effective(row, existing, within)), idIn(numberIn(record, whole.id))];
    if (owner === null || told === null || told === owner) continue;
    if (named.known(whole, owner).isThere === false) continue;
    // The interface does not say that it must: some events are in the hands of another relation's contact.
    const is = `${whole.id} ${called(whole, told)}`;
    const wants = `${within} ${called(whole, owner)}`;
    const hint = isNew
      ? t(
          `${called(of, id)} is of ${is}, not of ${wants}`,
          `${called(of, id)} is van ${is}, niet van ${wants}`,
        )
      : t(`${field} stays ${called(of, id)}, of ${is}`, `${field} blijft ${called(of, id)}, van ${is}`);
    const finding = { code: 'record-of-another', found: String(isNew ? id : owner), hint } as const;
    row.issues.push(issueOn(row, isNew ? field : within, finding, strict));
  }
}

/**
 * Warns of names in rows that have no word in common with the name of what they stand for: of their own record,
 * whose key may be another's, or of one that an id names, such as a customer.
 */
export async function holdSaidNames(
  named: NamedRecords,
  rows: readonly RowWithIds[],
  strict: boolean,
): Promise<void> {
  const said = rows.flatMap(({ row, existing, ids }) =>
    (row.action === 'skip' ? [] : (row.told ?? [])).flatMap(({ header, cell }): SaidName[] => {
      const { values, mapping } = row;
      const { resource } = mapping;
      const found = { row, header, cell };
      const name = resource.label === undefined ? null : existing?.values[resource.label];
      if (typeof name === 'string' && isNameHeader(resource, header))
        // The row may rename its record.
        return [{ ...found, names: [name, String(values[resource.label ?? ''] ?? '')], id: null }];
      const field = idNamedBy(resource, header);
      const of = field === undefined ? undefined : recordBehind(resource.fields[field]);
      // The name that a record holds itself is held against that.
      if (field === undefined || of === undefined || (header in resource.fields && existing !== null))
        return [];
      const id = idIn(ids?.[field] ?? effective(row, existing, field));
      return id === null ? [] : [{ ...found, names: [], id: [of, id], field }];
    }),
  );
  await named.askNames(said.flatMap(({ id }) => (id === null ? [] : [id])));
  for (const { row, header, cell, names, id, field } of said) {
    const all = id === null ? names : [named.known(...id).name];
    const [name] = all;
    const found = cellText(cell).trim();
    if (name == null || all.some((one) => one !== null && one !== '' && shareWord(found, one))) continue;
    const key = id === null ? t('the key', 'de sleutel') : t(`${field} ${id[1]}`, `${field} ${id[1]}`);
    const hint = t(
      `${key.en} is "${shorten(name)}": correct one of the two`,
      `${key.nl} is "${shorten(name)}": verbeter een van de twee`,
    );
    const place = { field: header, address: cellAddress(cell.column, row.row) };
    row.issues.push(issueAt({ code: 'record-of-another', found, hint }, place, strict));
  }
}

/** A cell with a name, and the names or the id that it is held against. */
interface SaidName extends Pick<NonNullable<MappedRow['told']>[number], 'header' | 'cell'> {
  readonly row: MappedRow;
  readonly names: readonly string[];
  readonly id: NamedId | null;
  readonly field?: string;
}

/**
 * Puts the names of ids that planned rows send or change beside them, and of what they are about. A row of
 * stock that says another name than its product's is a conflict.
 */
export async function nameIds(
  named: NamedRecords,
  rows: readonly UnplacedRow[],
  { resource }: SheetColumns,
): Promise<void> {
  const records = recordsOf(resource.fields);
  const [about, ofAbout] = resource.labelled ?? [];
  if (records.length === 0 && ofAbout === undefined) return;
  const found = rows.map((row) => ({ row, ids: idsSent(row, records), is: aboutOf(row, about) }));
  await named.askNames(
    found.flatMap(({ ids, is }): NamedId[] => [
      ...ids.map(([, of, id]) => [of, id] as const),
      ...(is === null || ofAbout === undefined ? [] : [[ofAbout, is] as const]),
    ]),
  );
  const posts = resource.label === undefined && resource.names !== undefined;
  for (const { row, ids, is } of found) {
    const names = ids.flatMap(([field, of, id]) => {
      const { name } = named.known(of, id);
      return name === null ? [] : [[field, id, shorten(name)] as const];
    });
    const name = is === null || ofAbout === undefined ? null : named.known(ofAbout, is).name;
    // In place, as the row is the planner's own and not saved yet.
    const isPosted = posts && (row.steps.length > 0 || row.posted !== undefined);
    if (name !== null && isPosted && !shareWord(row.about?.label ?? name, name))
      Object.assign(row, otherName(`${about} ${is}`, row.about?.label ?? '', shorten(name)));
    const label = row.about?.label ?? name ?? undefined;
    if (is !== null && label !== undefined) Object.assign(row, { about: { ...row.about, label } });
    if (
      is !== null &&
      label !== undefined &&
      row.steps.length > 0 &&
      !names.some(([field]) => field === about)
    )
      names.push([about ?? '', is, shorten(label)]);
    if (names.length > 0) Object.assign(row, { names });
  }
}

/** The id of what a row is about, where that is told of it. */
const aboutOf = ({ action, steps, about }: UnplacedRow, field: string | undefined): number | null =>
  field === undefined || action === 'unchanged' || action === 'skip'
    ? null
    : idIn(steps[0]?.body[field] ?? about?.key?.[field]);

function otherName(key: string, said: string, name: string) {
  const message = t(
    `the row says "${shorten(said)}", and ${key} is "${name}": correct one of the two, or empty the name`,
    `in de rij staat "${shorten(said)}", en ${key} is "${name}": verbeter een van de twee, of maak de naam leeg`,
  );
  return { action: 'conflict', changes: [], steps: [], needs: [], posted: undefined, message } as const;
}

function idsSent(
  { changes: changed, steps }: UnplacedRow,
  records: ReturnType<typeof recordsOf>,
): (readonly [field: string, of: NamedRecord, id: number])[] {
  if (steps.length === 0) return [];
  return records.flatMap(([field, of]) => {
    const change = changed.find((one) => one.field === field);
    const ids: (Value | object | undefined)[] = [
      change?.from,
      change?.to,
      ...steps.map(({ body }) => body[field]),
    ];
    return [...new Set(ids.flatMap((id) => idIn(id) ?? []))].map((id) => [field, of, id] as const);
  });
}
