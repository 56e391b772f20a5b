import { type Cell, columnLetters, type Row } from '../../core/cell.ts';
import { identifierCodec, textCodec } from '../../core/codecs/text.ts';
import { normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, same, t, withFlag } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import { quotedWord } from '../../core/visible-text.ts';
import { type Field, readOnly } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';
import { isBlank, isName, isReadable } from './cell-sense.ts';
import { fieldsIn, type HeaderRow, shownHeader } from './find-header.ts';
import { meantFields, namesUnit } from './header-words.ts';
import { isListed, ownFirst } from './listed-columns.ts';

/** A header that means nothing as it stands, and the fields that it may mean, with a value of its column. */
interface ProposedHeader {
  /** The header as it stands. */
  readonly header: string;
  /** Its column's letters. */
  readonly column: string;
  /** The fields it may be. */
  readonly fields: readonly string[];
  /** Only the user can tell: there are several fields or columns, or it names a unit, which is not converted. */
  readonly isOpen: boolean;
  /** A value of its column, cut short. */
  readonly sample: string;
}

/** What the headers of a sheet may mean that mean nothing as they stand. */
export interface SheetProposal {
  /** The sheet by its name in the file. */
  readonly sheet: string;
  /** What it holds, such as `packages`. */
  readonly resource: string;
  readonly columns: readonly ProposedHeader[];
}

/** A sheet of which the headers tell something. */
export interface ProposedSheet {
  readonly name: string;
  /** The rows of the sheet that hold anything, the first ones. */
  readonly top: readonly Row[];
  /** The workbook was written by the program, and knows what stood in it. */
  readonly remembers: boolean;
  readonly locale?: Locale | undefined;
}

/** What the unknown headers of a sheet may mean, by the words that people use and by what stands below them. */
export function proposeHeaders(
  { name, top, remembers, locale = 'nl' }: ProposedSheet,
  resource: Resource,
  { headers, headerRow }: Pick<HeaderRow, 'headers' | 'headerRow'>,
): SheetProposal {
  const taken = fieldsIn(headers);
  // Of an export the shown columns are not what people fill in.
  const isExport = remembers || ownFirst(resource, headers) !== null;
  const guesses = headers.flatMap((cell) => {
    const { header, group = '', column } = cell;
    if (cell.name !== undefined || (isExport && isListed(resource, header))) return [];
    const values = top.flatMap(({ number, cells }) =>
      number > headerRow ? cells.filter((one) => one.column === column && !isBlank(one)) : [],
    );
    const own = meantFields(resource, header);
    const meant = own.length > 0 ? own : meantFields(resource, group);
    // Whether the sheet has the field already, or the one that it would stand in for.
    if (meant.some((one) => taken.has(one) || taken.has(resource.fields[one]?.refers?.sets ?? ''))) return [];
    const fields = meant.filter(
      (one) => fits(values, resource.fields[one]) && isWanted(resource, one, taken),
    );
    return fields.length === 0 ? [] : [{ cell, fields, values }];
  });
  const columns = guesses.map((guess): ProposedHeader => {
    const { cell, fields, values } = guess;
    const isRival = guesses.some(
      (one) => one !== guess && one.fields.some((field) => fields.includes(field)),
    );
    return {
      ...{ header: shownHeader(cell), column: columnLetters(cell.column), fields },
      isOpen: fields.length > 1 || isRival || namesUnit(cell.header),
      sample: sampleOf(values, resource.fields[fields[0] ?? ''], locale),
    };
  });
  return { sheet: name, resource: resource.name, columns };
}

/** A column that is only read is wanted where the sheet has no other key: by it its records are found. */
const isWanted = ({ fields, keys }: Resource, name: string, taken: ReadonlySet<string>): boolean =>
  !readOnly(fields[name] as Field) || !keys.some((key) => taken.has(key));

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
function sampleOf(values: readonly Cell[], field: Field | undefined, locale: Locale): string {
  const cell = values.find((one) => field !== undefined && suits(one, field));
  const read = cell === undefined ? undefined : textCodec.decode(cell, locale);
  return read?.ok === true ? shorten(read.value.replace(/\s+/g, ' ')) : '';
}

/** What the headers of a workbook may mean that mean nothing as they stand, as plain data. */
export interface Proposals {
  readonly sheets: readonly SheetProposal[];
  /** What takes all that is not open, as `--map` takes it; null where everything is. */
  readonly map: string | null;
}

/** A map as words of a command line: `--map "Pakketnr=ExternalID"`. */
const mapFlag = (map: string): string => `--map ${quotedWord(map)}`;

/** Says which headers are for the user to decide, and what would take the others. Each text is without its full stop. */
export function proposalTexts({ sheets, map }: Proposals): Bilingual[] {
  const open = sheets.flatMap(({ sheet, columns }) =>
    columns.filter(({ isOpen }) => isOpen).map((one) => openText(sheet, one, columns)),
  );
  const take = t(
    'To use these headers, say which column each is',
    'Om deze koppen te gebruiken: zeg welke kolom het is',
  );
  return [...open, ...(map === null ? [] : [withFlag(take, mapFlag(map))])];
}

function openText(
  sheet: string,
  { header, column, fields }: ProposedHeader,
  all: readonly ProposedHeader[],
): Bilingual {
  const named = `${header} (${column})`;
  const isTwin = all.filter((one) => normaliseHeader(one.header) === normaliseHeader(header)).length > 1;
  const { en, nl } = namesUnit(header)
    ? t(', whose unit is not converted', ', waarvan de eenheid niet wordt omgerekend')
    : same('');
  return withFlag(
    t(
      `${sheet}: ${named} may be ${fields.join(' or ')}${en}: say which is meant`,
      `${sheet}: ${named} kan ${fields.join(' of ')} zijn${nl}: zeg welke je bedoelt`,
    ),
    mapFlag(`${isTwin ? named : header}=${fields[0]}`),
  );
}
