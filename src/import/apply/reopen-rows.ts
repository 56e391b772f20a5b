import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { type Context, wallClock } from '../../run/context.ts';
import { foundByUserText } from './apply-texts.ts';

/**
 * Makes rows of a run ready to be sent on: those whose outcome is unknown are looked for again, those that were not
 * finished go on. Of the rows in doubt the ones named in `resend` (`12`, or `Sheet!12`) are sent deliberately, as if they
 * had never been; those named in `done` were found on the service by the user, and count as posted.
 * Throws StopError with EXIT.usage for a row that can't be named so, before anything is changed.
 */
export async function reopenRows(
  context: Context,
  run: string,
  { resend = [], done = [] }: { readonly resend?: readonly string[]; readonly done?: readonly string[] } = {},
): Promise<void> {
  const unknown: PlannedRow[] = [];
  const cutOff: PlannedRow[] = [];
  const unfinished: PlannedRow[] = [];
  for await (const { planned, outcome, progress } of eachRow(context.ledger, run)) {
    if (outcome?.status === 'unknown') unknown.push(planned);
    else if (outcome?.unfinished === true) unfinished.push(planned);
    else if (outcome === null && progress?.sendingSince != null) cutOff.push(planned);
  }
  const inDoubt = [...unknown, ...cutOff];
  const named = resend.map((name) => findRow(inDoubt, name, '--resend'));
  // None is both sent again and done.
  const others = inDoubt.filter((row) => !named.includes(row));
  const posted = done.map((name) => postedRow(findRow(others, name, '--done'), name));
  const { ledger, serviceKey } = context;
  for (const row of named) {
    for (const { fingerprint } of row.steps) {
      if (fingerprint !== undefined)
        await ledger.settlePosting(serviceKey, row.resource, fingerprint, null, false);
    }
  }
  const forget = new Set(named.map(({ seq }) => seq));
  await ledger.reopenRows(
    run,
    [...unknown, ...unfinished, ...named].map(({ seq }) => ({ seq, forget: forget.has(seq) })),
  );
  await countAsPosted(context, run, posted);
}

/** What the user saw on the service is done, and never sent again. */
async function countAsPosted(
  { ledger, serviceKey, clock }: Context,
  run: string,
  rows: readonly PlannedRow[],
): Promise<void> {
  for (const { resource, steps } of rows)
    for (const { fingerprint } of steps)
      if (fingerprint !== undefined)
        await ledger.settlePosting(serviceKey, resource, fingerprint, null, true);
  await ledger.saveOutcomes(
    run,
    rows.map(({ seq }) => ({
      ...{ seq, status: 'created', id: null, issues: [] },
      message: foundByUserText(),
      at: wallClock(clock()),
    })),
  );
}

/** Only of a posting nobody but the user can tell; all else is looked up. */
function postedRow(row: PlannedRow, name: string): PlannedRow {
  if (row.steps.some(({ purpose }) => purpose === 'post')) return row;
  throw new StopError(
    EXIT.usage,
    t(
      `--done ${name}: what became of this row is looked up on the service.`,
      `--done ${name}: wat er van deze rij geworden is, wordt op de dienst opgezocht.`,
    ),
    { next: t('Leave it out, and apply the run.', 'Laat het weg, en voer de run uit.') },
  );
}

function findRow(unknown: readonly PlannedRow[], name: string, flag: string): PlannedRow {
  const [, sheet, number] = /^(?:(.+)!)?(\d+)$/.exec(name) ?? [];
  const found = unknown.filter(
    (row) => row.row === Number(number) && (sheet === undefined || row.sheet === sheet),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why = found.length > 1 ? 'is on more than one sheet' : 'has no unknown outcome in this run';
  const waarom =
    found.length > 1 ? 'staat op meer dan één werkblad' : 'heeft in deze run geen onbekende uitkomst';
  const some = unknown
    .slice(0, 8)
    .map((row) => `${row.sheet}!${row.row}`)
    .join(', ');
  throw new StopError(
    EXIT.usage,
    t(`${flag} ${name}: row ${name} ${why}.`, `${flag} ${name}: rij ${name} ${waarom}.`),
    {
      next:
        some === ''
          ? t('No row of this run is unknown.', 'Geen rij van deze run is onbekend.')
          : t(`Unknown are: ${some}.`, `Onbekend zijn: ${some}.`),
    },
  );
}
