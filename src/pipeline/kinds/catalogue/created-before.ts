import type { Posting } from '../../../ledger/ledger.ts';
import { SELF } from '../../../schema/plan.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Bilingual, Values } from '../../../schema/value.ts';
import type { Context } from '../../context.ts';
import type { MappedRow } from '../../map/map-row.ts';
import type { PlanRules, Unplaced, Verdict } from '../kind.ts';
import type { Existing } from './existing.ts';
import { planRow, recordKey } from './plan-row.ts';
import type { Shared } from './planner.ts';
import { readDetail } from './read-detail.ts';
import type { RecordSource } from './record-source.ts';
import { tookEffect } from './settle.ts';

interface Create {
  readonly row: MappedRow<CatalogueResource>;
  readonly planned: Unplaced;
  readonly rules: PlanRules;
  readonly source: RecordSource;
}

/**
 * A row that would be created, held against what earlier runs sent: one whose answer was lost is looked for first, one
 * without a key that was created before is not created again. The create carries the name under which it is sent at
 * most once.
 */
export async function createdBefore(context: Context, shared: Shared, create: Create): Promise<Unplaced> {
  const { resource } = shared;
  const { planned, row } = create;
  const [step, ...rest] = planned.steps;
  if (step === undefined) return planned;
  const fingerprint =
    planned.external === null
      ? shared.fingerprints.of(row.reference, step.body)
      : `external:${planned.external}`;
  const named = { ...planned, steps: [{ ...step, fingerprint }, ...rest] };
  const postings = await context.ledger.findPostings(context.serviceKey, resource.name, [fingerprint]);
  const posting = postings.get(fingerprint);
  if (posting === undefined) return named;
  if (posting.state === 'done') return await wasCreated(context, shared, create, named, posting);
  const verdict = context.exclusive ? await settle(context, resource, posting, fingerprint) : null;
  if (verdict === 'no') return named;
  if (verdict === null) return { ...planned, action: 'conflict', steps: [], message: inDoubtText(posting) };
  return await replan(context, shared, create, verdict.id);
}

/** Created by an earlier run, and not found by its key: without a key it is there by its id, else it is gone and may be made anew. */
async function wasCreated(
  context: Context,
  shared: Shared,
  create: Create,
  named: Unplaced,
  posting: Posting,
): Promise<Unplaced> {
  const { planned, source } = create;
  const existing = posting.id === null ? null : await source.byId(posting.id);
  if (planned.external === null && existing !== null) {
    return { ...planned, action: 'unchanged', id: posting.id, steps: [], message: doneText(posting) };
  }
  await context.ledger.settlePosting(
    context.serviceKey,
    shared.resource.name,
    posting.fingerprint,
    null,
    false,
  );
  return named;
}

/** Looks on the service whether an earlier run's create took effect, and writes down what was found. */
async function settle(
  context: Context,
  resource: CatalogueResource,
  posting: Posting,
  fingerprint: string,
): Promise<Verdict> {
  const { ledger, serviceKey } = context;
  const [sent] = await ledger.readRows(posting.run, { after: posting.seq - 1, limit: 1 });
  const step = sent?.planned.steps[0];
  if (sent === undefined || step === undefined || sent.planned.seq !== posting.seq) return null;
  const body = Object.fromEntries(Object.entries(step.body).filter(([, value]) => value !== SELF)) as Values;
  const since = new Date(posting.at.replace(' ', 'T'));
  const verdict = await tookEffect(context, resource, {
    run: posting.run,
    planned: sent.planned,
    step,
    id: null,
    body,
    since,
  });
  if (verdict !== null)
    await ledger.settlePosting(
      serviceKey,
      resource.name,
      fingerprint,
      verdict === 'no' ? null : verdict.id,
      verdict !== 'no',
    );
  return verdict;
}

/** The row planned once more, against the record that an earlier run turned out to have made. */
async function replan(
  context: Context,
  shared: Shared,
  create: Create,
  id: number | null,
): Promise<Unplaced> {
  const { row, rules, planned } = create;
  const { resource } = shared;
  const existing: Existing | null = id === null ? null : await readDetail(context, resource, id);
  if (existing?.id != null && planned.external !== null) {
    const label = existing.values[resource.label];
    const pair = {
      external: planned.external,
      id: existing.id,
      label: typeof label === 'string' ? label : null,
    };
    await context.ledger.rememberKeys(context.serviceKey, resource.name, [pair]);
  }
  return planRow(row, { existing, clash: null }, rules, recordKey(row, existing));
}

const doneText = ({ run, at, id }: Posting): Bilingual => ({
  en: `created before, in run ${run} at ${at}, as ${id}; give the row another #key to create it again`,
  nl: `al eerder aangemaakt, in run ${run} om ${at}, als ${id}; geef de rij een andere #key om het nog eens aan te maken`,
});

const inDoubtText = ({ run, at }: Posting): Bilingual => ({
  en: `run ${run} sent it at ${at} and no answer is known; it can't be told whether it is there, so it is not sent again`,
  nl: `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend; niet vast te stellen of het er staat, dus het wordt niet opnieuw verstuurd`,
});
