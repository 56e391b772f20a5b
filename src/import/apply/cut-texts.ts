import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import type { Outcome, PlannedRow } from '../../core/plan.ts';
import { eachRow, type StoredResult } from '../../ledger/ledger.ts';
import type { StoredValues } from '../../records/stored-values.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

interface Sending {
  readonly context: Pick<Context, 'ledger'>;
  readonly resource: Resource;
  readonly stored: StoredValues;
  addressOf(planned: PlannedRow, field: string): string | null;
}

/** Puts a warning on the rows of a run whose texts it found to be cut; to be called when all is sent. */
export async function warnOfCuts(sendings: readonly Sending[], run: string): Promise<void> {
  for (const sending of sendings) {
    if (sending.stored.cutsFound().length === 0) continue;
    const { ledger } = sending.context;
    const warned: Outcome[] = [];
    for await (const row of eachRow(ledger, run)) {
      const issues = cutsOf(sending, row);
      if (row.outcome !== null && issues.length > 0)
        warned.push({ ...row.outcome, issues: [...row.outcome.issues, ...issues] });
    }
    if (warned.length > 0) await ledger.saveOutcomes(run, warned);
  }
}

function cutsOf({ stored, resource, addressOf }: Sending, { planned, outcome }: StoredResult): Issue[] {
  if (planned.resource !== resource.name || outcome === null || outcome.id === null) return [];
  const told = [...planned.issues, ...outcome.issues].filter(({ code }) => code === 'text-cut');
  return stored.cutsFound().flatMap(([field, habit]) => {
    const sent = planned.steps.map(({ body }) => body[field]).find((value) => typeof value === 'string');
    if (typeof sent !== 'string' || !habit.cuts(sent) || told.some((issue) => issue.field === field))
      return [];
    const finding = { code: 'text-cut', found: shorten(sent), hint: String(habit.cut) } as const;
    return [issueAt(finding, { field, address: addressOf(planned, field) })];
  });
}
