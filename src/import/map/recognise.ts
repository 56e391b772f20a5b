import { basename } from 'node:path';
import type { Row } from '../../core/cell.ts';
import { type CommandChange, type StopError, usageStop } from '../../core/errors.ts';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, same, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import { isGuideName, isListsName, isLookUp, isSummary, isUndone } from '../../core/own-sheets.ts';
import type { Locale } from '../../core/value.ts';
import { holdsBaseline, isBaselineSheet } from '../../files/baseline-sheet.ts';
import { isPostedSheet } from '../../files/posted-sheet.ts';
import { RUN_ID } from '../../run/runs.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { isBlank } from './cell-sense.ts';
import { findHeader } from './find-header.ts';
import { isNamed } from './header-names.ts';
import { proposedSheet, proposedSheets, proposeHeaders, type SheetProposal } from './header-proposals.ts';
import { HEADER_SEARCH_ROWS, type HeaderRow } from './header-row.ts';
import { isNestedSheet } from './listed-columns.ts';
import {
  byHeaders,
  candidates,
  proposal,
  type SheetWishes,
  servedBy,
  servedByHeaders,
  withoutOthers,
} from './sheet-by-headers.ts';
import { mapHeader, type SetValue, type SheetMapping } from './sheet-mapping.ts';

/** A sheet to import. */
export interface ImportSheet {
  readonly kind: 'import';
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  /** The first row that holds anything. */
  readonly firstRow: number;
  /** Rows above the header that look like records, and are not read. */
  readonly above: readonly number[];
  /** A row of the header with a stray quote, and what was found there. */
  readonly strayQuote?: { readonly row: number; readonly found: string } | undefined;
  /** What its unknown headers may mean. */
  readonly proposals?: readonly SheetProposal[] | undefined;
}

/**
 * A sheet of the workbook: one to import, one to pass over, or one that is meant to be imported and can't be.
 */
export type RecognisedSheet =
  | ImportSheet
  | {
      readonly kind: 'skip';
      readonly sheet: Sheet;
      readonly reason: Bilingual;
      /** The command that it is for. */
      readonly serves?: string;
      /** What would import it. */
      readonly next?: Bilingual | undefined;
      /** What puts the command line right. */
      readonly change?: CommandChange | undefined;
      /** It is the summary of an earlier result. */
      readonly summary?: true;
      /** The run that it is the summary of. */
      readonly run?: string | undefined;
      /** It is the hidden baseline, or hidden lists to choose from: these go unmentioned. */
      readonly baseline?: true;
      /** What it lacks to be one of the only kind that has its columns, as a scanner's CSV does. */
      readonly lacks?: { readonly resource: Resource; readonly fields: readonly string[] } | undefined;
      /** One of the program's own, which goes unmentioned. */
      readonly own?: true;
      /** What it may be by the words in its headers: one, or several that it may be of as well. */
      readonly proposals?: readonly SheetProposal[];
    }
  | {
      readonly kind: 'problem';
      readonly sheet: Sheet;
      readonly problem: Bilingual;
      readonly serves?: string;
      readonly next?: Bilingual | undefined;
      /** What puts the command line right. */
      readonly change?: CommandChange | undefined;
      readonly proposals?: readonly SheetProposal[];
      readonly lacks?: { readonly resource: Resource; readonly fields: readonly string[] } | undefined;
    };

/** How sheets are recognised, and which of them are wanted. */
export interface RecogniseOptions extends SheetWishes {
  /** The resource that `--as` names. */
  readonly as?: Resource | undefined;
  /** The sheets that `--sheet` names; all when empty. */
  readonly only: readonly string[];
  readonly set: readonly SetValue[];
  /** The headers that were given to a CSV. */
  readonly columns?: readonly string[] | undefined;
  /** How numbers among its texts are shown. */
  readonly locale?: Locale | undefined;
}

function noHeader(
  sheet: string,
  resource: Resource,
  top: readonly Row[],
  { delimiter }: Workbook,
): Bilingual {
  const own = ownHeaders(top, delimiter);
  const some = Object.keys(resource.fields).slice(0, 6).join(', ');
  return t(
    `Sheet ${sheet} has no header row: none of its first ${HEADER_SEARCH_ROWS} rows names a column such as ${some}${own.en}`,
    `Werkblad ${sheet} heeft geen kopregel: geen van de eerste ${HEADER_SEARCH_ROWS} rijen noemt een kolom zoals ${some}${own.nl}`,
  );
}

/** A text that begins as a number, as no title does. */
const VALUE = /^\s*[+-]?[€$£]?\s*\d/;

function recordsAbove(top: readonly Row[], { firstHeaderRow }: SheetMapping): number[] {
  return top.flatMap(({ number, cells }) => {
    const filled = cells.filter((cell) => !isBlank(cell));
    const holds = filled.some((cell) => cell.type !== 'text' || VALUE.test(cell.value));
    return number < firstHeaderRow && filled.length > 1 && holds ? [number] : [];
  });
}

function strayQuote(
  top: readonly Row[],
  { firstHeaderRow, headerRow }: SheetMapping,
): ImportSheet['strayQuote'] {
  const row = top.find(
    ({ number, finding }) => finding !== undefined && number >= firstHeaderRow && number <= headerRow,
  );
  return row?.finding === undefined ? undefined : { row: row.number, found: row.finding.found };
}

/** A summary names its run among the first of its rows. */
function runIn(top: readonly Row[]): string | undefined {
  const texts = top.flatMap(({ cells }) => cells.map(({ value }) => String(value)));
  return texts.find((text) => RUN_ID.test(text));
}

async function recogniseSheet(
  sheet: Sheet,
  workbook: Workbook,
  options: RecogniseOptions,
): Promise<RecognisedSheet> {
  const { name } = sheet;
  const { headerRow, names, only, resources, known = [] } = options;
  const skip = (reason: Bilingual) => ({ kind: 'skip' as const, sheet, reason });
  const own = (reason: Bilingual) => ({ ...skip(reason), own: true as const });
  if (isPostedSheet(sheet) || (await isBaselineSheet(sheet)))
    return { ...own(PASSED_OVER.baseline), baseline: true };
  const chosen = isChosen(name, only);
  if (only.length > 0 && !chosen) return skip(PASSED_OVER.unchosen);
  if (sheet.hidden && !chosen)
    return isListsName(name) ? { ...own(PASSED_OVER.lists), baseline: true } : skip(PASSED_OVER.hidden);
  if (isGuideName(name) && !chosen) return own(PASSED_OVER.guide);
  // A sheet with nothing to import is passed over; one that was chosen by name is a problem.
  const nothingIn = (why: Bilingual) =>
    chosen ? { kind: 'problem' as const, sheet, problem: notImported(name, why) } : skip(why);
  const top = await topRows(sheet, Math.max(headerRow ?? 0, HEADER_SEARCH_ROWS));
  if (top.length === 0) return nothingIn(PASSED_OVER.empty);
  if (isSummary(name, top[0]?.cells[0]?.value))
    return { ...own(PASSED_OVER.summary), summary: true, run: runIn(top) };
  const headers = (top[0]?.cells ?? []).map(({ value }) => String(value));
  if (options.as === undefined && isNestedSheet(resources, name, headers))
    return holdsBaseline(workbook) && !chosen ? own(PASSED_OVER.nested) : nothingIn(PASSED_OVER.nested);
  if (isUndone(name, headers)) return own(PASSED_OVER.undone);
  if (isLookUp(name, headers)) return own(PASSED_OVER.lookUp);
  const separated = workbook.format === 'csv';
  const told = { name, top, remembers: holdsBaseline(workbook), separated, locale: options.locale };
  const resource = options.as ?? resources.find((one) => isNamed(one, name));
  if (resource !== undefined) {
    const header = findHeader(top, resource, options);
    if (header !== undefined) return toImport(sheet, workbook, options, top, { resource, header });
    const proposed = proposedSheet(told, resource, options);
    const proposals = proposed === undefined ? [] : [proposed];
    if (headerRow === undefined || proposed !== undefined)
      return { kind: 'problem', sheet, problem: noHeader(name, resource, top, workbook), proposals };
    throw noHeaderInRow(name, headerRow, findHeader(top, resource, { names }));
  }
  const few = separated ? candidates(top, importable(options)) : [];
  const found = byHeaders(top, options) ?? wholeBySet(few, options);
  const serves = servedBy(known, name) ?? servedByHeaders(top, options, found?.weight ?? 0);
  if (serves !== undefined)
    return { ...nothingIn(t(`for catersheet ${serves}`, `voor catersheet ${serves}`)), serves };
  if (found !== undefined) return toImport(sheet, workbook, options, top, found);
  if (isNestedSheet(resources, name)) return nothingIn(PASSED_OVER.nested);
  const { en, nl } = ownHeaders(top, workbook.delimiter);
  const why = t(
    `no sheet to import by its name or columns${en}`,
    `geen werkblad om te importeren, naar naam of kolommen${nl}`,
  );
  const proposals = proposedSheets(told, resources, options);
  return {
    ...nothingIn(why),
    ...proposal(workbook.file, few, options.columns),
    proposals,
    lacks: lacksOf(few),
  };
}

/** Sheets of other commands are told by their required columns as they are. */
const importable = (options: RecogniseOptions): RecogniseOptions => ({
  ...options,
  resources: options.resources.filter(({ command }) => command === undefined),
});

/** The only resource that a CSV has all of, with the values for all rows. */
function wholeBySet(few: ReturnType<typeof candidates>, { set }: RecogniseOptions) {
  const [only, ...others] = few.filter(({ lacking }) => lacking.length === 0);
  return set.length > 0 && others.length === 0 ? only : undefined;
}

/** What a CSV lacks to be of the only kind that has its columns. */
function lacksOf(few: ReturnType<typeof candidates>) {
  const [only, ...others] = few;
  if (only === undefined || others.length > 0) return undefined;
  return { resource: only.resource, fields: only.lacking };
}

const notImported = (sheet: string, why: Bilingual): Bilingual =>
  t(
    `Sheet ${sheet} was chosen and is not imported: ${why.en}`,
    `Werkblad ${sheet} was gekozen en wordt niet geïmporteerd: ${why.nl}`,
  );

function toImport(
  sheet: Sheet,
  workbook: Workbook,
  { set, known = [], locale }: RecogniseOptions,
  top: readonly Row[],
  { resource, header }: { readonly resource: Resource; readonly header: HeaderRow },
): ImportSheet {
  const below = top.filter(({ number }) => number > header.headerRow);
  const separated = workbook.format === 'csv';
  const remembers = holdsBaseline(workbook);
  const around = { below, separated, remembers, guarded: separated || !remembers };
  const mapping = withoutOthers(mapHeader(sheet.name, resource, header, set, around), known);
  const firstRow = top[0]?.number ?? 1;
  const above = recordsAbove(top, mapping);
  const proposal = proposeHeaders({ name: sheet.name, top, remembers, locale }, resource, mapping);
  const proposals = proposal === undefined ? [] : [proposal];
  return { kind: 'import', sheet, mapping, firstRow, above, strayQuote: strayQuote(top, mapping), proposals };
}

/**
 * Recognises every sheet, in workbook order. Throws StopError with EXIT.usage
 * for a chosen name that no sheet has, and for a header row that names nothing.
 */
export async function recogniseSheets(
  workbook: Workbook,
  options: RecogniseOptions,
): Promise<RecognisedSheet[]> {
  checkChosen(workbook, options.only);
  const recognised: RecognisedSheet[] = [];
  for (const sheet of workbook.sheets) recognised.push(await recogniseSheet(sheet, workbook, options));
  return recognised;
}

/** Whether a sheet is one of those named; names are compared as headers are. */
export function isChosen(sheet: string, only: readonly string[]): boolean {
  return only.some((name) => normaliseHeader(name) === normaliseHeader(sheet));
}

/**
 * Throws StopError with EXIT.usage for a name that no sheet has; the next step names those that look like it.
 */
function checkChosen({ file, sheets }: Workbook, only: readonly string[]): void {
  const names = sheets.map(({ name }) => name);
  const missing = only.find((name) => !names.some((own) => isChosen(own, [name])));
  if (missing === undefined) return;
  const looks = nearest(missing, names);
  const near = looks.join(', ');
  const message = t(
    `--sheet ${missing}: ${basename(file)} has no sheet of that name.`,
    `--sheet ${missing}: ${basename(file)} heeft geen werkblad met die naam.`,
  );
  const next =
    near === ''
      ? t(`Its sheets are: ${names.join(', ')}.`, `De werkbladen zijn: ${names.join(', ')}.`)
      : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`);
  // Of several sheets the others would be left out.
  const sheet = looks[0] ?? (names.length === 1 ? names[0] : undefined);
  throw usageStop(message, next, only.length > 1 ? undefined : { give: { sheet: sheet ?? null } });
}

/** The row of `--header-row` holds no header of the sheet; `found` is the one that would have been taken. */
function noHeaderInRow(sheet: string, row: number, found: HeaderRow | undefined): StopError {
  const names = found?.headers.flatMap(({ field }) => field ?? []).slice(0, 3) ?? [];
  const next =
    found === undefined
      ? t(
          'Name the row that holds the headers, or one sheet with --sheet.',
          'Noem de rij waarin de koppen staan, of één werkblad met --sheet.',
        )
      : t(
          `Row ${found.firstHeaderRow} names ${names.join(', ')}: leave --header-row out, or name one sheet with --sheet.`,
          `Rij ${found.firstHeaderRow} noemt ${names.join(', ')}: laat --header-row weg, of noem één werkblad met --sheet.`,
        );
  const message = t(
    `--header-row ${row}: row ${row} of sheet ${sheet} names no column.`,
    `--header-row ${row}: rij ${row} van werkblad ${sheet} noemt geen kolom.`,
  );
  return usageStop(message, next);
}

/** Texts of a row that are quoted. */
const QUOTED = 6;
const shorten = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 30);

/**
 * Ends a message on a sheet without known columns: a row that may hold its headers, and a CSV's delimiter.
 */
function ownHeaders(top: readonly Row[], delimiter: string | undefined): Bilingual {
  const row = top.find(({ cells }) => cells.length > 2 && cells.every(({ type }) => type === 'text'));
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const cut =
    mark === undefined
      ? same('')
      : t(
          `; read as separated by ${mark}, --delimiter names another`,
          `; gelezen als gescheiden door ${mark}, --delimiter noemt een ander`,
        );
  if (row === undefined) return cut;
  const list = row.cells
    .slice(0, QUOTED)
    .map(({ value }) => shorten(`${value}`))
    .join(', ');
  const more = row.cells.length > QUOTED ? ', …' : '';
  return t(
    `; row ${row.number} holds ${list}${more}: --map says what headers of your own stand for${cut.en}`,
    `; rij ${row.number} bevat ${list}${more}: --map zegt waar je eigen koppen voor staan${cut.nl}`,
  );
}

/** Rows read below the last one that is searched: they tell what a header there is of. */
const ROWS_BELOW = 6;

/** The rows of a sheet that hold anything, down to `until` and a few below it. */
async function topRows(sheet: Sheet, until: number): Promise<Row[]> {
  const top: Row[] = [];
  for await (const batch of sheet.batches) {
    for (const row of batch) {
      if (row.number > until + ROWS_BELOW) return top;
      if (row.cells.length > 0) top.push(row);
    }
  }
  return top;
}

/** Why a sheet is passed over. */
const PASSED_OVER = {
  unchosen: t('not chosen', 'niet gekozen'),
  hidden: t('hidden', 'verborgen'),
  lists: t('lists to choose from', 'keuzelijsten'),
  guide: t('the explanation', 'de uitleg'),
  empty: t('empty', 'leeg'),
  summary: t('the summary of an earlier result', 'de samenvatting van een eerder resultaat'),
  // On an export's own sheet a change is told by itself, so that the sheet is no news.
  nested: t('only the service fills it in', 'alleen het systeem vult dit in'),
  undone: t("what can't be taken back", 'wat niet terug te draaien is'),
  lookUp: t('what ids name', 'wat bij de nummers hoort'),
  baseline: t('what the records were', 'wat de records waren'),
} as const;
