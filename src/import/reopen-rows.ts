import { usageStop } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { eachRow, type Posting } from '../ledger/ledger.ts';
import { arrivesText, arrivesUntil, momentOf } from '../records/sent-before.ts';
import { type Context, wallClock } from '../run/context.ts';
import { placeOf } from './apply/row-chains.ts';

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
