import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { KnownHeaders } from './header-names.ts';
import type { NoRecord } from './not-records.ts';
import type { PassedOverRows, SheetReading } from './read-rows.ts';
import type { ImportSheet, RecognisedSheet } from './recognise.ts';
import { lettersOf } from './sheet-mapping.ts';

/** So many rows are named; the rest is counted. */
const SHOWN_ROWS = 5;
const SHOWN_COLUMNS = 3;

/** What there is to know about a sheet's layout, once its rows have been read. */
export function sheetNotes(entry: ImportSheet, reading: SheetReading): Bilingual[] {
  return [
    ...headerNotes(entry),
    ...aboveNotes(entry),
    ...listedNotes(entry),
    ...twiceNotes(entry),
    ...mergeNotes(entry),
    ...hiddenColumns(entry),
    ...hiddenRows(entry, reading),
    ...REASONS.flatMap((why) => passedOverNotes(why, reading.passedOver[why])),
  ];
}

function headerNotes({ mapping: { headerRow, firstHeaderRow }, firstRow }: ImportSheet): Bilingual[] {
  if (headerRow !== firstHeaderRow)
    return [
      t(
        `the headers stand in rows ${firstHeaderRow} and ${headerRow}`,
        `de koppen staan in rij ${firstHeaderRow} en ${headerRow}`,
      ),
    ];
  return headerRow === firstRow
    ? []
    : [t(`the headers stand in row ${headerRow}`, `de koppen staan in rij ${headerRow}`)];
}

function aboveNotes({ mapping: { firstHeaderRow }, above }: ImportSheet): Bilingual[] {
  if (above.length === 0) return [];
  const more = above.length - SHOWN_ROWS;
  const list = above.slice(0, SHOWN_ROWS).join(', ');
  const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
  return [
    t(
      `row ${list}${en} above the headers in row ${firstHeaderRow} not read (--header-row names another row)`,
      `rij ${list}${nl} boven de koppen in rij ${firstHeaderRow} niet gelezen (--header-row noemt een andere rij)`,
    ),
  ];
}

/** Whoever edits such a column expects something of it. */
function listedNotes({ mapping: { listed } }: ImportSheet): Bilingual[] {
  if (listed.length === 0) return [];
  const list = listed.slice(0, SHOWN_COLUMNS).join(', ');
  const more = listed.length - SHOWN_COLUMNS;
  const [en, nl] = more > 0 ? [` and ${more} more`, ` en nog ${more}`] : ['', ''];
  return [
    t(
      `columns that only the service fills in are passed over: ${list}${en}`,
      `kolommen die alleen de dienst invult, worden overgeslagen: ${list}${nl}`,
    ),
  ];
}

function twiceNotes({ mapping: { readers } }: ImportSheet): Bilingual[] {
  const twice = readers.filter(
    (reader, column) => reader !== undefined && reader.columns.indexOf(column) === 0,
  );
  return twice.flatMap((reader) => {
    if (reader === undefined || reader.columns.length < 2) return [];
    const { name } = reader;
    const columns = lettersOf(reader.columns);
    return [
      t(
        `more than one column for ${name} (${columns}): a row in which they differ is not sent`,
        `meer dan één kolom voor ${name} (${columns}): een rij waarin ze verschillen wordt niet verstuurd`,
      ),
    ];
  });
}

/** The value of merged cells stands in the first of them: in the rows below it there is none. */
function mergeNotes({ sheet: { layout }, mapping: { readers, headerRow } }: ImportSheet): Bilingual[] {
  const found = (layout?.tall ?? []).filter(
    ({ row, columns: [from, to] }) => row > headerRow && readers.slice(from, to + 1).some(Boolean),
  );
  if (found.length === 0) return [];
  const shown = found.slice(0, SHOWN_ROWS);
  const list = shown.map(({ range }) => range).join(', ');
  const dots = found.length > shown.length ? ', …' : '';
  return [
    t(
      `merged cells ${list}${dots}: only the first row of each has the value`,
      `samengevoegde cellen ${list}${dots}: alleen de eerste rij ervan heeft de waarde`,
    ),
  ];
}

function hiddenColumns({ sheet: { layout }, mapping }: ImportSheet): Bilingual[] {
  const ranges = layout?.hiddenColumns ?? [];
  const hidden = mapping.readers.filter(
    (reader, column) => reader !== undefined && ranges.some(([from, to]) => column >= from && column <= to),
  );
  if (hidden.length === 0) return [];
  const names = hidden.map((reader) => `${reader?.letters} ${reader?.name}`).join(', ');
  return [
    t(`hidden columns are imported too: ${names}`, `verborgen kolommen worden ook geïmporteerd: ${names}`),
  ];
}

function hiddenRows({ sheet: { layout } }: ImportSheet, { hidden }: SheetReading): Bilingual[] {
  if (hidden === 0) return [];
  const filter =
    layout?.filtered === true
      ? t(' (the sheet has a filter)', ' (het werkblad heeft een filter)')
      : t('', '');
  return [
    hidden === 1
      ? t(`1 hidden row is imported too${filter.en}`, `1 verborgen rij wordt ook geïmporteerd${filter.nl}`)
      : t(
          `${hidden} hidden rows are imported too${filter.en}`,
          `${hidden} verborgen rijen worden ook geïmporteerd${filter.nl}`,
        ),
  ];
}

const WHY: Readonly<Record<NoRecord, Bilingual>> = {
  explanation: t('an explanation of the columns', 'uitleg bij de kolommen'),
  header: t('the headers once more', 'nog eens de koppen'),
  total: t('a total', 'een totaal'),
  sums: t('the sums of the rows above', 'de sommen van de rijen erboven'),
  remark: t('a text on its own', 'een losse tekst'),
};

const REASONS = Object.keys(WHY) as NoRecord[];

function passedOverNotes(why: NoRecord, seen: PassedOverRows | undefined): Bilingual[] {
  if (seen === undefined) return [];
  const { count, rows } = seen;
  const more = count - rows.length;
  const list = rows.join(', ');
  const [en, nl] = [more === 0 ? '' : ` and ${more} more`, more === 0 ? '' : ` en nog ${more}`];
  return [
    t(
      `row ${list}${en} passed over: ${WHY[why].en}, no record`,
      `rij ${list}${nl} overgeslagen: ${WHY[why].nl}, geen record`,
    ),
  ];
}

/** Something to know about a whole file. */
interface FileNote {
  readonly sheet: null;
  readonly text: Bilingual;
}

interface Recognised {
  readonly workbook: Workbook;
  readonly recognised: readonly RecognisedSheet[];
}

/** What there is to know about a file beside its sheets: its encoding, and where its headers' names are from. */
export function fileNotes(
  { workbook, recognised }: Recognised,
  known: KnownHeaders,
  given: { readonly encoding?: string | undefined },
): FileNote[] {
  const texts = [
    ...(given.encoding === undefined ? encodingNotes(workbook) : []),
    ...known.notes,
    ...unusedNotes(known, recognised),
  ];
  return texts.map((text) => ({ sheet: null, text }));
}

/** An encoding other than UTF-8 is a guess, which letters with accents show to be right or wrong. */
function encodingNotes({ encoding, delimiter = '' }: Workbook): Bilingual[] {
  if (encoding === undefined || encoding === 'utf-8') return [];
  const [en, nl] = delimiter === '\t' ? ['tab', 'tab'] : [delimiter, delimiter];
  return [
    t(
      `Read as ${encoding}, separated by ${en} (--encoding and --delimiter overrule)`,
      `Gelezen als ${encoding}, gescheiden door ${nl} (--encoding en --delimiter gaan voor)`,
    ),
  ];
}

function unusedNotes({ given }: KnownHeaders, recognised: readonly RecognisedSheet[]): Bilingual[] {
  const there = new Set(
    recognised.flatMap((entry) =>
      entry.kind === 'import' ? entry.mapping.headers.map(({ header }) => normaliseHeader(header)) : [],
    ),
  );
  const missing = given.filter(({ header }) => !there.has(normaliseHeader(header)));
  if (missing.length === 0) return [];
  const list = missing.map(({ header }) => header).join(', ');
  return [
    t(
      `Headers of the map that no sheet has: ${list}`,
      `Koppen uit de lijst die op geen werkblad staan: ${list}`,
    ),
  ];
}
