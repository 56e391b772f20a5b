import { basename } from 'node:path';
import type { Row } from '../../core/cell.ts';
import { type StopError, usageStop } from '../../core/errors.ts';
import { normaliseHeader } from '../../core/header.ts';
import { shorten } from '../../core/issue.ts';
import { type Bilingual, composed, inOne, same, t, withFlag } from '../../core/language.ts';
import { nearestText } from '../../core/nearest.ts';
import { isOwnList, isOwnName, isSummary } from '../../core/own-sheets.ts';
import type { Locale } from '../../core/value.ts';
import { holdsBaseline, isBaselineSheet } from '../../files/baseline-sheet.ts';
import { isPostedSheet } from '../../files/posted-sheet.ts';
import { RUN_ID } from '../../run/runs.ts';
import { kindWords, type Resource } from '../../schema/resource.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { isBlank } from './cell-sense.ts';
import { anyHeader, fieldsIn, HEADER_SEARCH_ROWS, type HeaderRow, topRows, VALUE } from './find-header.ts';
import { isNamed } from './header-names.ts';
import {
  type Proposals,
  type ProposedSheet,
  proposeHeaders,
  type SheetProposal,
} from './header-proposals.ts';
import { isNestedSheet } from './listed-columns.ts';
import { fitting, proposedSheets, type SheetWishes, servedBy } from './sheet-by-headers.ts';
import { choiceFor, chosenFields, chosenResource, type SheetChoice, withChoice } from './sheet-choices.ts';
import { bareCell, mapHeader, type SetValue, type SheetMapping } from './sheet-mapping.ts';

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
  readonly proposal?: SheetProposal;
}

/** A sheet that is passed over, or a `problem`: one that is meant to be imported and can't be. */
interface NotImported {
  readonly kind: 'skip' | 'problem';
  readonly sheet: Sheet;
  readonly reason: Bilingual;
  /** One of the program's own, which goes unmentioned. */
  readonly own?: true;
  /** It is the summary of an earlier result. */
  readonly summary?: true;
  /** It holds rules for the rows of the others. */
  readonly rules?: true;
  /** The run that it is the summary of. */
  readonly run?: string | undefined;
  /** The command that it is for. */
  readonly serves?: string;
  /** What it is taken for, or would be. */
  readonly resource?: Resource | undefined;
  /** The row that looks like its header. */
  readonly header?: HeaderRow | undefined;
  /** The resources that it may be of, where that can't be told. */
  readonly mayBe?: readonly Resource[];
  /** What its unknown headers may mean, where it can be of one resource alone. */
  readonly proposal?: SheetProposal | undefined;
}

/** A sheet of the workbook, and what becomes of it. */
export type RecognisedSheet = ImportSheet | NotImported;

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

/** A sheet that is looked into: its first rows, and how it is recognised. */
interface Look extends ProposedSheet {
  readonly sheet: Sheet;
  readonly workbook: Workbook;
  readonly options: RecogniseOptions;
  readonly choice: SheetChoice | undefined;
  /** Passes the sheet over; one that was chosen by name is a problem. */
  readonly nothingIn: (why: Bilingual) => NotImported;
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
  const { only, resources, locale } = wishes;
  const skip = (reason: Bilingual) => ({ kind: 'skip' as const, sheet, reason });
  const own = (reason: Bilingual) => ({ ...skip(reason), own: true as const });
  if (isPostedSheet(sheet) || (await isBaselineSheet(sheet))) return own(PASSED_OVER.baseline);
  const choice = choiceFor(name, wishes.choices);
  if (choice?.as === null) return skip(PASSED_OVER.leftOut);
  const said = choice === undefined ? undefined : chosenResource(choice, resources);
  const chosen = said !== undefined || isChosen(name, only);
  if (isOwnName('rules', name) && !chosen && wishes.as === undefined && (await holdsNoRecords(sheet, wishes)))
    return { ...own(PASSED_OVER.rules), rules: true };
  if (only.length > 0 && !chosen) return skip(PASSED_OVER.unchosen);
  if (sheet.hidden && !chosen)
    return isOwnName('lists', name) ? own(PASSED_OVER.lists) : skip(PASSED_OVER.hidden);
  if (isOwnName('guide', name) && !chosen) return own(PASSED_OVER.guide);
  const nothingIn = (why: Bilingual): NotImported =>
    chosen ? { kind: 'problem', sheet, reason: notImported(name, why) } : skip(why);
  const headerRow = choice?.headerRow ?? wishes.headerRow;
  const { top } = await topRows(sheet, headerRow);
  const options = { ...wishes, headerRow, merges: sheet.layout?.merges };
  const remembers = holdsBaseline(workbook);
  const look: Look = {
    ...{ sheet, workbook, options, choice, nothingIn },
    ...{ name, top, remembers, locale },
  };
  if (top.length === 0) return nothingIn(PASSED_OVER.empty);
  if (said !== undefined) return asResource(look, said);
  if (isSummary(name, top[0]?.cells[0]?.value))
    return { ...own(PASSED_OVER.summary), summary: true, run: runIn(top) };
  const headers = (top[0]?.cells ?? []).map(({ value }) => String(value));
  if (wishes.as === undefined && isNestedSheet(resources, name, headers))
    return remembers && !chosen ? own(PASSED_OVER.nested) : nothingIn(PASSED_OVER.nested);
  if (isOwnList('undone', name, headers)) return own(PASSED_OVER.undone);
  if (isOwnList('lookUp', name, headers)) return own(PASSED_OVER.lookUp);
  const resource = wishes.as ?? resources.find((one) => isNamed(one, name));
  return resource === undefined ? byItsHeaders(look) : asResource(look, resource);
}

/** Whether no header of a sheet tells what it holds: lines of an order are called Regels too. */
const holdsNoRecords = async (sheet: Sheet, wishes: RecogniseOptions): Promise<boolean> =>
  fitting((await topRows(sheet, wishes.headerRow)).top, wishes, false).length === 0;

/** A sheet that is one of this resource, by its name or because the user says so. */
function asResource(look: Look, resource: Resource): RecognisedSheet {
  const { sheet, name, top, workbook, options, choice } = look;
  const found = anyHeader(top, resource, options);
  const header = found && chosenIn(found, resource, choice);
  if (found !== undefined && header !== undefined)
    if (fieldsIn([...found.headers, ...header.headers]).size > 0) return toImport(look, resource, header);
  const proposal = header && proposeHeaders(look, resource, header);
  const isMeant = proposal !== undefined && proposal.columns.length > 0;
  if (options.headerRow !== undefined && !isMeant && choice === undefined)
    throw noHeaderInRow(name, options.headerRow);
  const reason = noHeader(name, resource, header, workbook);
  return { kind: 'problem', sheet, reason, resource, header, proposal };
}

/** A sheet of another name: what it holds is told by its headers. */
function byItsHeaders(look: Look): RecognisedSheet {
  const { name, top, workbook, options, choice, nothingIn } = look;
  const { resources, known = [] } = options;
  const [found, ...others] = fitting(top, options, workbook.format === 'csv');
  const alone = others.length === 0 ? found : undefined;
  const serves = servedBy(name, top, options, alone?.weight ?? 0);
  if (serves !== undefined) return { ...nothingIn(servesText(known, serves)), serves };
  if (alone !== undefined) {
    const { resource, header } = alone;
    return isBeside(look, resource)
      ? { ...nothingIn(besideText(look, resource)), resource, header }
      : toImport(look, resource, chosenIn(header, resource, choice));
  }
  if (isNestedSheet(resources, name)) return nothingIn(PASSED_OVER.nested);
  // A sheet of packages is not one of events to refresh, though it has an ExternalID.
  const likely = known.some((one) => isNamed(one, name)) ? [] : proposedSheets(look, options);
  const mayBe = likely.map(({ resource }) => resource);
  const header = anyHeader(top, undefined, options);
  const unknown = [PASSED_OVER.unknown, ownHeaders(header, workbook)];
  const why = mayBe.length === 0 ? inOne(unknown, '') : asText(look, mayBe);
  const [only, ...more] = likely;
  const told = only?.isTold === true && more.length === 0 ? only : { header, mayBe };
  return { ...nothingIn(why), ...told };
}

/** A header with what the user chose for its columns. */
const chosenIn = (header: HeaderRow, resource: Resource, choice: SheetChoice | undefined): HeaderRow =>
  choice === undefined ? header : withChoice(header, chosenFields(choice, resource));

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

/** Says which flag imports a sheet as what it may be. */
function asText({ name, workbook: { format } }: Look, kinds: readonly Resource[]): Bilingual {
  const flags = kinds.map((one) => `--as ${one.name}`).join(' / ');
  const sheets = kinds.map(({ sheet }) => sheet).join(' / ');
  return withFlag(
    kinds.length === 1
      ? t(`it may be ${sheets}: say so`, `het kan ${sheets} zijn: zeg dat`)
      : t(`it may be ${sheets}: say which`, `het kan ${sheets} zijn: zeg welke`),
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
  const { sheet, name, top, workbook, remembers, options } = look;
  const below = top.filter(({ number }) => number > header.headerRow);
  const separated = workbook.format === 'csv';
  const around = { below, separated, remembers, guarded: separated || !remembers };
  const mapping = mapHeader(name, resource, header, options.set, around);
  if (mapping.columns.size === 0)
    return { kind: 'problem', sheet, reason: noneChosen(name), resource, header };
  return {
    ...{ kind: 'import', sheet, mapping, firstRow: top[0]?.number ?? 1, above: recordsAbove(top, mapping) },
    proposal: proposeHeaders(look, resource, mapping),
    isBare: below.some((row) => bareCell(row, mapping) !== undefined),
  };
}

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
  const { only, choices = [] } = options;
  checkNames(workbook, [...only, ...choices.map(({ sheet }) => sheet)]);
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
function checkNames({ file, sheets }: Workbook, chosen: readonly string[]): void {
  const names = sheets.map(({ name }) => name);
  const missing = chosen.find((name) => !names.some((own) => isChosen(own, [name])));
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
  rules: t('the rules', 'de regels'),
} as const;

const EXPECTED: ReadonlySet<Bilingual> = new Set([
  PASSED_OVER.empty,
  PASSED_OVER.leftOut,
  PASSED_OVER.unchosen,
]);

/** Whether a sheet is not imported though its user may think so: it holds something, and was not left out. */
export const isMissed = (entry: RecognisedSheet): boolean =>
  entry.kind !== 'import' &&
  (entry.kind === 'problem' || (entry.own !== true && !EXPECTED.has(entry.reason)));

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

/** Says of a sheet that is meant to be imported that no header of it is known. `header` is the row that looks like one. */
function noHeader(
  sheet: string,
  { fields }: Resource,
  header: HeaderRow | undefined,
  workbook: Workbook,
): Bilingual {
  const some = Object.keys(fields).slice(0, 6).join(', ');
  const what =
    header === undefined
      ? t(
          `Sheet ${sheet} has no header row: none of its first ${HEADER_SEARCH_ROWS} rows names a column such as ${some}`,
          `Werkblad ${sheet} heeft geen kopregel: geen van de eerste ${HEADER_SEARCH_ROWS} rijen noemt een kolom zoals ${some}`,
        )
      : t(
          `Row ${header.headerRow} of sheet ${sheet} names no column such as ${some}`,
          `Rij ${header.headerRow} van werkblad ${sheet} noemt geen kolom zoals ${some}`,
        );
  return inOne([what, ownHeaders(header, workbook)], '');
}

/** The row of `--header-row` holds no header of the sheet. */
const noHeaderInRow = (sheet: string, row: number): StopError =>
  usageStop(
    t(`Row ${row} of sheet ${sheet} names no column.`, `Rij ${row} van werkblad ${sheet} noemt geen kolom.`),
    withFlag(
      t('Choose the row that holds the headers.', 'Kies de rij waarin de koppen staan.'),
      '--header-row',
    ),
  );

/** A number alone, which is no header: of a CSV each cell is a text. */
const NUMBER = /^\s*[€$£]?\s*-?\d[\d.,]*\s*$/;

/** Texts of a row that are quoted. */
const QUOTED = 6;

/** Ends a message on a sheet without known columns: a row that may hold its headers, and a CSV's delimiter. */
function ownHeaders(row: HeaderRow | undefined, { delimiter }: Workbook): Bilingual {
  const { headerRow, headers } = row ?? { headerRow: 0, headers: [] };
  const mark = delimiter === '\t' ? 'tab' : delimiter;
  const quoted = headers.slice(0, QUOTED).map(({ header }) => shorten(header));
  const list = [...quoted, ...(headers.length > QUOTED ? ['…'] : [])].join(', ');
  const isRecord = mark !== undefined && headers.some(({ header }) => NUMBER.test(header));
  const holds = t(`; row ${headerRow} holds ${list}`, `; rij ${headerRow} bevat ${list}`);
  const own = isRecord
    ? withFlag(
        t(', which are no headers: name the columns', ', en dat zijn geen koppen: noem de kolommen'),
        '--columns',
      )
    : withFlag(t(': say what your headers stand for', ': zeg waar je koppen voor staan'), '--map');
  const cut = withFlag(
    t(`; read as separated by “${mark}”`, `; gelezen als gescheiden door „${mark}”`),
    '--delimiter',
  );
  // Two words may be a title.
  return inOne([...(headers.length > 2 ? [holds, own] : []), ...(mark === undefined ? [] : [cut])], '');
}

/**
 * What is proposed for a workbook. A sheet that no header tells of counts where nothing else would be imported, and
 * where it can be of one kind alone.
 */
export function proposalsOf(recognised: readonly RecognisedSheet[]): Proposals | undefined {
  const wanted = recognised.filter(({ kind }) => kind !== 'skip');
  const sheets = (wanted.length > 0 ? wanted : recognised).flatMap(({ proposal }) =>
    proposal === undefined || proposal.columns.length === 0 ? [] : [proposal],
  );
  if (sheets.length === 0) return undefined;
  const kinds = recognised.flatMap((one) =>
    one.kind === 'import' ? one.mapping.resource.name : (one.resource?.name ?? []),
  );
  // A sheet that nothing but its headers tells of may fit other kinds as well.
  const isMixed = wanted.length === 0 || new Set(kinds).size > 1;
  const pairs = sheets.flatMap(({ resource, columns }) =>
    columns.flatMap(({ header, fields, isOpen }) =>
      isOpen ? [] : `${isMixed ? `${resource}:` : ''}${header}=${fields[0]}`,
    ),
  );
  return { sheets, map: pairs.length === 0 ? null : [...new Set(pairs)].join(';') };
}
