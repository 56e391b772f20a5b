import { EXIT, StopError } from '../../errors.ts';
import { eachRow } from '../../ledger/each-row.ts';
import type { PlannedRow } from '../../schema/plan.ts';
import type { Context } from '../context.ts';

/**
 * Makes rows of a run ready to be sent on: those whose outcome is unknown are looked for again, those that were not
 * finished go on. Of the rows in doubt the ones
 * named in `resend` (`12`, or `Sheet!12`) are sent deliberately, as if they had never been.
 * Throws StopError with EXIT.usage for a row that can't be sent again, before anything is changed.
 */
export async function reopenRows(context: Context, run: string, resend: readonly string[]): Promise<void> {
  const unknown: PlannedRow[] = [];
  const cutOff: PlannedRow[] = [];
  const unfinished: PlannedRow[] = [];
  for await (const { planned, outcome, progress } of eachRow(context.ledger, run)) {
    if (outcome?.status === 'unknown') unknown.push(planned);
    else if (outcome?.unfinished === true) unfinished.push(planned);
    else if (outcome === null && progress?.sendingSince != null) cutOff.push(planned);
  }
  const named = resend.map((name) => findRow([...unknown, ...cutOff], name));
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
}

function findRow(unknown: readonly PlannedRow[], name: string): PlannedRow {
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
    { en: `--resend ${name}: row ${name} ${why}.`, nl: `--resend ${name}: rij ${name} ${waarom}.` },
    {
      next:
        some === ''
          ? { en: 'No row of this run is unknown.', nl: 'Geen rij van deze run is onbekend.' }
          : { en: `Unknown are: ${some}.`, nl: `Onbekend zijn: ${some}.` },
    },
  );
}
