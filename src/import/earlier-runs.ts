import { usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { type PlannedRow, settledStatus } from '../core/plan.ts';
import { totalCounts } from '../core/plan-report.ts';
import { comparablePath } from '../files/file-name.ts';
import { lookAt } from '../files/write-aside.ts';
import { eachRow, type Ledger, type Posting } from '../ledger/ledger.ts';
import { arrivesText, arrivesUntil, momentOf } from '../records/sent-before.ts';
import { type Context, wallClock } from '../run/context.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';
import { countNow } from './apply/apply-plan.ts';
import { placeOf } from './apply/row-chains.ts';
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

/**
 * Reopens rows of a run: those with an unknown outcome are looked for again, unfinished ones go on. Of the
 * rows in doubt those named in `resend` (`12`, or `Sheet!12`) are sent as if they had never been; those named
 * in `done` were found on the service by the user, and count as posted. Throws StopError with EXIT.usage,
 * before anything is changed, for a name that fits no such row and for one in `resend` that may still arrive.
 * What is sent again waits until it could no longer arrive if this session had sent it.
 */
export async function reopenRows(
  context: Context,
  run: string,
  { resend = [], done = [] }: { readonly resend?: readonly string[]; readonly done?: readonly string[] } = {},
): Promise<void> {
  const reopened: PlannedRow[] = [];
  // With until when they may still arrive, by this machine's clock and by what passes in this session.
  const untils = new Map<PlannedRow, { readonly until: Date | null; readonly surely: number }>();
  for await (const { planned, outcome, progress } of eachRow(context.ledger, run)) {
    const isUnknown = outcome?.status === 'unknown';
    // No look tells of a posting: it stays as it is, with the moment at which it was given up.
    if ((isUnknown && !isPosting(planned)) || outcome?.unfinished === true) reopened.push(planned);
    const since = progress?.sendingSince;
    if (since == null || (outcome !== null && !isUnknown)) continue;
    // It was given up when its answer was due, or when that was written down.
    const until = arrivesUntil(context, since, true);
    untils.set(planned, {
      until: outcome === null ? until : until && arrivesUntil(context, outcome.at ?? since),
      surely: context.doubts.ofEarlier(momentOf(since)),
    });
  }
  const inDoubt = [...untils.keys()];
  const named = resend.map((name) => findRow(inDoubt, name, '--resend'));
  // No row is both sent again and done.
  const others = inDoubt.filter((row) => !named.includes(row));
  const posted = done.map((name) => postedRow(findRow(others, name, '--done'), name));
  for (const row of named) refuseEarly(row, untils.get(row)?.until);
  // Nobody knows how this machine's clock was set since.
  const surely = Math.max(0, ...named.map((row) => untils.get(row)?.surely ?? 0));
  if (!(await context.doubts.passed(surely))) return;
  await settlePostings(context, named, null);
  const { ledger } = context;
  await Promise.all([
    ...reopened.map(({ seq }) => ledger.saveRow(run, seq, { outcome: null })),
    // As if they were never sent.
    ...named.map(({ seq }) => ledger.saveRow(run, seq, { outcome: null, progress: null })),
  ]);
  await countAsPosted(context, run, posted);
}

/** Says why a row that was named can't be settled so; the page names no flag. */
const refusal = (flag: string, name: string, { en, nl }: Bilingual, next: Bilingual) =>
  usageStop(withFlag(t(`${name}: ${en}.`, `${name}: ${nl}.`), flag), next);

function refuseEarly(row: PlannedRow, until: Date | null | undefined): void {
  if (until == null) return;
  const { en, nl } = arrivesText(until);
  const why = t(`${en}, and would then be there twice`, `${nl}, en zou er dan dubbel staan`);
  const next = withFlag(
    t(
      'Look on the service after that, or set the doubt to 0 to send it now all the same.',
      'Kijk daarna in het systeem, of zet de twijfel op 0 om het nu toch te versturen.',
    ),
    '--doubt 0',
  );
  throw refusal('--resend', placeOf(row), why, next);
}

/** The user found the record and said so. */
const FOUND_BY_USER = withFlag(
  t('found on the service by hand', 'met de hand in het systeem gevonden'),
  '--done',
);

/** What the user saw on the service is done, and never sent again. */
async function countAsPosted(context: Context, run: string, rows: readonly PlannedRow[]): Promise<void> {
  await settlePostings(context, rows, { state: 'done', id: null });
  const at = wallClock(context.time.now());
  const done = { status: 'created', id: null, issues: [], message: FOUND_BY_USER, at } as const;
  await Promise.all(rows.map(({ seq }) => context.ledger.saveRow(run, seq, { outcome: { seq, ...done } })));
}

async function settlePostings(
  { ledger, serviceKey }: Context,
  rows: readonly PlannedRow[],
  now: Pick<Posting, 'state' | 'id'> | null,
): Promise<void> {
  for (const { resource, steps } of rows)
    for (const { fingerprint } of steps)
      if (fingerprint !== undefined) await ledger.settlePosting(serviceKey, resource, fingerprint, now);
}

const isPosting = ({ steps }: PlannedRow): boolean => steps.some(({ purpose }) => purpose === 'post');

/** Only of a posting must the user tell; all else is looked up. */
function postedRow(row: PlannedRow, name: string): PlannedRow {
  if (isPosting(row)) return row;
  const why = t(
    'what became of this row is looked up on the service',
    'wat er van deze rij geworden is, wordt in het systeem opgezocht',
  );
  const next = t('Leave it out, and apply the run.', 'Laat het weg, en voer de run uit.');
  throw refusal('--done', name, why, next);
}

function findRow(unknown: readonly PlannedRow[], name: string, flag: string): PlannedRow {
  const [, sheet, number] = /^(?:(.+)!)?(\d+)$/.exec(name) ?? [];
  const found = unknown.filter(
    (row) => row.row === Number(number) && (sheet === undefined || row.sheet === sheet),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why =
    found.length > 1
      ? t('this row is on more than one sheet', 'deze rij staat op meer dan één werkblad')
      : t(
          'this row has no unknown outcome in this run',
          'deze rij heeft in deze run geen onbekende uitkomst',
        );
  const some = unknown.slice(0, 8).map(placeOf).join(', ');
  const next =
    some === ''
      ? t('No row of this run is unknown.', 'Geen rij van deze run is onbekend.')
      : t(`Unknown are: ${some}.`, `Onbekend zijn: ${some}.`);
  throw refusal(flag, name, why, next);
}

/** Runs looked at, the newest first. */
const NEWEST = 200;

/**
 * Closes runs of the same file that were cut off, or ended with rows in doubt, once a run that did all of the
 * file's rows came after them: so that what is done does not stay on offer. Their rows stay as they were.
 */
export async function closeRuns(
  context: Context,
  { run, file }: { run: string; file: string },
): Promise<void> {
  const { ledger, serviceKey, exclusive } = context;
  if (!exclusive) return;
  const counts = (await ledger.findRun(run))?.counts;
  if (counts == null) return;
  const { read, created, updated, unchanged, deleted } = counts;
  if (created + updated + unchanged + deleted < read) return;
  for (const other of await ledger.listRuns(NEWEST)) {
    const isFile = other.service === serviceKey && comparablePath(other.file) === comparablePath(file);
    const isLeft = other.state === 'done' && (other.counts?.unknown ?? 0) > 0;
    const isOpen = other.state === 'applying' || other.state === 'interrupted' || isLeft;
    if (other.run === run || !isFile || !isOpen || (other.counts?.read ?? 0) > read) continue;
    if (!(await isFollowed(ledger, other.run, run))) continue;
    await ledger.rememberFact(serviceKey, factName(other.run), run);
    await ledger.updateRun(other.run, { state: 'done', counts: await countNow(ledger, other.run) });
  }
}

/** Whether each row that a run left open stands in the later one, in its place: the name may be of another week's file. */
async function isFollowed(ledger: Ledger, run: string, by: string): Promise<boolean> {
  for await (const { planned, outcome } of eachRow(ledger, run)) {
    const isLeft =
      outcome === null
        ? settledStatus(planned.action) === null
        : outcome.status === 'unknown' || outcome.unfinished;
    if (!isLeft) continue;
    const [there] = await ledger.readRows(by, { after: planned.seq - 1, limit: 1 });
    if (there === undefined || !isSameRow(planned, there.planned)) return false;
  }
  return true;
}

/** Whether two rows of one place are about one record, or post the same. */
function isSameRow(one: PlannedRow, other: PlannedRow): boolean {
  const isThere = (['seq', 'sheet', 'row', 'resource'] as const).every((name) => one[name] === other[name]);
  const names = new Set(namesOf(other));
  return isThere && namesOf(one).some((name) => names.has(name));
}

const namesOf = ({ key, external, steps: [step], posted }: PlannedRow) =>
  [key, external, step?.fingerprint, step?.also, posted].flat().filter((name) => name != null);

const factName = (run: string): string => `${run} was finished`;

/** The run that finished a run that was cut off; undefined when none did. */
export async function findFinishedBy(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  run: string,
): Promise<string | undefined> {
  return await ledger.findFact(serviceKey, factName(run));
}

/** Said when a run is applied that is finished, perhaps by another one, or taken back since. */
export function finishedText(run: string, by?: string, takenBack?: string): Bilingual {
  const ended =
    by === undefined
      ? t('is finished', 'is klaar')
      : t(`was finished by run ${by}`, `is afgemaakt door run ${by}`);
  const { en, nl } =
    takenBack === undefined
      ? ended
      : t(
          `${ended.en}, and was taken back by run ${takenBack}`,
          `${ended.nl}, en is teruggedraaid door run ${takenBack}`,
        );
  return t(
    `Run ${run} ${en}: nothing of it is left to send.`,
    `Run ${run} ${nl}: er is niets meer van te versturen.`,
  );
}
