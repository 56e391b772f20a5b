import { basename } from 'node:path';
import type { Row } from '../../core/cell.ts';
import { usageStop } from '../../core/errors.ts';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, composed, same, t, withFlag } from '../../core/language.ts';
import { nearestText } from '../../core/nearest.ts';
import { isGuideName, isListsName, isLookUp, isSummary, isUndone } from '../../core/own-sheets.ts';
import type { Locale } from '../../core/value.ts';
import { holdsBaseline, isBaselineSheet } from '../../files/baseline-sheet.ts';
import { isPostedSheet } from '../../files/posted-sheet.ts';
import { RUN_ID } from '../../run/runs.ts';
import { kindWords, type Resource } from '../../schema/resource.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { isBlank } from './cell-sense.ts';
import { anyHeader } from './find-header.ts';
import { isNamed } from './header-names.ts';
import {
  type ListedFields,
  type ProposedSheet,
  proposeHeaders,
  type SheetProposal,
} from './header-proposals.ts';
import { fieldsIn, HEADER_SEARCH_ROWS, type HeaderRow, VALUE } from './header-row.ts';
import { isNestedSheet } from './listed-columns.ts';
import { joined, noHeader, noHeaderInRow, ownHeaders } from './no-header.ts';
import {
  fitting,
  leastColumns,
  leastOfCsv,
  noProposal,
  proposedSheets,
  type SheetWishes,
  servedBy,
  withoutOthers,
} from './sheet-by-headers.ts';
import {
  checkChoices,
  choiceFor,
  chosenFields,
  chosenResource,
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
  /** What its unknown headers may mean. */
  readonly proposals?: readonly SheetProposal[] | undefined;
}

/** What is told of a sheet that is not imported. */
interface NotImported {
  readonly sheet: Sheet;
  /** The command that it is for. */
  readonly serves?: string;
  /** What it may be; a sheet that may be nothing has none. */
  readonly proposals?: readonly SheetProposal[];
}

/** A sheet that is passed over. */
interface SkippedSheet extends NotImported {
  readonly kind: 'skip';
  readonly reason: Bilingual;
  /** It is the summary of an earlier result. */
  readonly summary?: true;
  /** The run that it is the summary of. */
  readonly run?: string | undefined;
  /** One of the program's own, which goes unmentioned. */
  readonly own?: true;
}

/** A sheet that is meant to be imported and can't be. */
interface ProblemSheet extends NotImported {
  readonly kind: 'problem';
  readonly problem: Bilingual;
}

/** A sheet of the workbook, and what becomes of it. */
export type RecognisedSheet = ImportSheet | SkippedSheet | ProblemSheet;

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
  /** The fields whose lists have the names of a column. */
  readonly listed?: ListedFields | undefined;
}

/** A sheet that is looked into: its first rows, and how it is recognised. */
interface Look extends ProposedSheet {
  readonly sheet: Sheet;
  readonly workbook: Workbook;
  readonly options: RecogniseOptions;
  readonly choice: SheetChoice | undefined;
  /** Passes the sheet over; one that was chosen by name is a problem. */
  readonly nothingIn: (why: Bilingual) => SkippedSheet | ProblemSheet;
}

function recordsAbove(top: readonly Row[], { firstHeaderRow }: SheetMapping): number[] {
  return top.flatMap(({ number, cells }) => {
    const filled = cells.filter((cell) => !isBlank(cell));
    const holds = filled.some((cell) => cell.type !== 'text' || VALUE.test(cell.value));
    return number < firstHeaderRow && filled.length > 1 && holds ? [number] : [];
  });
}

/** A summary names its run among the first of its rows. */
const runIn = (top: readonly Row[]): string | undefined =>
  top.flatMap(({ cells }) => cells.map(({ value }) => String(value))).find((text) => RUN_ID.test(text));

async function recogniseSheet(
  sheet: Sheet,
  workbook: Workbook,
  wishes: RecogniseOptions,
): Promise<RecognisedSheet> {
  const { name } = sheet;
  const { only, resources, locale, listed } = wishes;
  const skip = (reason: Bilingual) => ({ kind: 'skip' as const, sheet, reason });
  const own = (reason: Bilingual) => ({ ...skip(reason), own: true as const });
  if (isPostedSheet(sheet) || (await isBaselineSheet(sheet))) return own(PASSED_OVER.baseline);
  const choice = choiceFor(name, wishes.choices);
  if (choice?.as === null) return skip(PASSED_OVER.leftOut);
  const said = choice === undefined ? undefined : chosenResource(choice, resources);
  const chosen = said !== undefined || isChosen(name, only);
  if (only.length > 0 && !chosen) return skip(PASSED_OVER.unchosen);
  if (sheet.hidden && !chosen) return isListsName(name) ? own(PASSED_OVER.lists) : skip(PASSED_OVER.hidden);
  if (isGuideName(name) && !chosen) return own(PASSED_OVER.guide);
  const nothingIn = (why: Bilingual) =>
    chosen ? { kind: 'problem' as const, sheet, problem: notImported(name, why) } : skip(why);
  const headerRow = choice?.headerRow ?? wishes.headerRow;
  const { top } = await topRows(sheet, Math.max(headerRow ?? 0, HEADER_SEARCH_ROWS));
  const options = { ...wishes, headerRow, merges: sheet.layout?.merges };
  const remembers = holdsBaseline(workbook);
  const look: Look = {
    ...{ sheet, workbook, options, choice, nothingIn },
    ...{ name, top, remembers, locale, listed },
  };
  if (top.length === 0) return nothingIn(PASSED_OVER.empty);
  if (said !== undefined) return asResource(look, said);
  if (isSummary(name, top[0]?.cells[0]?.value))
    return { ...own(PASSED_OVER.summary), summary: true, run: runIn(top) };
  const headers = (top[0]?.cells ?? []).map(({ value }) => String(value));
  if (wishes.as === undefined && isNestedSheet(resources, name, headers))
    return remembers && !chosen ? own(PASSED_OVER.nested) : nothingIn(PASSED_OVER.nested);
  if (isUndone(name, headers)) return own(PASSED_OVER.undone);
  if (isLookUp(name, headers)) return own(PASSED_OVER.lookUp);
  const resource = wishes.as ?? resources.find((one) => isNamed(one, name));
  return resource === undefined ? byItsHeaders(look) : asResource(look, resource);
}

/** A sheet that is one of this resource, by its name or because the user says so. */
function asResource(look: Look, resource: Resource): RecognisedSheet {
  const { sheet, name, top, workbook, options, choice } = look;
  const header = anyHeader(top, resource, options);
  const says = choice?.columns?.some(({ field }) => field !== null) === true;
  if (header !== undefined && (says || fieldsIn(header.headers).size > 0))
    return toImport(look, resource, header);
  const proposal = header && proposeHeaders(look, resource, header);
  if (options.headerRow !== undefined && proposal === undefined && choice === undefined)
    throw noHeaderInRow(name, options.headerRow);
  const problem = noHeader(name, resource, header, { top, workbook });
  const proposals = header === undefined ? [] : [proposal ?? noProposal(name, resource, header)];
  return { kind: 'problem', sheet, problem, proposals };
}

/** A sheet of another name: what it holds is told by its headers. */
function byItsHeaders(look: Look): RecognisedSheet {
  const { name, top, workbook, options, nothingIn } = look;
  const { resources, known = [] } = options;
  const separated = workbook.format === 'csv';
  const [found, ...others] = fitting(top, options, separated ? leastOfCsv : leastColumns);
  const alone = others.length === 0 ? found : undefined;
  const serves = servedBy(name, top, options, alone?.weight ?? 0);
  if (serves !== undefined) return { ...nothingIn(servesText(known, serves)), serves };
  if (alone !== undefined)
    return isBeside(look, alone.resource)
      ? {
          ...nothingIn(besideText(look, alone.resource)),
          proposals: [noProposal(name, alone.resource, alone.header)],
        }
      : toImport(look, alone.resource, alone.header);
  if (isNestedSheet(resources, name)) return nothingIn(PASSED_OVER.nested);
  // A sheet of packages is not one of events to refresh, though it has an ExternalID.
  const isOther = known.some((one) => isNamed(one, name));
  const proposals = isOther ? [] : proposedSheets(look, options, separated);
  const why = joined([PASSED_OVER.unknown, ownHeaders(look), asText(look, proposals)]);
  return { ...nothingIn(why), proposals };
}

/** How an export names further sheets of records that one can't hold. */
const NUMBERED = / \(\d+\)$/;

/** Whether another sheet has exactly the name of its kind: then this one may be an old copy. */
function isBeside(
  { sheet, name, workbook, options: { only }, remembers }: Look,
  resource: Resource,
): boolean {
  if (isChosen(name, only) || (remembers && isNamed(resource, name.replace(NUMBERED, '')))) return false;
  return workbook.sheets.some((one) => one !== sheet && isNamed(resource, one.name));
}

const besideText = ({ name }: Look, { sheet }: Resource): Bilingual =>
  withFlag(
    t(
      `it holds ${sheet} too, beside the sheet of that name; choose it to import it`,
      `hierop staan ook ${sheet}, naast het werkblad dat zo heet; kies het om het te importeren`,
    ),
    `--sheet "${name}"`,
  );

/** Says which flag imports a sheet as what it may be; empty for any other. */
function asText(
  { name, workbook: { format }, options: { resources } }: Look,
  proposals: readonly SheetProposal[],
): Bilingual {
  if (proposals.length === 0) return same('');
  const kinds = resources.filter((one) => proposals.some(({ resource }) => resource === one.name));
  const flags = kinds.map((one) => `--as ${one.name}`).join(' / ');
  const sheets = kinds.map(({ sheet }) => sheet).join(' / ');
  return withFlag(
    t(`; it may be ${sheets}: say so`, `; het kan ${sheets} zijn: zeg dat`),
    format === 'csv' ? flags : `${flags} --sheet "${name}"`,
  );
}

/** What the sheets of a command hold, in a word. */
function servesText(known: readonly Resource[], command: string): Bilingual {
  const found = known.find((one) => one.command === command);
  const { en, nl } = found === undefined ? same(command) : kindWords(found);
  return withFlag(t(`for ${en}`, `voor ${nl}`), `catersheet ${command}`);
}

const notImported = (sheet: string, why: Bilingual): Bilingual =>
  composed([why], ({ en, nl }) =>
    t(
      `Sheet ${sheet} was chosen and is not imported: ${en}`,
      `Werkblad ${sheet} was gekozen en wordt niet geïmporteerd: ${nl}`,
    ),
  );

function toImport(look: Look, resource: Resource, header: HeaderRow): RecognisedSheet {
  const { sheet, name, top, workbook, remembers, choice, options } = look;
  const columns = choice === undefined ? NONE_CHOSEN : chosenFields(choice, resource);
  const below = top.filter(({ number }) => number > header.headerRow);
  const separated = workbook.format === 'csv';
  const around = { below, separated, remembers, guarded: separated || !remembers };
  const taken = withChoice(header, columns);
  const mapping = withoutOthers(mapHeader(name, resource, taken, options.set, around), options.known ?? []);
  if (columns.size > 0 && mapping.columns.size === 0)
    return { kind: 'problem', sheet, problem: noneChosen(name) };
  const proposal = proposeHeaders(look, resource, mapping);
  return {
    ...{ kind: 'import', sheet, mapping, firstRow: top[0]?.number ?? 1, above: recordsAbove(top, mapping) },
    proposals: proposal === undefined ? [] : [proposal],
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
    const isOver = found.kind === 'import' && found.isBare === true && (await learnMerges(sheet));
    recognised.push(isOver ? await recogniseSheet(sheet, workbook, options) : found);
  }
  return recognised;
}

/** Reads a sheet to its end, where its merged cells are named; whether there are any over several columns. */
async function learnMerges(sheet: Sheet): Promise<boolean> {
  if (sheet.layout !== undefined && sheet.layout.merges === undefined)
    for await (const _ of sheet.only(new Set()));
  return (sheet.layout?.merges ?? []).some(({ left, right }) => right > left);
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
  const message = t(
    `${basename(file)} has no sheet ${missing}.`,
    `${basename(file)} heeft geen werkblad ${missing}.`,
  );
  const all = names.join(', ');
  const otherwise = t(`Its sheets are: ${all}.`, `De werkbladen zijn: ${all}.`);
  throw usageStop(message, nearestText(missing, names, otherwise));
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
