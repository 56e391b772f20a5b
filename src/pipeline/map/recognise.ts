import type { Row } from '../../schema/cell.ts';
import { isGuideName, isSummary, isUndone } from '../../schema/own-sheets.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { isBaseSheet, isOurs } from '../base/open-base.ts';
import { RUN_ID } from '../plan/run-id.ts';
import { byHeaders, servedByHeaders } from './by-headers.ts';
import { isBlank } from './cell-sense.ts';
import { checkChosen, isChosen } from './chosen-sheets.ts';
import { servedBy, withoutOthers } from './command-sheets.ts';
import { isNamed } from './header-names.ts';
import { findHeader, HEADER_SEARCH_ROWS, type HeaderWishes } from './header-row.ts';
import { isNestedSheet } from './listed-columns.ts';
import { noHeaderInRow, ownHeaders } from './no-header-in-row.ts';
import { PASSED_OVER } from './passed-over-why.ts';
import { mapHeader, type SetValue, type SheetMapping } from './sheet-mapping.ts';
import { topRows } from './top-rows.ts';

/** A sheet to import. */
export interface ImportSheet {
  readonly kind: 'import';
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  /** The first row that holds anything. */
  readonly firstRow: number;
  /** Rows above the header that look like records: they are not read. */
  readonly above: readonly number[];
}

/** What a sheet of the workbook is: one to import, one to pass over, or one that should be importable but is not. */
export type RecognisedSheet =
  | ImportSheet
  | {
      readonly kind: 'skip';
      readonly sheet: Sheet;
      readonly reason: Bilingual;
      /** The command that it is for. */
      readonly serves?: string;
      /** It is the summary of an earlier result. */
      readonly summary?: true;
      /** The run that it is the summary of. */
      readonly run?: string | undefined;
      /** It is the program's own, which nobody sees and nothing is said of. */
      readonly base?: true;
    }
  | {
      readonly kind: 'problem';
      readonly sheet: Sheet;
      readonly problem: Bilingual;
      readonly serves?: string;
    };

/** By what sheets are told apart, and which of them are wanted. */
export interface RecogniseOptions extends HeaderWishes {
  readonly resources: readonly Resource[];
  /** Every kind there is, so that a sheet that serves another command is known by its name. */
  readonly known?: readonly Resource[];
  /** The resource that `--as` names. */
  readonly as?: Resource | undefined;
  /** The sheets that `--sheet` names; all when empty. */
  readonly only: readonly string[];
  readonly set: readonly SetValue[];
}

function noHeader(
  sheet: Sheet,
  resource: Resource,
  top: readonly Row[],
  { delimiter }: Workbook,
): RecognisedSheet {
  const own = ownHeaders(top, delimiter);
  const some = Object.keys(resource.fields).slice(0, 6).join(', ');
  const problem = {
    en: `Sheet ${sheet.name} has no header row: none of its first ${HEADER_SEARCH_ROWS} rows names a column such as ${some}${own.en}`,
    nl: `Werkblad ${sheet.name} heeft geen kopregel: geen van de eerste ${HEADER_SEARCH_ROWS} rijen noemt een kolom zoals ${some}${own.nl}`,
  };
  return { kind: 'problem', sheet, problem };
}

const skip = (sheet: Sheet, en: string, nl: string) => ({
  kind: 'skip' as const,
  sheet,
  reason: { en, nl },
});

/** A sheet that holds nothing to import is passed over; one that was asked for by name is a problem. */
function nothingIn(
  sheet: Sheet,
  chosen: boolean,
  en: string,
  nl: string,
): Exclude<RecognisedSheet, ImportSheet> {
  if (!chosen) return skip(sheet, en, nl);
  const problem = {
    en: `Sheet ${sheet.name} was chosen and is not imported: ${en}`,
    nl: `Werkblad ${sheet.name} was gekozen en wordt niet geïmporteerd: ${nl}`,
  };
  return { kind: 'problem', sheet, problem };
}

/** A value among other cells, such as no title has: a number or the like, or a text that begins as one. */
const VALUE = /^\s*[+-]?[€$£]?\s*\d/;

function recordsAbove(top: readonly Row[], { firstHeaderRow }: SheetMapping): number[] {
  return top.flatMap(({ number, cells }) => {
    const filled = cells.filter((cell) => !isBlank(cell));
    const holds = filled.some((cell) => cell.type !== 'text' || VALUE.test(cell.value));
    return number < firstHeaderRow && filled.length > 1 && holds ? [number] : [];
  });
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
  if (await isBaseSheet(sheet)) return { ...skip(sheet, ...PASSED_OVER.base), base: true };
  const chosen = isChosen(sheet.name, options.only);
  if (options.only.length > 0 && !chosen) return skip(sheet, 'not chosen', 'niet gekozen');
  if (sheet.hidden && !chosen) return skip(sheet, 'hidden', 'verborgen');
  if (isGuideName(sheet.name) && !chosen) return skip(sheet, 'the explanation', 'de uitleg');
  const { headerRow, names } = options;
  const top = await topRows(sheet, Math.max(headerRow ?? 0, HEADER_SEARCH_ROWS));
  if (top.length === 0) return nothingIn(sheet, chosen, 'empty', 'leeg');
  if (isSummary(sheet.name, top[0]?.cells[0]?.value))
    return { ...skip(sheet, ...PASSED_OVER.summary), summary: true, run: runIn(top) };
  const headers = (top[0]?.cells ?? []).map(({ value }) => String(value));
  if (options.as === undefined && isNestedSheet(options.resources, sheet.name, headers))
    return nothingIn(sheet, chosen, ...PASSED_OVER.nested);
  if (isUndone(sheet.name, headers)) return skip(sheet, ...PASSED_OVER.undone);
  const named = options.as ?? options.resources.find((resource) => isNamed(resource, sheet.name));
  const header = named === undefined ? undefined : findHeader(top, named, { headerRow, names });
  if (named !== undefined && header === undefined) {
    if (headerRow !== undefined)
      throw noHeaderInRow(sheet.name, headerRow, findHeader(top, named, { names }));
    return noHeader(sheet, named, top, workbook);
  }
  const { known = [] } = options;
  const found =
    named !== undefined && header !== undefined
      ? { resource: named, header, weight: 0 }
      : byHeaders(top, options);
  const other =
    named === undefined
      ? (servedBy(known, sheet.name) ?? servedByHeaders(top, options, found?.weight ?? 0))
      : undefined;
  if (other !== undefined)
    return {
      ...nothingIn(sheet, chosen, `for catersheet ${other}`, `voor catersheet ${other}`),
      serves: other,
    };
  if (found === undefined && isNestedSheet(options.resources, sheet.name))
    return nothingIn(sheet, chosen, ...PASSED_OVER.nested);
  if (found === undefined) {
    const own = ownHeaders(top, workbook.delimiter);
    return nothingIn(
      sheet,
      chosen,
      `no sheet to import by its name or columns${own.en}`,
      `geen werkblad om te importeren, naar naam of kolommen${own.nl}`,
    );
  }
  const below = top.filter(({ number }) => number > found.header.row);
  const separated = workbook.format === 'csv';
  const around = { below, separated, guarded: separated || !isOurs(workbook) };
  const mapped = mapHeader(sheet.name, found.resource, found.header, options.set, around);
  const mapping = withoutOthers(mapped, known);
  return { kind: 'import', sheet, mapping, firstRow: top[0]?.number ?? 1, above: recordsAbove(top, mapping) };
}

/**
 * Says of every sheet what it is, in workbook order (design: "Sheets and columns"). Throws StopError with EXIT.usage for
 * a chosen name that no sheet has, and for a header row that names nothing.
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
