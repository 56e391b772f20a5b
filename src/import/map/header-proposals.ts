import type { Cell, Row } from '../../core/cell.ts';
import { columnLetters } from '../../core/cell.ts';
import { identifierCodec, textCodec } from '../../core/codecs/text.ts';
import { normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import type { Locale } from '../../core/value.ts';
import type { Field } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank, isName, isReadable } from './cell-sense.ts';
import { findHeader } from './find-header.ts';
import { lettersOf, meantFields, nearFields } from './header-meaning.ts';
import { type HeaderName, layered, namesFor } from './header-names.ts';
import { HEADER_SEARCH_ROWS, type HeaderCell, type HeaderRow, type HeaderWishes } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';
import { leastColumns } from './sheet-by-headers.ts';

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

/** What tells of a header's columns. */
interface Sheet {
  readonly name: string;
  /** The rows of the sheet that hold anything, the first ones. */
  readonly top: readonly Row[];
  /** The workbook was written by the program, and knows what stood in it. */
  readonly remembers: boolean;
  /** A file of few columns is one of a kind, as a CSV is; a sheet of a workbook may be anything. */
  readonly separated?: boolean;
  readonly locale?: Locale | undefined;
}

/**
 * What the unknown headers of a sheet may mean, by the words that people use and by what stands below them.
 * Undefined where nothing is proposed.
 */
export function proposeHeaders(
  { name, top, remembers, locale = 'nl' }: Sheet,
  resource: Resource,
  { headers, headerRow }: { readonly headers: readonly HeaderCell[]; readonly headerRow: number },
): SheetProposal | undefined {
  const below = top.filter(({ number }) => number > headerRow);
  const taken = new Set(headers.flatMap(({ field }) => field ?? []));
  // Of an export the shown columns are not what people fill in.
  const isExport = remembers || ownFirst(resource, headers) !== null;
  const guesses = headers.flatMap((cell): Guess[] => {
    if (cell.field !== undefined || cell.mark !== undefined || cell.chosen === true) return [];
    if (isExport && isListed(resource, cell.header)) return [];
    const own = nearFields(resource, cell.header);
    const meant = own.length > 0 ? own : nearFields(resource, cell.group ?? '');
    if (meant.some((field) => isTaken(resource, field, taken))) return [];
    const values = valuesIn(below, cell.column);
    const fields = meant.filter((field) => fits(values, resource.fields[field]));
    return fields.length === 0 ? [] : [{ cell, fields, values }];
  });
  const twins = twinColumns(headers);
  return settled(name, resource, headers, guesses, twins, locale);
}

/** Whether the sheet has a field already, or the one that it would stand in for. */
function isTaken({ fields }: Resource, field: string, taken: ReadonlySet<string>): boolean {
  return taken.has(field) || taken.has(fields[field]?.refers?.sets ?? '');
}

function settled(
  sheet: string,
  resource: Resource,
  headers: readonly HeaderCell[],
  guesses: readonly Guess[],
  twins: readonly UndecidedHeaders[],
  locale: Locale,
): SheetProposal | undefined {
  const columns: ProposedHeader[] = [];
  const undecided: UndecidedHeaders[] = [...twins];
  const seen = new Set<Guess>();
  for (const guess of guesses) {
    if (seen.has(guess)) continue;
    const rivals = guesses.filter((one) => one.fields.some((field) => guess.fields.includes(field)));
    for (const one of rivals) seen.add(one);
    const [field = '', ...others] = guess.fields;
    const { header, column } = guess.cell;
    if (rivals.length === 1 && others.length === 0 && isAlone(header, headers)) {
      columns.push({
        ...placeOf(guess.cell),
        field,
        sample: sampleOf(guess, resource.fields[field], locale),
      });
      continue;
    }
    const named = rivals.length > 1 ? rivals.map(({ cell }) => cell) : twinsOf({ header, column }, headers);
    const fields = [...new Set(rivals.flatMap((one) => one.fields))];
    undecided.push({ headers: named.map(placeOf), fields });
  }
  if (columns.length + undecided.length === 0) return undefined;
  const all = headers.map(({ header }) => header);
  return { sheet, resource: resource.name, headers: all, columns, undecided, isTold: true };
}

/** The columns of each field that has several: only one can be meant. */
function twinColumns(headers: readonly HeaderCell[]): UndecidedHeaders[] {
  const columnsOf = new Map<string | undefined, HeaderCell[]>();
  for (const cell of headers) columnsOf.set(cell.field, [...(columnsOf.get(cell.field) ?? []), cell]);
  return [...columnsOf].flatMap(([field, cells]) =>
    field === undefined || cells.length < 2 ? [] : [{ headers: cells.map(placeOf), fields: [field] }],
  );
}

const placeOf = ({ header, column }: Pick<HeaderCell, 'header' | 'column'>) => ({
  header: header.replace(/\s+/g, ' ').trim(),
  column: columnLetters(column),
});

const twinsOf = (own: Pick<HeaderCell, 'header' | 'column'>, headers: readonly HeaderCell[]) =>
  headers.filter(({ header }) => normaliseHeader(header) === normaliseHeader(own.header));

const isAlone = (header: string, headers: readonly HeaderCell[]): boolean =>
  twinsOf({ header, column: 0 }, headers).length === 1;

function valuesIn(below: readonly Row[], column: number): Cell[] {
  return below.flatMap(({ cells }) => cells.filter((cell) => cell.column === column && !isBlank(cell)));
}

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

/** A sheet that is told by the words in its headers, and how many columns it would have. */
interface WordProposal extends SheetProposal {
  readonly weight: number;
  /** The usual name of such a sheet. */
  readonly kind: string;
}

/** Columns that tell of a kind of sheet: a key and another. */
const TELLING = 2;

/**
 * The resources that a sheet without known headers may be of, by the words in it: those alone that have most
 * of its columns.
 */
export function proposedSheets(
  sheet: Sheet,
  resources: readonly Resource[],
  wishes: HeaderWishes,
): WordProposal[] {
  const found = resources.flatMap((resource) => {
    const one = proposedSheet(sheet, resource, wishes);
    const least = leastColumns(resource);
    if (one === undefined || one.weight < (sheet.separated ? Math.min(TELLING, least) : least)) return [];
    return [{ ...one, isTold: one.weight >= least }];
  });
  const most = Math.max(...found.map(({ weight }) => weight));
  const best = found.filter(({ weight }) => weight === most);
  const named = best.filter(({ kind }) => lettersOf(sheet.name).includes(lettersOf(kind)));
  return named.length > 0 ? named : best;
}

/** What the headers of a sheet would be as one of this resource; undefined where they name no key. */
export function proposedSheet(
  sheet: Sheet,
  resource: Resource,
  { headerRow, names = [] }: HeaderWishes,
): WordProposal | undefined {
  const header = headerByWords(sheet.top, resource, { headerRow, names });
  if (header === undefined) return undefined;
  const { headers } = header;
  const proposal = proposeHeaders(sheet, resource, { headers, headerRow: header.headerRow });
  if (proposal === undefined || proposal.columns.length === 0) return undefined;
  const own = [...headers.flatMap(({ field }) => field ?? []), ...proposal.columns.map(({ field }) => field)];
  if (!own.some((field) => resource.keys.includes(field))) return undefined;
  return { ...proposal, kind: resource.sheet, weight: own.length + proposal.undecided.length };
}

/** The header that the words of people tell, with the fields that its cells name as they stand. */
export function headerByWords(
  top: readonly Row[],
  resource: Resource,
  { headerRow, names = [] }: HeaderWishes,
): HeaderRow | undefined {
  const exact = namesFor(resource, names);
  const words = wordsIn(top, resource, exact);
  const header = findHeader(top, resource, { headerRow, names: layered(words, names) });
  if (header === undefined) return undefined;
  const headers = header.headers.map(({ field: told, ...cell }): HeaderCell => {
    const ways = [cell.header, cell.group ?? ''].map((one) => exact.get(normaliseHeader(one)));
    const field = cell.told === true ? told : (ways[0] ?? ways[1]);
    return field === undefined || cell.mark !== undefined ? cell : { ...cell, field };
  });
  return { ...header, headers, names: exact };
}

/** The texts among a sheet's first rows that plainly mean a field and are no known headers. */
function wordsIn(top: readonly Row[], resource: Resource, exact: ReadonlyMap<string, string>): HeaderName[] {
  const found = new Map<string, HeaderName>();
  for (const { number, cells } of top) {
    if (number > HEADER_SEARCH_ROWS) break;
    for (const cell of cells) {
      if (cell.type !== 'text') continue;
      const [field] = meantFields(resource, cell.value);
      const normal = normaliseHeader(cell.value);
      if (field === undefined || exact.has(normal)) continue;
      found.set(normal, { header: cell.value, field, resource: resource.name });
    }
  }
  return [...found.values()];
}
