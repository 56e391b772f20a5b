import { isDeepStrictEqual } from 'node:util';
import { type Bilingual, t } from '../../core/language.ts';
import { type Outcome, plannedStatus, settledStatus } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { comparablePath } from '../../files/file-name.ts';
import { eachRow, type RunRecord, type StoredResult } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { countNow } from './apply-plan.ts';

/** Runs looked at, the newest first. */
const NEWEST = 200;

/**
 * Settles rows of runs of the same file that were cut off, or ended with rows in doubt, where a run that was
 * sent since finished them: so that what is done does not stay on offer. A run of which nothing is left to do
 * is closed.
 */
export async function closeRuns(
  context: Context,
  { run, file }: { run: string; file: string },
): Promise<void> {
  const { ledger, serviceKey, exclusive } = context;
  if (!exclusive) return;
  for (const other of await ledger.listRuns(NEWEST)) {
    if (other.run === run || other.service !== serviceKey) continue;
    const isLeft = other.state === 'done' && (other.counts?.unknown ?? 0) > 0;
    if (other.state !== 'applying' && other.state !== 'interrupted' && !isLeft) continue;
    if (comparablePath(other.file) === comparablePath(file)) await closeRun(context, other, run);
  }
}

async function closeRun(context: Context, { run, state, counts }: RunRecord, by: string): Promise<void> {
  const { ledger, serviceKey } = context;
  const isSame = isDeepStrictEqual(await fileOf(context, run), await fileOf(context, by));
  let left = 0;
  for await (const result of eachRow(ledger, run)) {
    if (!isOpen(result)) continue;
    const outcome = await outcomeBy(context, result, { run, by, isSame });
    if (outcome === null) left++;
    else await ledger.saveOutcomes(run, [outcome]);
  }
  const now = await countNow(ledger, run);
  if (state === 'done' ? now.unknown === counts?.unknown : left > 0) return;
  if (left === 0) await ledger.rememberFact(serviceKey, factName(run), by);
  await ledger.setRunState(run, 'done', now);
}

/** What tells a file from itself after a change. */
async function fileOf({ ledger }: Context, run: string): Promise<unknown> {
  return ((await ledger.findDetails(run)) as { readonly file?: unknown } | undefined)?.file;
}

function isOpen({ planned, outcome }: StoredResult): boolean {
  if (outcome === null) return settledStatus(planned.action) === null;
  return outcome.status === 'unknown' || outcome.unfinished === true;
}

const FINISHED: ReadonlySet<unknown> = new Set(['created', 'updated', 'deleted', 'unchanged']);

/** What became of a row that the run `by` finished; null for one that it did not. */
async function outcomeBy(
  { ledger, serviceKey }: Context,
  { planned, progress }: StoredResult,
  { run, by, isSame }: { readonly run: string; readonly by: string; readonly isSame: boolean },
): Promise<Outcome | null> {
  const { seq, resource, external, key, steps } = planned;
  const [last] = await ledger.readRows(by, { after: seq - 1, limit: 1 });
  const status = last?.outcome?.status ?? (last && settledStatus(last.planned.action));
  const there = last?.planned;
  if (there?.seq !== seq || !FINISHED.has(status)) return null;
  if (there.sheet !== planned.sheet || there.row !== planned.row || there.resource !== resource) return null;
  const isRecord = (key !== null && there.key === key) || (external !== null && there.external === external);
  if (!isSame && !isRecord) return null;
  const [{ fingerprint: name, purpose } = {}] = steps;
  const posting =
    name === undefined ? undefined : (await ledger.findPostings(serviceKey, resource, [name])).get(name);
  // Of a row that was sent without an answer, the later run found out whether it took effect.
  const began = progress !== null && (progress.done > 0 || progress.sendingSince !== null);
  const own = posting === undefined ? began && status === 'unchanged' : posting.run === run;
  const id = last?.outcome?.id ?? there.id ?? posting?.id ?? progress?.id ?? null;
  if (name !== undefined && posting?.state === 'sending') {
    if (!own || purpose === 'post') return null;
    // The later run found its record by another way.
    await ledger.settlePosting(serviceKey, resource, name, id, true);
  }
  const done = { seq, id, issues: [], message: doneText(by, last?.outcome?.at ?? null) };
  return own || (progress?.done ?? 0) > 0
    ? { ...done, status: plannedStatus(planned.action), at: progress?.sendingSince?.slice(0, 19) ?? null }
    : { ...done, status: 'unchanged', at: null };
}

/** `at` is null where the later run found that nothing was left to send. */
const doneText = (by: string, at: string | null): Bilingual =>
  at === null
    ? t(`finished in run ${by}`, `afgemaakt in run ${by}`)
    : t(`finished in run ${by} on ${shownMinute(at).en}`, `afgemaakt in run ${by} op ${shownMinute(at).nl}`);

const factName = (run: string): string => `${run} was finished`;

/** The run that finished a run that was cut off; undefined when none did. */
export async function findFinishedBy(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  run: string,
): Promise<string | undefined> {
  return await ledger.findFact(serviceKey, factName(run));
}

/** Said when a run is applied that is finished, perhaps by another one. */
export function finishedText(run: string, by?: string): Bilingual {
  const [en, nl] =
    by === undefined
      ? ['is finished', 'is klaar']
      : [`was finished by run ${by}`, `is afgemaakt door run ${by}`];
  return t(
    `Run ${run} ${en}: nothing of it is left to send.`,
    `Run ${run} ${nl}: er is niets meer van te versturen.`,
  );
}
