import type { Counts } from '../../core/counts.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { isOwnList } from '../../core/own-sheets.ts';
import {
  createPlanReporter,
  type IssueGroup,
  type PlanNote,
  type SheetCounts,
  totalCounts,
  type WarnedRows,
} from '../../core/plan-report.ts';
import type { Locale } from '../../core/value.ts';
import { textsOf } from '../../files/baseline-sheet.ts';
import { finderOf, kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import {
  type ConflictDecision,
  NOTHING_READ,
  type PlanRules,
  type ResourcePlanning,
  type RevisedRow,
  rowName,
  type SourceSummary,
} from '../../records/planning.ts';
import { createReferences } from '../../records/references.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { type LookupLists, openLookupLists } from '../../run/lookup-lists.ts';
import { freeRunId, rememberAtWork } from '../../run/runs.ts';
import type { Resource } from '../../schema/resource.ts';
import { estimateMs } from '../../service/client-state.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { type OpenBaseline, openBaseline, readBaseline } from '../baseline/open-baseline.ts';
import { type ReadEvidence, readEvidence } from '../baseline/result-evidence.ts';
import type { KeptCorrection } from '../correct/corrected-workbook.ts';
import type { HeaderWishes } from '../map/find-header.ts';
import { checkGiven, setTexts, settable, unusedValues } from '../map/given-values.ts';
import type { Proposals } from '../map/header-proposals.ts';
import { createNameResolver } from '../map/lookup-names.ts';
import type { ColumnHabits, MapOptions } from '../map/map-row.ts';
import { nothingToImport } from '../map/nothing-to-send.ts';
import { newReading, type SheetReading } from '../map/read-rows.ts';
import {
  type ImportSheet,
  inSendingOrder,
  proposalsOf,
  type RecognisedSheet,
  recogniseSheets,
} from '../map/recognise.ts';
import { resourcesOf } from '../map/sheet-by-headers.ts';
import type { SheetChoice } from '../map/sheet-choices.ts';
import type { SetValue, SheetMapping } from '../map/sheet-mapping.ts';
import { sheetNotes } from '../map/sheet-notes.ts';
import { loadRules, type RuleSources, type Rules } from '../rules/rules.ts';
import { MoneyTally, type SheetComesTo } from './comes-to.ts';
import { planRecords } from './plan-records.ts';
import { planSheet } from './plan-sheet.ts';

/** How an import reads and plans. */
export interface ImportOptions
  extends MapOptions,
    HeaderWishes,
    RuleSources,
    Pick<PlanRules, 'allowDelete' | 'onConflict' | 'folder'> {
  /** What the user decided of single rows that someone else changed too. */
  readonly decisions?: readonly ConflictDecision[] | undefined;
  /** The command whose sheets are meant; those of an import when absent. */
  readonly command?: string | undefined;
  readonly as?: Resource | undefined;
  readonly only: readonly string[];
  /** What the user said of single sheets: it overrules all that is found, and the options above. */
  readonly choices?: readonly SheetChoice[] | undefined;
  /** Nothing is to be sent, whatever the plan says. */
  readonly dryRun?: boolean | undefined;
  readonly set: readonly SetValue[];
  /** The headers that were given to a CSV. */
  readonly columns?: readonly string[] | undefined;
  /** Keeps what is read of the file, for other plans of it. */
  readonly memory?: FileMemory | undefined;
}

/** Keeps what is read of a file. */
export interface FileMemory {
  /** The same workbook, whose rows are kept as they are read. */
  keep(workbook: Workbook): Workbook;
}

/** What a plan comes to; its rows are in the ledger under `run`. */
export interface Plan {
  /** The name of its run, for `applyPlan`. */
  readonly run: string;
  /** The name of the service it was made for. */
  readonly service: string;
  /** The file that was read. */
  readonly workbook: Workbook;
  /** The locale of its text numbers; results use it too. */
  readonly locale: Locale;
  /** What each sheet of the workbook was taken for. */
  readonly recognised: readonly RecognisedSheet[];
  /** What its unknown headers may mean; absent for nothing, and in a plan that was saved. */
  readonly proposed?: Proposals | undefined;
  /** What was seen of each imported sheet, by sheet name. */
  readonly readings: ReadonlyMap<string, SheetReading>;
  /** All rows of the file by what would become of them. */
  readonly counts: Counts;
  /** Each sheet that would be imported. */
  readonly sheets: readonly SheetCounts[];
  /** Issues of one kind on one column: how many, and where the first are. */
  readonly groups: readonly IssueGroup[];
  /** Rows with a warning; absent in a plan of an earlier version. */
  readonly warned?: WarnedRows | undefined;
  /** Notes on how the file was read. */
  readonly notes: readonly PlanNote[];
  /** Requests that the plan will send. */
  readonly requests: number;
  /** About how long that will take, ms; null when it is not known. */
  readonly estimateMs: number | null;
  /** Why there is the plan alone, and no result: its file is gone or was changed; null where it was not. */
  readonly planOnly: Bilingual | null;
  /** Which export or undo the workbook is; null for any other workbook. */
  readonly lineage: OpenBaseline['lineage'];
  /** How existing records were read, by resource name. */
  readonly sources: ReadonlyMap<string, SourceSummary>;
  /** How the user said that the file is to be read. */
  readonly given?: GivenReading;
  /** What its prices and counts come to; absent in a plan of an earlier version. */
  readonly comesTo?: readonly SheetComesTo[] | undefined;
  /** What the undo that the file is leaves of its run; absent for nothing. */
  readonly left?: LeftByUndo | undefined;
  /** Cells that the user corrected; absent for none. */
  readonly corrections?: readonly KeptCorrection[] | undefined;
}

/** What the user said of a file, so that another of its kind is read the same way. */
interface GivenReading extends Pick<ImportOptions, 'only' | 'set'> {
  readonly as: string | null;
  readonly headerRow: number | null;
  readonly delimiter: string | null;
  readonly encoding: string | null;
}

/**
 * Maps and plans a workbook's rows, and saves the plan in the ledger as it is made; only reads are sent.
 * Throws StopError with EXIT.file for a file that holds no row to send, RequestError when the service cannot
 * answer.
 */
export async function planImport(
  context: Context,
  workbook: Workbook,
  options: ImportOptions,
): Promise<Plan> {
  const resources = resourcesOf(context, options.command);
  const recognised = await recogniseSheets(workbook, { ...options, known: context.resources, resources });
  const chosen = inSendingOrder(context.resources, recognised);
  const proposed = proposalsOf(recognised);
  if (chosen.length === 0) throw nothingToImport(workbook, recognised, { ...options, resources, proposed });
  const about = await readAbout(context, workbook, recognised, options);
  const baseline = await openBaseline(context, workbook.file, about.baseline);
  const lists = openLookupLists(context);
  const mappings = chosen.map(({ mapping }) => mapping);
  await checkGiven(mappings, options, createNameResolver(lists, baseline));
  const run = await freeRunId(context);
  const startedAt = wallClock(context.time.now());
  await context.ledger.startRun({ run, service: context.serviceKey, file: workbook.file, startedAt });
  if (context.exclusive) await rememberAtWork(context.ledger, run);
  const { lineage } = baseline;
  const left = lineage?.undoes == null ? null : await readLeftByUndo(workbook);
  const isLeft = left !== null && left.count > 0;
  const shared = { ...about, lists };
  const planned = await planSheets(context, run, chosen, baseline, { ...options, ...shared });
  const { readings, report, comesTo } = planned;
  const plannings = [...planned.plannings.values()];
  const doubles = await Promise.all(plannings.map(async (one) => (await one.doubles?.()) ?? []));
  const counts = totalCounts(report.sheets);
  const ofFile = (text: Bilingual): PlanNote => ({ sheet: null, text });
  const plan = {
    ...{ run, service: context.serviceName, workbook, locale: options.locale },
    ...{ recognised, readings, counts, proposed, comesTo },
    ...report,
    estimateMs: estimateMs(report.requests, context.service.stats),
    notes: [
      ...[...unusedValues(mappings, options.set), ...baseline.notes].map(ofFile),
      ...(isLeft ? [ofFile(leftText(left, lineage?.undoes ?? ''))] : []),
      ...chosen.flatMap((entry) => notesOf(entry, readings, baseline, report.groups)),
      ...rulesNote(recognised).map(ofFile),
      ...doubles.flat().map((text) => ({ ...ofFile(text), conflict: true })),
      ...context.named.notes().map(ofFile),
    ],
    sources: new Map(
      [...planned.plannings].map(([name, planning]) => [name, planning.summary?.() ?? NOTHING_READ]),
    ),
    lineage,
    left: isLeft ? left : undefined,
    planOnly: null,
  };
  return plan;
}

/** What plans of the same file share. */
interface SharedByPlans {
  readonly evidence: ReadEvidence;
  readonly sheetRules: Rules;
  readonly lists: LookupLists;
  /** The place of the first row. */
  readonly first?: number;
  /** How a sheet's columns are written, where its rows here don't tell. */
  readonly habitsOf?: (mapping: SheetMapping) => Promise<ColumnHabits>;
}

/** Plans the sheets one after the other, so that rows can refer to what earlier sheets create. */
export async function planSheets(
  context: Context,
  run: string,
  chosen: readonly ImportSheet[],
  base: OpenBaseline,
  { evidence, sheetRules, lists, first = 0, habitsOf, ...given }: ImportOptions & SharedByPlans,
) {
  const readings = new Map<string, SheetReading>();
  const plannings = new Map<string, ResourcePlanning>();
  const reporter = createPlanReporter();
  const tallies = new Map<string, MoneyTally>();
  const options = { ...given, thisYear: new Date(context.time.now()).getFullYear() };
  const decided = new Map(given.decisions?.map((one) => [rowName(one), one.decide]));
  const revise = async (revised: readonly RevisedRow[]): Promise<void> => {
    if (revised.length === 0) return;
    const rows = revised.map(({ now }) => now);
    await context.ledger.replaceRows(run, rows);
    for (const one of revised) {
      reporter.revise(one);
      const tally = tallies.get(one.now.sheet);
      if (tally !== undefined) tally.isStale = true;
    }
  };
  const shared = {
    ...{ context, run, revise, base, options, evidence, sheetRules, lists, habitsOf },
    rules: { ...options, dialect: context.dialect, decided },
    references: createReferences(context, run, finderOf),
    resolveNames: createNameResolver(lists, base),
  };
  let seq = first;
  let done = 0;
  for (const [at, { sheet, mapping }] of chosen.entries()) {
    const reading = newReading();
    readings.set(sheet.name, reading);
    const { resource } = mapping;
    const kind = kindOf(resource);
    const of = { ...context, resource, run };
    const planning = plannings.get(resource.name) ?? kind.plan?.(of) ?? planRecords(of, kind);
    plannings.set(resource.name, planning);
    const tally = new MoneyTally(resource);
    tallies.set(sheet.name, tally);
    const report = reporter.addSheet(sheet.name, resource.name);
    await planSheet({
      ...{ ...shared, sheet, mapping, reading, planning },
      nextSeq: () => seq++,
      onPlanned(row) {
        report(row);
        tally.add(row);
      },
      onRead: (rows) => {
        done += rows;
        context.onProgress?.({ stage: 'reading', done, total: null });
      },
    });
    const isLast = chosen[at + 1]?.mapping.resource.name !== resource.name;
    if (isLast) await revise((await planning.settle?.()) ?? []);
  }
  const comesTo = [...tallies].map(([sheet, tally]) =>
    tally.comesTo(sheet, eachRow(context.ledger, run, { sheet })),
  );
  return { readings, plannings, report: reporter.report(), comesTo: (await Promise.all(comesTo)).flat() };
}

/** What a file tells beside its rows, the same each time that these are planned: its baseline, its result's run, its rules. */
export async function readAbout(
  context: Context,
  workbook: Workbook,
  recognised: readonly RecognisedSheet[],
  options: ImportOptions,
) {
  const baseline = await readBaseline(context, workbook, options);
  // By its summary.
  const [run] = recognised.flatMap((entry) => (entry.kind === 'skip' ? (entry.run ?? []) : []));
  const name = ruleSheet(recognised);
  const sheet = workbook.sheets.find((one) => one.name === name);
  const sheetRules = await loadRules(options, sheet, resourcesOf(context, options.command));
  return { baseline, sheetRules, evidence: await readEvidence(context, workbook, run, options) };
}

function notesOf(
  entry: ImportSheet,
  readings: ReadonlyMap<string, SheetReading>,
  { tellsShown, emptiedNotes }: OpenBaseline,
  groups: readonly IssueGroup[],
): PlanNote[] {
  const { name } = entry.sheet;
  const reading = readings.get(name) ?? newReading();
  const lacked = setTexts(settable(entry.mapping, groups));
  const texts = [sheetNotes(entry, reading, tellsShown), lacked, emptiedNotes(name)].flat();
  return texts.map((text) => ({ sheet: name, text }));
}

/** The sheet with rules for the others. */
const ruleSheet = (recognised: readonly RecognisedSheet[]): string | undefined =>
  recognised.find((entry) => entry.kind === 'skip' && entry.rules === true)?.sheet.name;

function rulesNote(recognised: readonly RecognisedSheet[]): Bilingual[] {
  const name = ruleSheet(recognised);
  return name === undefined
    ? []
    : [t(`The rules of sheet ${name} are used`, `De regels op werkblad ${name} zijn toegepast`)];
}

/** Rows of a run that the workbook of its undo leaves: how many, and the first of them. Plain data. */
interface LeftByUndo {
  readonly count: number;
  readonly rows: readonly { readonly sheet: string; readonly row: string; readonly why: string }[];
}

/** So many are told; the workbook names them all. */
const MOST_TOLD = 100;

/** Reads what the workbook of an undo says that it can't take back. */
async function readLeftByUndo({ sheets }: Pick<Workbook, 'sheets'>): Promise<LeftByUndo> {
  const left: LeftByUndo['rows'][number][] = [];
  let count = 0;
  for (const { name, rows } of sheets) {
    let isList: boolean | undefined;
    for await (const one of rows) {
      const [sheet = '', row = '', why = ''] = textsOf(one);
      isList ??= isOwnList('undone', name, [sheet, row, why]);
      if (!isList) break;
      if (why === '' || isOwnList('undone', name, [sheet, row, why])) continue;
      if (count++ < MOST_TOLD) left.push({ sheet, row, why });
    }
  }
  return { count, rows: left };
}

/** Says that rows of a run are not taken back. */
const leftText = ({ count }: LeftByUndo, run: string): Bilingual =>
  count === 1
    ? t(
        `1 row of run ${run} is not taken back by this file`,
        `1 rij van run ${run} draait dit bestand niet terug`,
      )
    : t(
        `${count} rows of run ${run} are not taken back by this file`,
        `${count} rijen van run ${run} draait dit bestand niet terug`,
      );
