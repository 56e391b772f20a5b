import { basename } from 'node:path';
import type { Row } from '../../core/cell.ts';
import { type CommandChange, usageStop } from '../../core/errors.ts';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, composed, same, t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import { isGuideName, isListsName, isLookUp, isSummary, isUndone } from '../../core/own-sheets.ts';
import type { Locale } from '../../core/value.ts';
import { holdsBaseline, isBaselineSheet } from '../../files/baseline-sheet.ts';
import { isPostedSheet } from '../../files/posted-sheet.ts';
import { RUN_ID } from '../../run/runs.ts';
import { kindWords, type Resource } from '../../schema/resource.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { anyHeader } from './bare-header.ts';
import { isBlank, isWords, noValue } from './cell-sense.ts';
import { findHeader } from './find-header.ts';
import { isNamed } from './header-names.ts';
import { proposedSheet, proposedSheets, proposeHeaders, type SheetProposal } from './header-proposals.ts';
import { HEADER_SEARCH_ROWS, type HeaderRow, VALUE } from './header-row.ts';
import { isNestedSheet } from './listed-columns.ts';
import { noHeader, noHeaderInRow, ownHeaders } from './no-header.ts';
import {
  byHeaders,
  candidates,
  proposal,
  type SheetWishes,
  servedBy,
  servedByHeaders,
  withoutOthers,
} from './sheet-by-headers.ts';
import {
  checkChoices,
  choiceFor,
  chosenFields,
  chosenResource,
  chosenTwins,
  type SheetChoice,
  withChoice,
} from './sheet-choices.ts';
import { bareCell, mapHeader, type SetValue, type SheetMapping } from './sheet-mapping.ts';
import { topRows } from './top-rows.ts';

/** A sheet to import. */
export interface ImportSheet {
  readonly kind: 'import';
  readonly sheet: Sheet;
  readonly mapping: SheetMapping;
  /** The first row that holds anything. */
  readonly firstRow: number;
  /** Rows above the header that look like records, and are not read. */
  readonly above: readonly number[];
  /** A cell among its first rows stands in a column without a header. */
  readonly isBare?: boolean | undefined;
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
      /** The same without flags of the command line, where it names some. */
      readonly plain?: Bilingual;
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
      /** What it may be as far as its columns go, though they are few. */
      readonly likely?: readonly string[];
    }
  | {
      readonly kind: 'problem';
      readonly sheet: Sheet;
      readonly problem: Bilingual;
      /** The same without flags of the command line, where it names some. */
      readonly plain?: Bilingual;
      readonly serves?: string;
      readonly next?: Bilingual | undefined;
      /** What puts the command line right. */
      readonly change?: CommandChange | undefined;
      readonly proposals?: readonly SheetProposal[];
      readonly likely?: readonly string[];
      readonly lacks?: { readonly resource: Resource; readonly fields: readonly string[] } | undefined;
    };

/** A sheet that is not imported. */
type NotImported = Exclude<RecognisedSheet, ImportSheet>;

/** How sheets are recognised, and which of them are wanted. */
export interface RecogniseOptions extends SheetWishes {
  /** The resource that `--as` names. */
  readonly as?: Resource | undefined;
  /** The sheets that `--sheet` names; all when empty. */
  readonly only: readonly string[];
  /** What the user said of single sheets: it overrules all else. */
  readonly choices?: readonly SheetChoice[] | undefined;
  readonly set: readonly SetValue[];
  /** The headers that were given to a CSV. */
  readonly columns?: readonly string[] | undefined;
  /** How numbers among its texts are shown. */
  readonly locale?: Locale | undefined;
}

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
  wishes: RecogniseOptions,
): Promise<RecognisedSheet> {
  const { name } = sheet;
  const { only, resources } = wishes;
  const skip = (reason: Bilingual) => ({ kind: 'skip' as const, sheet, reason });
  const own = (reason: Bilingual) => ({ ...skip(reason), own: true as const });
  if (isPostedSheet(sheet) || (await isBaselineSheet(sheet)))
    return { ...own(PASSED_OVER.baseline), baseline: true };
  const choice = choiceFor(name, wishes.choices);
  if (choice?.as === null) return skip(PASSED_OVER.leftOut);
  const said = choice === undefined ? undefined : chosenResource(choice, resources);
  const chosen = said !== undefined || isChosen(name, only);
  if (only.length > 0 && !chosen) return skip(PASSED_OVER.unchosen);
  if (sheet.hidden && !chosen)
    return isListsName(name) ? { ...own(PASSED_OVER.lists), baseline: true } : skip(PASSED_OVER.hidden);
  if (isGuideName(name) && !chosen) return own(PASSED_OVER.guide);
  // A sheet with nothing to import is passed over; one that was chosen by name is a problem.
  const nothingIn = (why: Bilingual) =>
    chosen ? { kind: 'problem' as const, sheet, problem: notImported(name, why) } : skip(why);
  const { top } = await topRows(
    sheet,
    Math.max(wishes.headerRow ?? 0, choice?.headerRow ?? 0, HEADER_SEARCH_ROWS),
  );
  const options = {
    ...wishes,
    as: said ?? wishes.as,
    headerRow: choice?.headerRow ?? wishes.headerRow,
    wide: sheet.layout?.wide,
  };
  if (top.length === 0) return nothingIn(PASSED_OVER.empty);
  if (said !== undefined) return asResource(sheet, workbook, options, top, said);
  if (isSummary(name, top[0]?.cells[0]?.value))
    return { ...own(PASSED_OVER.summary), summary: true, run: runIn(top) };
  const headers = (top[0]?.cells ?? []).map(({ value }) => String(value));
  if (options.as === undefined && isNestedSheet(resources, name, headers))
    return holdsBaseline(workbook) && !chosen ? own(PASSED_OVER.nested) : nothingIn(PASSED_OVER.nested);
  if (isUndone(name, headers)) return own(PASSED_OVER.undone);
  if (isLookUp(name, headers)) return own(PASSED_OVER.lookUp);
  const resource = options.as ?? resources.find((one) => isNamed(one, name));
  return resource === undefined
    ? byItsHeaders(sheet, workbook, options, top, nothingIn)
    : asResource(sheet, workbook, options, top, resource);
}

/** What tells of a sheet's headers. */
const toldBy = ({ name }: Sheet, workbook: Workbook, top: readonly Row[], { locale }: RecogniseOptions) => ({
  ...{ name, top, locale },
  remembers: holdsBaseline(workbook),
  separated: workbook.format === 'csv',
});

/** A sheet that is one of this resource, by its name or because the user says so. */
function asResource(
  sheet: Sheet,
  workbook: Workbook,
  options: RecogniseOptions,
  top: readonly Row[],
  resource: Resource,
): RecognisedSheet {
  const { name } = sheet;
  const { headerRow, names } = options;
  const choice = choiceFor(name, options.choices);
  const says = choice?.columns?.some(({ field }) => field !== null) === true;
  const header = says ? anyHeader(top, resource, options) : findHeader(top, resource, options);
  if (header !== undefined) return toImport(sheet, workbook, options, top, { resource, header });
  const proposed = proposedSheet(toldBy(sheet, workbook, top, options), resource, options);
  const proposals = proposed === undefined ? [] : [proposed];
  if (headerRow === undefined || proposed !== undefined || choice !== undefined)
    return { kind: 'problem', sheet, ...noHeader(name, resource, top, workbook), proposals };
  throw noHeaderInRow(name, headerRow, findHeader(top, resource, { names }));
}

/** A sheet of another name: what it holds is told by its headers. */
function byItsHeaders(
  sheet: Sheet,
  workbook: Workbook,
  options: RecogniseOptions,
  top: readonly Row[],
  nothingIn: (why: Bilingual) => NotImported,
): RecognisedSheet {
  const { name } = sheet;
  const { resources, known = [] } = options;
  const few = workbook.format === 'csv' ? candidates(top, importable(options)) : [];
  const found = byHeaders(top, options) ?? wholeBySet(few, options);
  const serves = servedBy(known, name) ?? servedByHeaders(top, options, found?.weight ?? 0);
  if (serves !== undefined)
    return {
      ...nothingIn(
        t(
          `for catersheet ${serves}`,
          `voor catersheet ${serves}`,
          t(
            `for ${wordsOf(known, serves).en}: say that the file is for that`,
            `voor ${wordsOf(known, serves).nl}: zeg dat het bestand daarvoor is`,
          ),
        ),
      ),
      serves,
    };
  if (found !== undefined) return toImport(sheet, workbook, options, top, found);
  if (isNestedSheet(resources, name)) return nothingIn(PASSED_OVER.nested);
  const own = ownHeaders(top, workbook.delimiter);
  const { unknown } = PASSED_OVER;
  const as = workbook.format === 'csv' ? t('', '') : asText(name, candidates(top, importable(options)));
  return {
    ...nothingIn(
      composed([own, as], (...all) =>
        t(
          `${unknown.en}${all.map(({ en }) => en).join('')}`,
          `${unknown.nl}${all.map(({ nl }) => nl).join('')}`,
        ),
      ),
    ),
    ...proposal(workbook.file, few, options.columns),
    plain: unknown,
    // A sheet of packages is not one of events to refresh, though it has an ExternalID.
    proposals: known.some((one) => isNamed(one, name))
      ? []
      : proposedSheets(toldBy(sheet, workbook, top, options), resources, options),
    likely: few.map(({ resource }) => resource.name),
    lacks: lacksOf(few),
  };
}

/** Says how a sheet of few columns is imported, where they are those of one kind; empty for others. */
function asText(sheet: string, few: ReturnType<typeof candidates>): Bilingual {
  const [only, ...others] = few;
  if (only === undefined || others.length > 0) return t('', '');
  const { resource } = only;
  const flags = `--as ${resource.name} --sheet "${sheet}"`;
  return t(
    `; ${flags} imports it as ${resource.sheet}`,
    `; ${flags} importeert het als ${resource.sheet}`,
    t(`; it may be ${resource.sheet}: say so`, `; het kan ${resource.sheet} zijn: zeg dat`),
  );
}

/** What the sheets of a command hold, in a word. */
function wordsOf(known: readonly Resource[], command: string): Bilingual {
  const found = known.find((one) => one.command === command);
  return found === undefined ? same(command) : kindWords(found);
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
  composed([why], ({ en, nl }) =>
    t(
      `Sheet ${sheet} was chosen and is not imported: ${en}`,
      `Werkblad ${sheet} was gekozen en wordt niet geïmporteerd: ${nl}`,
    ),
  );

function toImport(
  sheet: Sheet,
  workbook: Workbook,
  { set, known = [], locale, choices }: RecogniseOptions,
  top: readonly Row[],
  { resource, header }: { readonly resource: Resource; readonly header: HeaderRow },
): RecognisedSheet {
  const choice = choiceFor(sheet.name, choices);
  const columns = choice === undefined ? NONE_CHOSEN : chosenFields(choice, resource);
  const twins = chosenTwins(sheet.name, columns);
  if (twins !== undefined) return { kind: 'problem', sheet, problem: twins };
  const below = top.filter(({ number }) => number > header.headerRow);
  const separated = workbook.format === 'csv';
  const remembers = holdsBaseline(workbook);
  const around = { below, separated, remembers, guarded: separated || !remembers };
  const taken = withChoice(header, columns);
  const mapping = withoutOthers(mapHeader(sheet.name, resource, taken, set, around), known);
  if (columns.size > 0 && mapping.columns.size === 0)
    return { kind: 'problem', sheet, problem: noneChosen(sheet.name) };
  const firstRow = top[0]?.number ?? 1;
  const above = recordsAbove(top, mapping);
  const proposal = proposeHeaders({ name: sheet.name, top, remembers, locale }, resource, mapping);
  const proposals = proposal === undefined ? [] : [proposal];
  return {
    ...{ kind: 'import', sheet, mapping, firstRow, above, proposals },
    strayQuote: strayQuote(top, mapping),
    isBare: below.some((row) => bareCell(row, mapping) !== undefined),
  };
}

const NONE_CHOSEN: ReadonlyMap<number, string | null> = new Map();

const noneChosen = (sheet: string): Bilingual =>
  t(`No column of sheet ${sheet} is used`, `Van werkblad ${sheet} wordt geen kolom gebruikt`);

/**
 * Recognises every sheet, in workbook order. Throws StopError with EXIT.usage
 * for a chosen name that no sheet has, and for a header row that names nothing.
 */
export async function recogniseSheets(
  workbook: Workbook,
  options: RecogniseOptions,
): Promise<RecognisedSheet[]> {
  checkChosen(workbook, options.only);
  checkChoices(workbook.file, workbook.sheets, options.choices, options.resources);
  const recognised: RecognisedSheet[] = [];
  for (const sheet of workbook.sheets) {
    const found = await recogniseSheet(sheet, workbook, options);
    const isOver = found.kind === 'import' && found.isBare && (await learnMerges(sheet));
    const spread = isOver ? await recogniseSheet(sheet, workbook, options) : found;
    const hollow = spread.kind === 'import' ? await hollowColumns(spread) : NO_COLUMNS;
    recognised.push(hollow.size > 0 ? await recogniseSheet(sheet, workbook, { ...options, hollow }) : spread);
  }
  return recognised.map((entry) => besideNamed(entry, recognised, options, holdsBaseline(workbook)));
}

/** How an export names further sheets of records that one can't hold. */
const NUMBERED = / \(\d+\)$/;

/**
 * A sheet that its headers alone tell is not imported by itself beside one that has exactly the name of its
 * kind: it may be an old copy.
 */
function besideNamed(
  entry: RecognisedSheet,
  all: readonly RecognisedSheet[],
  { as, only, choices }: RecogniseOptions,
  isExport: boolean,
): RecognisedSheet {
  if (entry.kind !== 'import' || as !== undefined) return entry;
  const { sheet, mapping, proposals } = entry;
  const { resource } = mapping;
  if (
    isNamed(resource, sheet.name) ||
    (isExport && isNamed(resource, sheet.name.replace(NUMBERED, ''))) ||
    isChosen(sheet.name, only) ||
    choiceFor(sheet.name, choices)?.as != null
  )
    return entry;
  const named = all.find(
    (one) => one.kind === 'import' && one.mapping.resource === resource && isNamed(resource, one.sheet.name),
  );
  if (named === undefined) return entry;
  const flags = [named, entry].map((one) => `--sheet "${one.sheet.name}"`).join(' ');
  const { name } = named.sheet;
  const reason = t(
    `it holds ${resource.sheet} too, beside sheet ${name}, which has that name; ${flags} imports both`,
    `hierop staan ook ${resource.sheet}, naast werkblad ${name}, dat zo heet; ${flags} importeert beide`,
    t(
      `it holds ${resource.sheet} too, beside sheet ${name}, which has that name`,
      `hierop staan ook ${resource.sheet}, naast werkblad ${name}, dat zo heet`,
    ),
  );
  return { kind: 'skip', sheet, reason, likely: [resource.name], proposals: proposals ?? [] };
}

/** Reads a sheet to its end, where its merged cells are named; whether there are any over several columns. */
async function learnMerges(sheet: Sheet): Promise<boolean> {
  if (sheet.layout !== undefined && sheet.layout.wide === undefined)
    for await (const _ of sheet.only(new Set()));
  return (sheet.layout?.wide ?? []).length > 0;
}

const NO_COLUMNS: ReadonlySet<number> = new Set();

/**
 * The columns under a header over several that hold no value of it, down to the end of the sheet: they are empty, or
 * have a word of their own in the lower row of the header and hold words where values are numbers or days.
 */
async function hollowColumns({ sheet, mapping }: ImportSheet): Promise<ReadonlySet<number>> {
  const { headers, readers, headerRow } = mapping;
  // Of a header of which a column was chosen, the others count no more.
  const settled = new Set(headers.map(({ group, told, chosen }) => (told || chosen ? group : undefined)));
  const parts = headers.filter(({ group }) => group !== undefined && !settled.has(group));
  const hollow = new Set(parts.map(({ column }) => column));
  const remarks = new Set(
    parts.flatMap(({ column, group, header }) => {
      const field = readers[column]?.field;
      const takesWords = field == null || field.codec.type === 'text' || field.lookup !== undefined;
      return takesWords || group === header ? [] : column;
    }),
  );
  if (hollow.size === 0) return hollow;
  for await (const rows of sheet.only(new Set(hollow)))
    for (const { number, cells } of rows) {
      if (number <= headerRow) continue;
      for (const cell of cells)
        if (!isBlank(cell) && !(remarks.has(cell.column) && isWords(cell) && noValue(cell) === undefined))
          hollow.delete(cell.column);
      if (hollow.size === 0) return hollow;
    }
  return hollow;
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
    t(`${basename(file)} has no sheet ${missing}.`, `${basename(file)} heeft geen werkblad ${missing}.`),
  );
  const next =
    near === ''
      ? t(`Its sheets are: ${names.join(', ')}.`, `De werkbladen zijn: ${names.join(', ')}.`)
      : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`);
  // Of several sheets the others would be left out.
  const sheet = looks[0] ?? (names.length === 1 ? names[0] : undefined);
  throw usageStop(message, next, only.length > 1 ? undefined : { give: { sheet: sheet ?? null } });
}

/** Why a sheet is passed over. */
const PASSED_OVER = {
  unchosen: t('not chosen', 'niet gekozen'),
  leftOut: t('left out', 'weggelaten'),
  unknown: t(
    'no sheet to import by its name or columns',
    'geen werkblad om te importeren, naar naam of kolommen',
  ),
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

const EXPECTED: ReadonlySet<Bilingual> = new Set([
  PASSED_OVER.empty,
  PASSED_OVER.leftOut,
  PASSED_OVER.unchosen,
]);

/** Whether a sheet is not imported though its user may think so: it holds something, and was not left out. */
export const isMissed = (entry: RecognisedSheet): boolean =>
  entry.kind === 'problem' || (entry.kind === 'skip' && entry.own !== true && !EXPECTED.has(entry.reason));

/** The sheets to import in the order of their resources: what others refer to is sent first. */
export function inSendingOrder(
  resources: readonly Resource[],
  recognised: readonly RecognisedSheet[],
): ImportSheet[] {
  const sheets = recognised.filter((sheet): sheet is ImportSheet => sheet.kind === 'import');
  return resources.flatMap((resource) =>
    sheets.filter(({ mapping }) => mapping.resource.name === resource.name),
  );
}
