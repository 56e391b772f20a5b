import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Bilingual, t } from '../../core/language.ts';
import type { Locale } from '../../core/value.ts';
import type { CsvStyle } from '../../csv/csv-layout.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { SourceSummary } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { refuseForeign, unknownRun } from '../../run/runs.ts';
import { readWorkbook } from '../../workbook/read-workbook.ts';
import type { Lineage } from '../baseline/lineage.ts';
import type { HeaderName } from '../map/header-names.ts';
import type { SheetReading } from '../map/read-rows.ts';
import { type RecognisedSheet, recogniseSheets } from '../map/recognise.ts';
import { resourcesOf } from '../map/sheet-by-headers.ts';
import type { SetValue } from '../map/sheet-mapping.ts';
import type { ImportOptions, Plan } from './plan-import.ts';
import { type IssueGroup, type PlanNote, type SheetCounts, totalCounts } from './plan-report.ts';

/** What the ledger keeps of a plan beside its rows, so that another process can send it. Plain data. */
interface PlanDetails {
  readonly serviceName: string;
  readonly sheets: readonly SheetCounts[];
  readonly groups: readonly IssueGroup[];
  readonly notes?: readonly PlanNote[];
  readonly requests: number;
  readonly estimateMs?: number | null;
  readonly sources: readonly (readonly [string, SourceSummary])[];
  readonly readings: readonly (readonly [string, SheetReading])[];
  readonly options: {
    readonly as: string | null;
    readonly command?: string | null;
    readonly only: readonly string[];
    readonly set: readonly SetValue[];
    readonly delimiter: string | null;
    readonly encoding?: string | null;
    readonly headerRow?: number | null;
    readonly names?: readonly HeaderName[];
  };
  readonly lineage?: Lineage | null;
  readonly locale?: Locale;
  /** How its file was written, where it is a CSV. */
  readonly style?: CsvStyle;
  readonly file: FileMark;
}

/** Tells whether a file is still the one that was planned. */
interface FileMark {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

async function markOf(file: string): Promise<FileMark> {
  const { size, mtimeMs } = await stat(file);
  return { path: resolve(file), size, mtimeMs };
}

/** Keeps what is needed to send a plan later, or to go on with it after a crash. */
export async function savePlanDetails(
  context: Context,
  plan: Plan,
  options: Pick<ImportOptions, 'as' | 'command' | 'only' | 'set' | 'headerRow' | 'names'> & CsvWishes,
): Promise<void> {
  const { sheets, groups, notes, requests, estimateMs, lineage, locale } = plan;
  const { as, command, only, set, delimiter, encoding, headerRow, names = [] } = options;
  const details: PlanDetails = {
    serviceName: plan.service,
    ...{ sheets, groups, notes, requests, estimateMs, lineage, locale },
    sources: [...plan.sources],
    readings: [...plan.readings],
    options: {
      ...{ as: as?.name ?? null, command: command ?? null, only, set, names },
      ...{ delimiter: delimiter ?? null, encoding: encoding ?? null, headerRow: headerRow ?? null },
    },
    ...(plan.workbook.style === undefined ? {} : { style: plan.workbook.style }),
    file: await markOf(plan.workbook.file),
  };
  await context.ledger.saveDetails(plan.run, details);
}

/**
 * A saved plan, to be sent or continued. Its workbook is read again for the result; where it is gone or was changed
 * since, the plan is sent all the same, its result is made from the plan, and `planOnly` says why.
 * Throws StopError with EXIT.usage for a run that is not known, was made for another service or by another version.
 */
export async function reopenPlan(context: Context, run: string): Promise<Plan> {
  const record = await context.ledger.findRun(run);
  const details = (await context.ledger.findDetails(run)) as PlanDetails | undefined;
  if (record === undefined) throw unknownRun(run);
  refuseForeign(context, record, details);
  const plan = details as PlanDetails;
  const { sheets, groups, notes = [], lineage = null, locale = 'nl', options } = plan;
  const requests = record.state === 'planned' ? plan.requests : await requestsLeft(context, run);
  const saved = {
    run,
    service: plan.serviceName,
    sheets,
    groups,
    notes,
    lineage,
    locale,
    requests,
    estimateMs: shareOf(plan, requests),
    counts: totalCounts(sheets),
  };
  const maps = { sources: new Map(plan.sources), readings: new Map(plan.readings) };
  const opened = await reopenWorkbook(context, plan, options);
  return { ...saved, ...maps, ...opened };
}

/** How long the rest of a plan will take, by what was thought of the whole. */
function shareOf({ estimateMs = null, requests }: PlanDetails, left: number): number | null {
  return estimateMs === null || requests === 0 ? null : Math.round((estimateMs * left) / requests);
}

/** Requests that are still to be sent of a run that was begun. */
async function requestsLeft({ ledger }: Context, run: string): Promise<number> {
  let left = 0;
  for await (const { planned, progress } of eachRow(ledger, run, { pending: true }))
    left += planned.steps.length - (progress?.done ?? 0);
  return left;
}

type Opened = Pick<Plan, 'workbook' | 'recognised' | 'planOnly'>;

async function reopenWorkbook(
  context: Context,
  { file: mark, style }: PlanDetails,
  options: PlanDetails['options'],
): Promise<Opened> {
  const now = await markOf(mark.path).catch(() => null);
  if (now === null || now.size !== mark.size || now.mtimeMs !== mark.mtimeMs)
    return { ...nothing(mark.path, style), planOnly: now === null ? GONE : CHANGED };
  const { delimiter, encoding, as, command, only, set, headerRow, names } = options;
  const csv = csvOptions({ delimiter: delimiter ?? undefined, encoding: encoding ?? undefined });
  const workbook = await readWorkbook(mark.path, csv);
  const resource = context.resources.find(({ name }) => name === as);
  const recognised: RecognisedSheet[] = await recogniseSheets(workbook, {
    known: context.resources,
    resources: resourcesOf(context, command),
    as: resource,
    ...{ only, set, names, headerRow: headerRow ?? undefined },
  });
  return { workbook, recognised, planOnly: null };
}

function nothing(file: string, style: CsvStyle | undefined): Omit<Opened, 'planOnly'> {
  const csv = style === undefined ? {} : { style };
  return {
    workbook: {
      ...{ file, format: style === undefined ? 'xlsx' : 'csv', sheets: [], ...csv },
      [Symbol.iterator]: () => [].values(),
    },
    recognised: [],
  };
}

const GONE: Bilingual = t('is gone', 'is weg');
const CHANGED: Bilingual = t('was changed since it was planned', 'is gewijzigd sinds het plan gemaakt is');

/** What the user says of a CSV. */
export interface CsvWishes {
  /** Separator of a CSV; found when absent. */
  readonly delimiter?: string | undefined;
  /** Encoding of a CSV; found when absent. */
  readonly encoding?: string | undefined;
}

/** The reader's options, without what was not said. */
export function csvOptions({ delimiter, encoding }: CsvWishes): { delimiter?: string; encoding?: string } {
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}
