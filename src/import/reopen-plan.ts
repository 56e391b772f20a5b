import { type Bilingual, t } from '../core/language.ts';
import { totalCounts } from '../core/plan-report.ts';
import { lookAt } from '../files/write-aside.ts';
import { eachRow, type Ledger } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';
import { correctedWorkbook } from './correct/corrected-workbook.ts';
import { recogniseSheets } from './map/recognise.ts';
import { resourcesOf } from './map/sheet-by-headers.ts';
import type { Plan } from './plan/plan-import.ts';
import { keptOf, markOf, type PlanDetails, planDetails, sendableDetails } from './plan/saved-plan.ts';

/**
 * Reopens a saved plan, to be sent or continued. Its workbook is read again for the result; where it is gone
 * or was changed since there is none, and `planOnly` says why. Throws StopError with EXIT.usage for a run that
 * is not known, was made for another service or by another version.
 */
export async function reopenPlan(context: Context, run: string): Promise<Plan> {
  const { record, plan } = await sendableDetails(context, run);
  const isBegun = record.state !== 'planned';
  const requests = isBegun ? await requestsLeft(context, run) : plan.requests;
  return {
    ...{ run, service: plan.serviceName, ...keptOf(plan), requests },
    estimateMs: isBegun ? null : plan.estimateMs,
    counts: totalCounts(plan.sheets),
    sources: new Map(plan.sources),
    readings: new Map(plan.readings),
    given: plan.options,
    ...(await reopenWorkbook(context, plan)),
  };
}

/** Requests still to be sent of a run that was begun; a posting in doubt is none, unless the user says so. */
async function requestsLeft({ ledger }: Context, run: string): Promise<number> {
  let left = 0;
  for await (const { planned, outcome, progress } of eachRow(ledger, run)) {
    const steps = planned.steps.slice(progress?.done ?? 0);
    const isDoubt = outcome?.status === 'unknown' && steps[0]?.purpose !== 'post';
    if (outcome === null || outcome.unfinished === true || isDoubt) left += steps.length;
  }
  return left;
}

async function reopenWorkbook(
  context: Context,
  { file: mark, options, corrections = [], locale }: PlanDetails,
): Promise<Pick<Plan, 'workbook' | 'recognised' | 'planOnly'>> {
  const now = lookAt(mark.path);
  if (now === undefined || now.size !== mark.size || now.mtimeMs !== mark.mtimeMs)
    return {
      workbook: { file: mark.path, format: 'xlsx', sheets: [], [Symbol.iterator]: () => [].values() },
      recognised: [],
      planOnly: now === undefined ? GONE : CHANGED,
    };
  const { delimiter, encoding, columns, as, command, only, set, headerRow, names, choices } = options;
  const csv = { delimiter: delimiter ?? undefined, encoding: encoding ?? undefined, columns };
  const { workbook } = correctedWorkbook(await readWorkbook(mark.path, csv), corrections, locale);
  const recognised = await recogniseSheets(workbook, {
    known: context.resources,
    resources: resourcesOf(context, command),
    as: context.resources.find(({ name }) => name === as),
    ...{ only, set, names, choices, headerRow: headerRow ?? undefined },
  });
  return { workbook, recognised, planOnly: null };
}

const GONE: Bilingual = t('is gone', 'is weg');
const CHANGED: Bilingual = t('was changed since it was planned', 'is gewijzigd sinds het plan gemaakt is');

/** Says that the file of a plan was moved: the plan is of it still, and its result goes beside it. */
export async function movedPlan(
  ledger: Pick<Ledger, 'findRun' | 'updateRun'>,
  run: string,
  file: string,
): Promise<void> {
  const details = await planDetails(ledger, run);
  if (details === undefined) return;
  await ledger.updateRun(run, { details: { ...details, file: markOf(file) } });
}
