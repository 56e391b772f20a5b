import { type Bilingual, composed, type Language, same, t } from '../core/language.ts';
import { DAY_FORMAT, MOMENT_FORMAT } from '../core/shown-moment.ts';
import { encodeNames } from '../files/baseline-sheet.ts';
import { choicesOf } from '../import/map/lookup-names.ts';
import { listerOf } from '../lists/lists.ts';
import type { ColumnType, ExportColumn, ExportedResource } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import type { LookupLists } from '../run/lookup-lists.ts';
import type { AnswerType, Members } from '../schema/answer.ts';
import { type Field, FORMATS, holdsDay, type Lookup, readOnly, TYPE_WORDS } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import { type ChoiceList, describeColumns, listOf, writtenList } from '../template/columns.ts';
import type { CellCheck, WrittenColumn, WrittenList, WrittenSheet } from '../xlsx/write/written-book.ts';

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
  const note = t(
    `${names}: not in this file, as the service's list does not return these fields; an import of this file leaves them alone`,
    `${names}: niet in dit bestand, want de lijst van het systeem geeft deze velden niet; een import van dit bestand laat ze met rust`,
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

/** As many decimals as there are. */
const FIGURE = 'General;-General';

/** By type: the word in a note, the usual width of its cells in characters, and their format. */
const COLUMN_TYPES: Readonly<
  Record<ColumnType, { word: Bilingual | null; width: number; format: Bilingual }>
> = {
  integer: { word: TYPE_WORDS.integer, width: 10, format: FORMATS.integer },
  decimal: { word: TYPE_WORDS.decimal, width: 10, format: same(FIGURE) },
  money: { word: TYPE_WORDS.decimal, width: 10, format: FORMATS.decimal },
  text: { word: TYPE_WORDS.text, width: 14, format: FORMATS.text },
  boolean: { word: TYPE_WORDS.boolean, width: 8, format: FORMATS.boolean },
  datetime: { word: TYPE_WORDS.moment, width: 20, format: MOMENT_FORMAT },
  day: { word: TYPE_WORDS.day, width: 13, format: DAY_FORMAT },
  unknown: { word: null, width: 10, format: same('General') },
};

const READ_ONLY: Bilingual = t(
  'From the service, for you to see: an import passes over this column.',
  'Van het systeem, om te zien: een import slaat deze kolom over.',
);
const TYPE: Bilingual = t('Type', 'Soort');

/** What a column is chosen from: the words for yes and no, or a list of names. */
function choicesIn(
  names: ReturnType<typeof columnNames> | null,
  header: string,
  own: ReturnType<typeof describeColumns>[number] | undefined,
): CellCheck | null {
  if (own === undefined) return null;
  const { type, error } = own.check;
  const list = type === 'list' ? own.check.list : names?.listFor(header);
  return list === undefined ? null : { type: 'list', style: 'warning', list, error };
}

/** The lists of all kinds, each once. */
export function writtenLists(
  kinds: readonly { readonly names: ReturnType<typeof columnNames> | null }[],
): WrittenList[] {
  const lists = new Map(kinds.flatMap(({ names }) => names?.lists ?? []).map((list) => [list.name, list]));
  return [...lists.values()].map(writtenList);
}

/** A sheet of records: the columns that an import takes are as in a template. */
export function writtenSheet(
  {
    resource,
    language,
    context,
    names,
  }: {
    readonly language: Language;
    readonly context: Context;
    readonly resource: Resource;
    /** The names in place of ids; null for numbers. */
    readonly names: ReturnType<typeof columnNames> | null;
  },
  name: string,
  columns: readonly ExportColumn[],
): WrittenSheet {
  const { resources } = context;
  const described = describeColumns(resource, { language, resources, lists: [] });
  const written = columns.map(({ header, type, field, imported, path }): WrittenColumn => {
    const { word, width, format } = COLUMN_TYPES[type];
    const own = imported ? described.find((one) => one.name === header) : undefined;
    const note = own?.column.note ?? [
      ...(field === null ? [] : [field.help[language]]),
      ...(word === null ? [] : [`${TYPE[language]}: ${word[language]}`]),
      READ_ONLY[language],
    ];
    const role = own?.column.role ?? 'shown';
    return {
      header,
      folded: path.length > 1,
      role: role === 'mark' ? 'key' : role,
      width,
      format: format[language],
      note,
      check: () => choicesIn(names, header, own),
    };
  });
  const own = name === resource.sheet ? resource.name : `${resource.name}_${name}`;
  return { name, table: `tbl_${own.replace(/\W/g, '_')}`, columns: written };
}

/** The names of one column's ids. */
interface NamedColumn {
  readonly texts: ReadonlyMap<number, string>;
  readonly list: ChoiceList;
}

/** What is not visible as it stands, or not kept by every program. */
const ODD = /\p{C}|\p{Zl}|\p{Zp}/u;

/**
 * The names that stand in place of ids in an export, in the columns in which import takes them: as the lists
 * to choose from have them. An id without a name stays a number.
 */
export function columnNames(lookups: LookupLists, all: readonly ExportColumn[], language: Language) {
  const columns = all.filter(({ field, imported }) => imported && field?.lookup !== undefined);
  let named: ReadonlyMap<string, NamedColumn> = new Map();
  const failing = new Map<string, { readonly why: Bilingual; readonly headers: string[] }>();
  /** Columns with a number in them. */
  const filled = new Set<string>();
  let isRead = false;

  /** Reads the lists of all columns, each once, when the first records came. */
  async function read(): Promise<void> {
    if (isRead) return;
    isRead = true;
    const read = columns.map(async ({ header, field }) => {
      // A record may have an id of either list; the one that an update takes goes first.
      const lookups = [field?.updateLookup, field?.lookup].filter((one) => one !== undefined);
      const found = await Promise.all(lookups.map((lookup) => choices(lookup, header)));
      return [header, joined(found.flat())] as const;
    });
    const all = await Promise.all(read);
    named = new Map(all.flatMap(([header, one]) => (one === null ? [] : [[header, one] as const])));
  }

  /** The text in place of a column's value; undefined where the value itself stands there. */
  function textOf(header: string, value: unknown): string | undefined {
    if (typeof value !== 'number') return undefined;
    filled.add(header);
    return named.get(header)?.texts.get(value);
  }

  /** The list behind a column; undefined where it has none. */
  function listFor(header: string): ChoiceList | undefined {
    return named.get(header)?.list;
  }

  /** The rows of the baseline sheet that tell what names stood for when the workbook was written. */
  function writtenNames(resource: string): (readonly string[])[] {
    return [...named].map(([header, { texts }]) => encodeNames(resource, header, texts));
  }

  /** Which columns hold numbers, as their list could not be read. */
  function notes(): Bilingual[] {
    return [...failing.values()].flatMap(({ why, headers }) => {
      const names = headers.filter((header) => filled.has(header)).join(', ');
      if (names === '') return [];
      return composed([why], ({ en, nl }) =>
        t(`${names}: numbers, not names: ${en}`, `${names}: nummers, geen namen: ${nl}`),
      );
    });
  }

  async function choices(lookup: Lookup, header: string): Promise<ChoiceList[]> {
    const list = await lookups.read(lookup);
    if ('entries' in list) {
      const { name, choices, ...rest } = listOf(lookup.name, choicesOf(list.entries), language);
      const plain = choices.filter(({ text }) => !ODD.test(text));
      return plain.length === 0 ? [] : [{ ...rest, name, choices: plain }];
    }
    const why = 'failure' in list ? list.failure.reasons : list.unreadable;
    const known = failing.get(why.en) ?? { why, headers: [] };
    failing.set(why.en, known);
    known.headers.push(header);
    return [];
  }

  return {
    read,
    textOf,
    listFor,
    writtenNames,
    notes,
    /** The lists of all columns. */
    get lists(): readonly ChoiceList[] {
      return [...named.values()].map(({ list }) => list);
    },
  };
}

/** One or two lists as one: of an id in both the first has its text, and of a text in both its id. */
function joined(lists: readonly ChoiceList[]): NamedColumn | null {
  const [first, second] = lists;
  if (first === undefined) return null;
  const texts = new Map(first.choices.map(({ id, text }) => [id, text]));
  const list = { ...first, choices: [...first.choices] };
  const known = new Set(first.choices.map(({ text }) => text));
  for (const choice of second?.choices ?? []) {
    if (!texts.has(choice.id)) texts.set(choice.id, choice.text);
    if (!known.has(choice.text)) list.choices.push(choice);
  }
  return { texts, list };
}
