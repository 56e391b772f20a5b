import { type Bilingual, t } from '../core/language.ts';
import { listerOf } from '../lists/lists.ts';
import type { ColumnType, ExportColumn, ExportedResource } from '../records/listing.ts';
import type { AnswerType, Members } from '../schema/answer.ts';
import { type Field, holdsDay, readOnly } from '../schema/field.ts';

const TYPES: Readonly<Record<AnswerType, ColumnType>> = {
  int: 'integer',
  float: 'decimal',
  bool: 'boolean',
  string: 'text',
  datetime: 'datetime',
  unknown: 'unknown',
};

/** Numbers that are amounts of money, by their names. */
const MONEY = /(?:prijs|price|waarde|budget)$/i;

const typeOf = (name: string, type: ColumnType): ColumnType =>
  type === 'decimal' && MONEY.test(name) ? 'money' : type;

/** The column of a field. */
export const fieldColumn = (name: string, field: Field): Omit<ExportColumn, 'path'> => ({
  header: name,
  type: typeOf(name, holdsDay(field) ? 'day' : field.codec.type),
  field,
  imported: !readOnly(field),
});

/**
 * The columns of an export: first those that an import takes, then all others that the list returns; `named`:
 * with the names of ids.
 */
export function exportColumns(resource: ExportedResource, named = true): readonly ExportColumn[] {
  const { fields, listed } = resource;
  const { filledIn, before, beside } = listerOf(resource);
  const goneBy = before?.(resource) ?? [];
  const own = Object.entries(fields).flatMap(([name, field]): ExportColumn[] => {
    const column = fieldColumn(name, field);
    if (filledIn === true) return field.refers === undefined ? [{ ...column, path: [] }] : [];
    const member = listMember(name, field, listed);
    return member === null ? [] : [{ ...column, path: [member] }];
  });
  const taken = new Set(own.map(({ path }) => path[0]));
  // A field that lists don't return, as a note says, has no column that would be taken for it.
  const unlisted = new Set(filledIn === true ? [] : unlistedFields(resource));
  const others = Object.entries(listed).flatMap(([name, member]): ExportColumn[] =>
    taken.has(name) || unlisted.has(name) ? [] : memberColumns([name], member),
  );
  const [first, ...rest] = own.filter(({ imported }) => imported);
  const told = others.filter(({ header }) => goneBy.includes(header));
  const columns = [
    ...(first === undefined ? [] : [first]),
    ...told,
    ...(beside?.(resource) ?? []).map(besideColumn),
    ...rest,
    ...own.filter(({ imported }) => !imported),
    ...others.filter((column) => !told.includes(column)),
  ];
  return named ? withNames(columns, resource) : columns;
}

/** Puts the columns of names behind their ids; where an import does not take the id, behind the first. */
function withNames(columns: readonly ExportColumn[], resource: ExportedResource): ExportColumn[] {
  const place = (id: string): ExportColumn | undefined =>
    columns.find(({ header, imported }) => imported && header === id) ?? columns[0];
  const named = (resource.named ?? []).flatMap(({ id, header }) => {
    if (header === undefined) return [];
    const column: ExportColumn = { header, type: 'text', field: null, imported: false, path: [header] };
    return [{ behind: place(id), column }];
  });
  return columns.flatMap((one) => [
    one,
    ...named.filter(({ behind }) => behind === one).map(({ column }) => column),
  ]);
}

/** What it holds the first records tell. */
const besideColumn = (header: string): ExportColumn => ({
  ...{ header, type: 'unknown', field: null, imported: false, path: [header] },
});

/** Says which fields of a sheet the service's lists don't return, so that no export holds them. */
export function unlistedNotes(resource: ExportedResource): Bilingual[] {
  if (listerOf(resource).filledIn === true) return [];
  const unlisted = unlistedFields(resource);
  if (unlisted.length === 0) return [];
  const names = unlisted.join(', ');
  const single = unlisted.filter((name) => resource.fields[name]?.reads === 'detail').join(', ');
  const note = t(
    `${names}: not in this file, as the service's list does not return these fields${single && ` (only the read of one record by its id returns ${single})`}; an import of this file leaves them alone`,
    `${names}: niet in dit bestand, want de lijst van het systeem geeft deze velden niet${single && ` (${single} geeft alleen het lezen van één record op id)`}; een import van dit bestand laat ze met rust`,
  );
  return [note];
}

const unlistedFields = ({ fields, listed }: ExportedResource): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isTaken = !readOnly(field) && field.refers === undefined;
    return isTaken && listMember(name, field, listed) === null ? [name] : [];
  });

/** A field's name in lists; null where lists don't return it. */
function listMember(name: string, { reads, listName }: Field, listed: Members): string | null {
  if (reads === 'detail' || reads === 'none') return null;
  if (listName !== undefined) return listName;
  return Object.hasOwn(listed, name) ? name : null;
}

/** The columns of a member: of a nested record one for each member of it; of a list none, unless `flat`. */
function memberColumns(path: readonly string[], member: Members[string]): ExportColumn[] {
  if (typeof member === 'string')
    return [
      {
        header: path.join('.'),
        type: typeOf(path.at(-1) ?? '', TYPES[member]),
        field: null,
        imported: false,
        path,
      },
    ];
  if ('many' in member && member.flat !== true) return [];
  const members = 'one' in member ? member.one : member.many;
  return Object.entries(members).flatMap(([name, inner]) => memberColumns([...path, name], inner));
}

/** A list of records nested in a resource's records, with a sheet of its own. */
export interface NestedList {
  /** The member's name, and the sheet's. */
  readonly member: string;
  readonly path: readonly string[];
  /** First the id of the record that holds the list, with an empty path; then the members. */
  readonly columns: readonly ExportColumn[];
}

/** The lists in a resource's records. */
export function nestedLists(resource: ExportedResource): readonly NestedList[] {
  if (!('id' in resource)) return [];
  const owner = { header: resource.id, type: 'integer', field: null, imported: false, path: [] } as const;
  return listsIn(resource.listed, [], owner);
}

function listsIn(members: Members, within: readonly string[], owner: ExportColumn): NestedList[] {
  return Object.entries(members).flatMap(([member, inner]) => {
    const path = [...within, member];
    if (typeof inner === 'string') return [];
    if ('one' in inner) return listsIn(inner.one, path, owner);
    const own = Object.entries(inner.many).flatMap(([name, one]) => memberColumns([name], one));
    return [{ member, path, columns: [owner, ...own] }];
  });
}
