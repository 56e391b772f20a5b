import type { Cell, Row } from '../../core/cell.ts';
import { columnLetters } from '../../core/cell.ts';
import { identifierCodec, textCodec } from '../../core/codecs/text.ts';
import { normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import type { Locale } from '../../core/value.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank, isName, isReadable } from './cell-sense.ts';
import { meantFields, namesUnit } from './header-meaning.ts';
import { fieldsIn, type HeaderCell, type HeaderRow, nameOf } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';

/** A header that means nothing as it stands, and the field that it may mean, with a value of its column. */
export interface ProposedHeader {
  /** The header as it stands. */
  readonly header: string;
  /** Its column's letters. */
  readonly column: string;
  /** The column it may be. */
  readonly field: string;
  /** A value of its column, cut short. */
  readonly sample: string;
}

/** Headers that may mean one field, or a header that may mean one of several: nothing is chosen. */
export interface UndecidedHeaders {
  /** The headers as they stand. */
  readonly headers: readonly Pick<ProposedHeader, 'header' | 'column'>[];
  /** The columns they may be. */
  readonly fields: readonly string[];
}

/** What the headers of a sheet may mean that mean nothing as they stand. */
export interface SheetProposal {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** What it holds, such as `packages`. */
  readonly resource: string;
  /** All headers of the sheet, as they stand. */
  readonly headers: readonly string[];
  /** Headers with one meaning: `map` takes these. */
  readonly columns: readonly ProposedHeader[];
  /** Headers that only the user can tell. */
  readonly undecided: readonly UndecidedHeaders[];
  /** Whether the sheet is one of this resource beyond doubt, once the headers are taken so. */
  readonly isTold: boolean;
}

/** The fields that a header may mean, by what is proposed. */
export function proposedFor(header: string, proposals: readonly SheetProposal[]): readonly string[] {
  const isIt = (one: { readonly header: string }): boolean => one.header === header;
  return proposals.flatMap(({ columns, undecided }) => [
    ...columns.filter(isIt).map(({ field }) => field),
    ...(undecided.find(({ headers }) => headers.some(isIt))?.fields ?? []),
  ]);
}

/** A column and the fields that it may be. */
interface Guess {
  readonly cell: HeaderCell;
  readonly fields: readonly string[];
  readonly values: readonly Cell[];
}

/** A sheet of which the headers tell something. */
export interface ProposedSheet {
  readonly name: string;
  /** The rows of the sheet that hold anything, the first ones. */
  readonly top: readonly Row[];
  /** The workbook was written by the program, and knows what stood in it. */
  readonly remembers: boolean;
  readonly locale?: Locale | undefined;
  /** The fields whose lists have the names of a column; by words alone when absent. */
  readonly listed?: ListedFields | undefined;
}

/** The fields of a resource whose lists have most of these names. */
export type ListedFields = (resource: Resource, texts: readonly string[]) => readonly string[];

/**
 * What the unknown headers of a sheet may mean, by the words that people use and by what stands below them. Undefined
 * where nothing is proposed.
 */
export function proposeHeaders(
  { name, top, remembers, locale = 'nl', listed = () => [] }: ProposedSheet,
  resource: Resource,
  { headers, headerRow }: Pick<HeaderRow, 'headers' | 'headerRow'>,
): SheetProposal | undefined {
  const taken = fieldsIn(headers);
  // Of an export the shown columns are not what people fill in.
  const isExport = remembers || ownFirst(resource, headers) !== null;
  const guesses = headers.flatMap((cell): Guess[] => {
    const { header, group = '', column } = cell;
    if (nameOf(cell) !== undefined || cell.chosen === true) return [];
    if (isExport && isListed(resource, header)) return [];
    const values = top.flatMap(({ number, cells }) =>
      number > headerRow ? cells.filter((one) => one.column === column && !isBlank(one)) : [],
    );
    const [meant = []] = [meantFields(resource, header), meantFields(resource, group)].filter(
      ({ length }) => length > 0,
    );
    // Whether the sheet has the field already, or the one that it would stand in for.
    if (meant.some((one) => taken.has(one) || taken.has(resource.fields[one]?.refers?.sets ?? ''))) return [];
    const names = values.flatMap((one) => (isName(one) ? String(one.value) : []));
    const byNames = meant.length > 0 || names.length === 0 ? [] : listed(resource, names);
    const likely = [...meant, ...byNames.filter((one) => !taken.has(one))];
    const fields = likely.filter((one) => fits(values, resource.fields[one]));
    return fields.length === 0 ? [] : [{ cell, fields, values }];
  });
  const columns: ProposedHeader[] = [];
  const undecided = twinColumns(headers);
  const seen = new Set<Guess>();
  for (const guess of guesses) {
    if (seen.has(guess)) continue;
    const { cell, fields } = guess;
    const rivals = guesses.filter((one) => one.fields.some((field) => fields.includes(field)));
    for (const one of rivals) seen.add(one);
    const cells =
      rivals.length > 1 ? rivals.map((one) => one.cell) : headers.filter((one) => isTwin(one, cell));
    const [field = '', ...others] = new Set(rivals.flatMap((one) => one.fields));
    if (cells.length > 1 || others.length > 0 || namesUnit(cell.header))
      undecided.push({ headers: cells.map(placeOf), fields: [field, ...others] });
    else columns.push({ ...placeOf(cell), field, sample: sampleOf(guess, resource.fields[field], locale) });
  }
  if (columns.length + undecided.length === 0) return undefined;
  const all = headers.map(({ header }) => header);
  return { sheet: name, resource: resource.name, headers: all, columns, undecided, isTold: true };
}

const isTwin = (one: HeaderCell, other: HeaderCell): boolean =>
  normaliseHeader(one.header) === normaliseHeader(other.header);

/** The columns of each field that has several: only one can be meant. */
function twinColumns(headers: readonly HeaderCell[]): UndecidedHeaders[] {
  const columnsOf = new Map<string | undefined, HeaderCell[]>();
  for (const cell of headers) columnsOf.set(cell.field, [...(columnsOf.get(cell.field) ?? []), cell]);
  return [...columnsOf].flatMap(([field, cells]) =>
    field === undefined || cells.length < 2 ? [] : [{ headers: cells.map(placeOf), fields: [field] }],
  );
}

const placeOf = ({ header, column }: HeaderCell) => ({
  header: header.replace(/\s+/g, ' ').trim(),
  column: columnLetters(column),
});

/** Whether most values below a header are ones of a field; a column of texts is no amount. */
function fits(values: readonly Cell[], field: Field | undefined): boolean {
  if (field === undefined || values.length === 0) return false;
  return values.filter((cell) => suits(cell, field)).length * 2 >= values.length;
}

function suits(cell: Cell, field: Field): boolean {
  const { codec, lookup } = field;
  if (lookup !== undefined && isName(cell)) return true;
  if (codec.type === 'text' && codec !== identifierCodec)
    return cell.type === 'text' && /\p{L}/u.test(cell.value);
  return isReadable(cell, field);
}

/** A value as the sheet shows it, one that suits the field. */
function sampleOf({ values }: Guess, field: Field | undefined, locale: Locale): string {
  const cell = values.find((one) => field !== undefined && suits(one, field));
  const read = cell === undefined ? undefined : textCodec.decode(cell, locale);
  return read?.ok === true ? shorten(read.value.replace(/\s+/g, ' ')) : '';
}
