import { t } from '../core/language.ts';
import { SELF } from '../core/plan.ts';
import type { Bilingual, Values } from '../core/value.ts';
import type { MappedRow } from '../import/map/map-row.ts';
import type { Posting } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { type Existing, sameValue } from './catalogue/existing.ts';
import { byReference, type Fingerprints, isByContent } from './fingerprint.ts';
import type { KeyedResource } from './keyed-resource.ts';
import type { Doubt, Unplaced, Verdict } from './kind.ts';

/** A row that would be created, and how its kind of record is looked at. */
export interface Creation {
  readonly resource: KeyedResource;
  readonly row: MappedRow<KeyedResource>;
  /** With its create named. */
  readonly planned: Unplaced;
  /** The record with this id, as the plan read it. */
  byId(id: number): Promise<Existing | null>;
  /** The record with this id, read anew. */
  readNow(id: number): Promise<Existing | null>;
  tookEffect(doubt: Doubt): Promise<Verdict>;
  /** The row planned once more, against the record that an earlier run turned out to have made. */
  replan(row: MappedRow<KeyedResource>, existing: Existing | null): Promise<Unplaced>;
}

/** What earlier runs sent under a fingerprint: at once for those that a user gave, which are looked up for many rows together. */
export type FindPosted = (fingerprint: string) => Posting | undefined | Promise<Posting | undefined>;

/** What earlier runs created, or tried to, under the names of these rows. */
export async function earlierCreates(
  context: Context,
  { name, external }: KeyedResource,
  rows: readonly MappedRow<KeyedResource>[],
): Promise<FindPosted> {
  const asked: string[] = [];
  for (const { values, reference } of rows) {
    const key = values[external];
    if (typeof key === 'number') asked.push(byExternal(key));
    if (reference !== null) asked.push(byReference(reference));
  }
  const find = (names: readonly string[]): Promise<Map<string, Posting>> =>
    context.ledger.findPostings(context.serviceKey, name, names);
  const found = await find(asked);
  return (fingerprint) => {
    if (!isByContent(fingerprint)) return found.size === 0 ? undefined : found.get(fingerprint);
    return find([fingerprint]).then((one) => one.get(fingerprint));
  };
}

const byExternal = (external: number): string => `external:${external}`;

/** Puts on a row's create, just planned, the name under which it is sent at most once; answers that, at once for all but rows with a `#row`. */
export function nameCreate(
  { steps, external, key }: Unplaced,
  { reference, origin }: Pick<MappedRow, 'reference' | 'origin'>,
  fingerprints: Fingerprints,
): string | Promise<string> {
  const put = (fingerprint: string): string => {
    const [create] = steps;
    // In place: nobody else has the step yet, and a copy of each of a million takes as long as planning it.
    if (create !== undefined) Object.assign(create, { fingerprint });
    return fingerprint;
  };
  // A record that is new is known by its ExternalID alone.
  if (external !== null) return put(key ?? byExternal(external));
  const content = Object.assign({}, ...steps.map(({ body }) => body));
  if (origin === null || reference !== null) return put(fingerprints.of(reference, content));
  return fingerprints.ofNumbered([content], origin).then(([name = '']) => put(name));
}

/**
 * A row that would be created, held against what an earlier run sent under its name: one whose answer was lost is
 * looked for first, one without a key that was created before is not created again.
 */
export async function createdBefore(
  context: Context,
  creation: Creation,
  posting: Posting,
): Promise<Unplaced> {
  const { planned } = creation;
  if (posting.state === 'done') return await wasCreated(context, creation, posting);
  const verdict = context.exclusive ? await settle(context, creation, posting) : null;
  if (verdict === 'no') return planned;
  if (verdict === null) return { ...planned, action: 'unknown', steps: [], message: inDoubtText(posting) };
  return await replanAs(context, creation, verdict.id);
}

/** Created by an earlier run, and not found by its key: without a key it is there by its id, else it is gone and may be made anew. */
async function wasCreated(context: Context, creation: Creation, posting: Posting): Promise<Unplaced> {
  const { planned, resource } = creation;
  const existing = posting.id === null ? null : await creation.byId(posting.id);
  if (planned.external === null && existing !== null) {
    const message = doneText(posting);
    if (await wasFinished(context, posting))
      return { ...planned, action: 'unchanged', id: posting.id, steps: [], message };
    const rest = await replanAs(context, creation, posting.id);
    return rest.action === 'unchanged' ? { ...rest, message } : rest;
  }
  if (existing !== null && keyless(existing, resource.label, creation.row)) {
    return await replanAs(context, creation, posting.id);
  }
  await context.ledger.settlePosting(context.serviceKey, resource.name, posting.fingerprint, null, false);
  return planned;
}

/** Cut off between the create and what stores its key: the record is there, and nothing but its ExternalID is missing. */
function keyless(existing: Existing, label: string, row: MappedRow<KeyedResource>): boolean {
  const name = existing.values[label] ?? null;
  // A name that only an update takes is missing too.
  return existing.external === null && (name === null || sameValue(name, row.values[label] ?? null));
}

/** Whether the requests after the create went through too. */
async function wasFinished({ ledger }: Context, { run, seq }: Posting): Promise<boolean> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent === undefined || sent.planned.seq !== seq || sent.outcome?.status === 'created';
}

/** Looks on the service whether an earlier run's create took effect, and writes down what was found. */
async function settle(context: Context, creation: Creation, posting: Posting): Promise<Verdict> {
  const { ledger, serviceKey } = context;
  const [sent] = await ledger.readRows(posting.run, { after: posting.seq - 1, limit: 1 });
  const step = sent?.planned.steps[0];
  if (sent === undefined || step === undefined || sent.planned.seq !== posting.seq) return null;
  const body = Object.fromEntries(Object.entries(step.body).filter(([, value]) => value !== SELF)) as Values;
  const since = new Date(posting.at.replace(' ', 'T'));
  const { run, fingerprint } = posting;
  const verdict = await creation.tookEffect({ run, planned: sent.planned, step, id: null, body, since });
  if (verdict !== null) {
    const id = verdict === 'no' ? null : verdict.id;
    await ledger.settlePosting(serviceKey, creation.resource.name, fingerprint, id, verdict !== 'no');
  }
  return verdict;
}

/** Planned against what is there now; that the row says create has been done. */
async function replanAs(context: Context, creation: Creation, id: number | null): Promise<Unplaced> {
  const { row, resource, planned } = creation;
  const existing: Existing | null = id === null ? null : await creation.readNow(id);
  if (existing?.id != null && planned.external !== null) {
    const label = existing.values[resource.label];
    const pair = {
      external: planned.external,
      id: existing.id,
      label: typeof label === 'string' ? label : null,
    };
    await context.ledger.rememberKeys(context.serviceKey, resource.name, [pair]);
  }
  return await creation.replan(existing === null ? row : { ...row, action: 'auto' }, existing);
}

const doneText = ({ run, at, id }: Posting): Bilingual =>
  t(
    `created before, in run ${run} at ${at}, as ${id}; give the row another #key to create it again`,
    `al eerder aangemaakt, in run ${run} om ${at}, als ${id}; geef de rij een andere #key om het nog eens aan te maken`,
  );

const inDoubtText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run} sent it at ${at} and no answer is known; it can't be told whether it is there, so it is not sent again`,
    `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend; niet vast te stellen of het er staat, dus het wordt niet opnieuw verstuurd`,
  );
