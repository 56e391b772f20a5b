import { type Bilingual, t } from '../core/language.ts';
import { type PlannedRow, settledStatus } from '../core/plan.ts';
import { comparablePath } from '../files/file-name.ts';
import { eachRow, type Ledger } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { countNow } from './apply/apply-plan.ts';

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
