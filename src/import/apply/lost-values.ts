import { type Issue, issueAt, shorten } from '../../core/issue.ts';
import type { Outcome, PlannedRow, Step } from '../../core/plan.ts';
import { valueText } from '../../core/row-text.ts';
import type { Value } from '../../core/value.ts';
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

/** Puts a warning on the rows of a run of whose values it found a part to be lost; for when all is sent. */
export async function warnOfLosses(sendings: readonly Sending[], run: string): Promise<void> {
  for (const sending of sendings) {
    if (sending.stored.lossesFound().length === 0) continue;
    const { ledger } = sending.context;
    const warned: Outcome[] = [];
    for await (const row of eachRow(ledger, run)) {
      const issues = lossesOf(sending, row);
      if (row.outcome !== null && issues.length > 0)
        warned.push({ ...row.outcome, issues: [...row.outcome.issues, ...issues] });
    }
    if (warned.length > 0) await ledger.saveOutcomes(run, warned);
  }
}

function lossesOf({ stored, resource, addressOf }: Sending, { planned, outcome }: StoredResult): Issue[] {
  if (planned.resource !== resource.name || outcome === null || outcome.id === null) return [];
  const told = [...planned.issues, ...outcome.issues];
  return stored.lossesFound().flatMap(([field, { cut, cuts, keepsNone }]) => {
    const code = keepsNone === true ? 'not-kept' : 'text-cut';
    const [sent] = planned.steps.flatMap(({ body }) => plainValue(body[field]));
    const isLost = keepsNone === true ? Boolean(sent) : typeof sent === 'string' && cuts(sent);
    if (sent === undefined || !isLost || told.some((one) => one.code === code && one.field === field))
      return [];
    const found = typeof sent === 'string' ? sent : valueText(sent, 'en');
    const finding = { code, found: shorten(found), hint: String(cut ?? field) } as const;
    return [issueAt(finding, { field, address: addressOf(planned, field) })];
  });
}

const plainValue = (sent: Step['body'][string] | undefined): Value[] =>
  sent == null || typeof sent === 'object' ? [] : [sent];
