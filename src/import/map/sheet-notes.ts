import { basename, extname } from 'node:path';
import { columnLetters } from '../../core/cell.ts';
import { numberWords } from '../../core/codecs/number.ts';
import { type Bilingual, type Language, same, t, withFlag } from '../../core/language.ts';
import { rangeText } from '../../files/sheet.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { isHeaderOf } from './find-header.ts';
import type { KnownHeaders } from './header-names.ts';
import { NO_RECORD, type SheetReading } from './read-rows.ts';
import type { ImportSheet, RecognisedSheet } from './recognise.ts';

/** Most rows and columns named; the rest is counted. */
const [SHOWN_ROWS, SHOWN_COLUMNS] = [5, 3];

/** The first of a list, and how many more there are: `F3, F4 and 12 more`. */
export function listedText(first: readonly (string | number)[], count: number): Bilingual {
  const list = first.join(', ');
  const more = count - first.length;
  return more > 0 ? t(`${list} and ${more} more`, `${list} en nog ${more}`) : t(list, list);
}

/**
 * Notes on a sheet's layout, once its rows have been read; `remembers` that the workbook knows what stood in
 * columns that are only shown, so that each change there is told by itself.
 */
export function sheetNotes(entry: ImportSheet, reading: SheetReading, remembers = false): Bilingual[] {
  const notes = [
    headerNote(entry),
    aboveNote(entry),
    remembers ? null : listedNote(entry),
    ...unitNotes(reading),
    mergeNote(entry),
    hiddenRows(entry, reading),
    ...REASONS.map((why) => passedOverNote(why, reading.passedOver[why])),
    filledDownNote(reading),
    filledNote(reading),
    ...unheldNotes(reading),
    unreadNote(reading),
  ];
  return notes.filter((note) => note !== null);
}

/** Names the rules that could not be told of rows. */
const unheldNotes = ({ unheld = {} }: SheetReading): Bilingual[] =>
  Object.entries(unheld).map(([rule, { count, field }]) =>
    t(
      `rows not held against the rule ${rule}, as their ${field} is not known: ${count}`,
      `rijen waarvan de regel ${rule} niet is nagegaan, omdat ${field} niet bekend is: ${count}`,
    ),
  );

/** Says that a sheet was not read to its end. */
function unreadNote({ unreadAfter }: SheetReading): Bilingual | null {
  if (unreadAfter === undefined) return null;
  return t(
    `not read beyond row ${unreadAfter}, as too many of the rows up to there can't be sent; correct those (mostly it is the same fault) and import again`,
    `niet verder gelezen dan rij ${unreadAfter}, omdat te veel rijen tot daar niet te versturen zijn; verbeter die (meestal is het dezelfde fout) en importeer opnieuw`,
  );
}

function headerNote({ mapping: { headerRow, firstHeaderRow }, firstRow }: ImportSheet): Bilingual | null {
  if (headerRow !== firstHeaderRow)
    return t(
      `the headers are in rows ${firstHeaderRow} and ${headerRow}`,
      `de koppen staan in rij ${firstHeaderRow} en ${headerRow}`,
    );
  if (headerRow === firstRow) return null;
  return t(`the headers are in row ${headerRow}`, `de koppen staan in rij ${headerRow}`);
}

function aboveNote({ mapping: { firstHeaderRow }, above }: ImportSheet): Bilingual | null {
  if (above.length === 0) return null;
  const rows = listedText(above.slice(0, SHOWN_ROWS), above.length);
  return withFlag(
    t(
      `row ${rows.en} above the headers in row ${firstHeaderRow} not read`,
      `rij ${rows.nl} boven de koppen in rij ${firstHeaderRow} niet gelezen`,
    ),
    '--header-row',
  );
}

/** Who edits such a column expects it to count. */
function listedNote({ mapping, proposal }: ImportSheet): Bilingual | null {
  const isProposed = (name: string) => proposal?.columns.some(({ header }) => header === name);
  const listed = mapping.listed.filter((name) => !isProposed(name));
  if (listed.length === 0) return null;
  const columns = listedText(listed.slice(0, SHOWN_COLUMNS), listed.length);
  return t(
    `columns that only the service fills in are passed over: ${columns.en}`,
    `kolommen die alleen het systeem invult, worden overgeslagen: ${columns.nl}`,
  );
}

/** Of a number that is shown with a unit the number alone is sent. */
function unitNotes({ units = [] }: SheetReading): Bilingual[] {
  const sole = units.filter(({ column }) => units.filter((one) => one.column === column).length === 1);
  return sole.map(({ column, field, unit, number }) => {
    const [where, sent] = [`${columnLetters(column)} ${field}`, numberWords(number)];
    const { en, nl } = typeof sent === 'string' ? same(sent) : sent;
    return t(`${where} is shown in ${unit}: sent as ${en}`, `${where} staat in ${unit}: verstuurd als ${nl}`);
  });
}

/** Only the first of merged cells holds their value: the rows below it have none. */
function mergeNote({ sheet: { layout }, mapping: { readers, headerRow } }: ImportSheet): Bilingual | null {
  const found = (layout?.merges ?? []).filter(
    ({ left, top, right, bottom }) =>
      top > headerRow && bottom > top && readers.slice(left, right + 1).some(Boolean),
  );
  if (found.length === 0) return null;
  const shown = found.slice(0, SHOWN_ROWS).map(rangeText);
  const list = [...shown, ...(found.length > SHOWN_ROWS ? ['…'] : [])].join(', ');
  return t(
    `merged cells ${list}: only the first row of each has the value`,
    `samengevoegde cellen ${list}: alleen de eerste rij ervan heeft de waarde`,
  );
}

function hiddenRows({ sheet: { layout } }: ImportSheet, { hidden }: SheetReading): Bilingual | null {
  if (hidden === 0) return null;
  const filter =
    layout?.filtered === true ? t(' (the sheet has a filter)', ' (het werkblad heeft een filter)') : same('');
  return hidden === 1
    ? t(`1 hidden row is imported too${filter.en}`, `1 verborgen rij wordt ook geïmporteerd${filter.nl}`)
    : t(
        `${hidden} hidden rows are imported too${filter.en}`,
        `${hidden} verborgen rijen worden ook geïmporteerd${filter.nl}`,
      );
}

const REASONS = Object.keys(NO_RECORD) as (keyof typeof NO_RECORD)[];

function passedOverNote(
  why: (typeof REASONS)[number],
  seen: SheetReading['passedOver'][typeof why],
): Bilingual | null {
  if (seen === undefined) return null;
  const rows = listedText(seen.rows, seen.count);
  const [row, rij] = seen.count === 1 ? ['row', 'rij'] : ['rows', 'rijen'];
  return t(
    `${row} ${rows.en} passed over: ${NO_RECORD[why].en}`,
    `${rij} ${rows.nl} overgeslagen: ${NO_RECORD[why].nl}`,
  );
}

/** Says of rows that were filled down that they are taken as blank. */
function filledDownNote({ filledDown }: SheetReading): Bilingual | null {
  if (filledDown === undefined) return null;
  const { count, first, last } = filledDown;
  const rows = first === last ? same(`${first}`) : t(`${first} to ${last}`, `${first} tot en met ${last}`);
  return t(
    `taken as blank, as they hold only what was filled down, without a key or a name: ${count} of rows ${rows.en}`,
    `telt als leeg, omdat er alleen staat wat is doorgetrokken, zonder sleutel of naam: ${count} van rij ${rows.nl}`,
  );
}

function filledNote({ filled = {} }: SheetReading): Bilingual | null {
  const fields = Object.entries(filled).map(([field, count]) => `${field} (${count})`);
  const list = fields.join(', ');
  return list === ''
    ? null
    : t(
        `empty cells that were filled with one value: ${list}`,
        `lege cellen die met één waarde zijn ingevuld: ${list}`,
      );
}

/** Notes on a whole file: its encoding, and where its headers' names are from. */
export function fileNotes(
  { workbook, recognised }: { readonly workbook: Workbook; readonly recognised: readonly RecognisedSheet[] },
  known: KnownHeaders,
  given: {
    readonly encoding?: string | undefined;
    readonly columns?: readonly string[] | undefined;
    readonly profile?: string | undefined;
  },
): { readonly sheet: null; readonly text: Bilingual }[] {
  const notes = [
    given.encoding === undefined ? encodingNote(workbook) : null,
    given.columns === undefined ? null : GIVEN_COLUMNS,
    rememberedNote(known, given.profile, recognised),
    unusedNote(known, recognised),
  ];
  return notes.flatMap((text) => (text === null ? [] : [{ sheet: null, text }]));
}

const GIVEN_COLUMNS = t(
  'The headers are those that were given: row 2 is the first of the file, as in the result',
  'De koppen zijn die je hebt opgegeven: rij 2 is de eerste van het bestand, net als in het resultaat',
);

/** An encoding other than UTF-8 is a guess: letters with accents show whether it is right. */
function encodingNote({ encoding, delimiter = '', sample }: Workbook): Bilingual | null {
  if (encoding === undefined || encoding === 'utf-8') return null;
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const shown = sample === undefined ? same('') : t(`, as in "${sample}"`, `, zoals in "${sample}"`);
  return withFlag(
    t(
      `Read as ${encoding}${shown.en}, separated by ${mark}`,
      `Gelezen als ${encoding}${shown.nl}, gescheiden door ${mark}`,
    ),
    '--encoding, --delimiter',
  );
}

/** Which headers of the file are taken as what was remembered of an earlier one. */
function rememberedNote(
  { remembered }: KnownHeaders,
  profile: string | undefined,
  recognised: readonly RecognisedSheet[],
): Bilingual | null {
  const used = remembered.filter(({ header, field }) =>
    recognised.some(
      (entry) =>
        entry.kind === 'import' &&
        entry.mapping.headers.some((cell) => cell.name === field && isHeaderOf(cell, header)),
    ),
  );
  if (used.length === 0) return null;
  const list = used.map(({ header, field }) => `${header} = ${field}`).join(', ');
  const whose = profile === undefined ? same('') : t(` for profile ${profile}`, ` voor profiel ${profile}`);
  return withFlag(
    t(`Headers as remembered${whose.en}: ${list}`, `Koppen zoals onthouden${whose.nl}: ${list}`),
    '--map none',
  );
}

function unusedNote({ given }: KnownHeaders, recognised: readonly RecognisedSheet[]): Bilingual | null {
  const there = recognised.flatMap((entry) => (entry.kind === 'import' ? entry.mapping.headers : []));
  const missing = given.filter(({ header }) => !there.some((cell) => isHeaderOf(cell, header)));
  if (missing.length === 0) return null;
  const list = missing.map(({ header }) => header).join(', ');
  return t(
    `Headers of the map that no sheet has: ${list}`,
    `Koppen uit de lijst die op geen werkblad staan: ${list}`,
  );
}

const MEANT = t('did you mean', 'bedoel je');
const OR = t('or', 'of');

/** The headers that mean nothing, with what may be meant: `Verkoop prijs (did you mean Verkoopprijs?)`. */
export function unknownTexts(
  { mapping: { unknown }, proposal }: Pick<ImportSheet, 'mapping' | 'proposal'>,
  language: Language,
): string[] {
  return unknown.map((header) => {
    const text = header.replace(/\s+/g, ' ');
    const near = proposal?.columns.find((one) => one.header === text)?.fields.join(` ${OR[language]} `) ?? '';
    return near === '' ? text : `${text} (${MEANT[language]} ${near}?)`;
  });
}

/** Endings of workbooks that are not text. */
const BOOK_ENDING = /^\.(?:xls[xmb]?|xlt[xm]?|ods|ots|numbers)$/i;

/** Says of a text how it was read where its name or its lines say otherwise. */
export function textNotes({ file, format, delimiter = '', quotedLines }: Workbook): Bilingual[] {
  if (format !== 'csv') return [];
  const notes: Bilingual[] = [];
  const name = basename(file);
  const by = delimiter === '\t' ? t('tabs', 'tabs') : t(delimiter, delimiter);
  if (BOOK_ENDING.test(extname(file)))
    notes.push(
      t(
        `${name} is text separated by ${by.en}, not a workbook; it was read as that`,
        `${name} is tekst, gescheiden door ${by.nl}, en geen werkmap; zo is het ook gelezen`,
      ),
    );
  if (quotedLines === true)
    notes.push(
      t(
        'Each line stands as a whole between quotes; it was read without them',
        'Elke regel staat in zijn geheel tussen aanhalingstekens; die zijn weggelaten bij het lezen',
      ),
    );
  return notes;
}
