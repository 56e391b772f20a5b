import { createHash } from 'node:crypto';
import { type Bilingual, t } from '../core/language.ts';
import { type PlannedRow, SELF, type Step } from '../core/plan.ts';
import { needsWork, statusText } from '../core/row-text.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { Values } from '../core/value.ts';
import { eachRow, type Posting, type StoredResult } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import { elsewhereText, openElsewhere, type PostingElsewhere } from '../run/posted-elsewhere.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, type KeyedResource, sameValue } from './existing-record.ts';
import { keepsKeys } from './key-keeping.ts';
import { rememberResend } from './late-doubles.ts';
import type { MappedRow } from './mapped-row.ts';
import type { ContextOf, Planning, UnplacedRow } from './planning.ts';
import type { RowDecision } from './row-decision.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { askedOnce } from './shared-reading.ts';

type Content = PlannedRow['steps'][number]['body'];

/** Names what rows send: the same row of the same file gets the same name again, and no other row does. */
export type Fingerprints = ReturnType<typeof createFingerprints>;

/** The name of a row with a `#key`. */
export const byReference = (key: string): string => `key:${key}`;

const BY_CONTENT = 'content:';

/** One serves all sheets of a resource in a run: equal rows on two sheets are two rows. */
export function createFingerprints(context: ContextOf<Resource>) {
  const seen = new Map<string, number>();
  const chosen = new Set<string>();
  const isAnothers = createNumberCheck(context);
  let choosing: Promise<unknown> = Promise.resolve();
  const choose = async (contents: readonly Content[], number: number): Promise<string[]> => {
    const hashes = contents.map(hashOf);
    for (let ordinal = 1; ; ordinal++) {
      const names = hashes.map((hash) => nameOf(hash, ordinal));
      if (names.some((name) => chosen.has(name)) || hashes.some((hash) => (seen.get(hash) ?? 0) >= ordinal))
        continue;
      if (await isAnothers(names, number)) continue;
      for (const name of names) chosen.add(name);
      return names;
    }
  };
  return {
    /** By the user's own `#key`, else by content with its ordinal among equal rows of the file. */
    of(key: string | null, content: Content): string {
      if (key !== null) return byReference(key);
      const hash = hashOf(content);
      let ordinal = (seen.get(hash) ?? 0) + 1;
      while (chosen.has(nameOf(hash, ordinal))) ordinal++;
      seen.set(hash, ordinal);
      return nameOf(hash, ordinal);
    },
    /** The names of a row that came back with its number (`#row`), one for each way to put its content. */
    ofNumbered(contents: readonly Content[], number: number): Promise<string[]> {
      // One after the other: two equal rows must not choose the same name.
      const names = choosing.then(() => choose(contents, number));
      choosing = names.catch(() => {});
      return names;
    },
  };
}

const nameOf = (hash: string, ordinal: number): string => `${BY_CONTENT}${hash}:${ordinal}`;

export function hashOf(content: Content): string {
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 27);
}

/** Tells whether another row of the file was sent under such a name: its run left this number as work. */
function createNumberCheck(context: ContextOf<Resource>) {
  const { ledger, serviceKey, resource } = context;
  const leftBy = askedOnce((_place: string, run: string, sheet: string) => rowsLeft(context, run, sheet));
  return async (names: readonly string[], number: number): Promise<boolean> => {
    for (const posting of (await ledger.findPostings(serviceKey, resource.name, names)).values()) {
      const sent = await sentRow(context, posting);
      if (sent === undefined || sent.planned.row === number) continue;
      const [{ run }, { sheet }] = [posting, sent.planned];
      if ((await leftBy(JSON.stringify([run, sheet]), run, sheet)).has(number)) return true;
    }
    return false;
  };
}

async function rowsLeft({ ledger }: Context, run: string, sheet: string): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for await (const result of eachRow(ledger, run, { sheet }))
    if (needsWork(statusText(result, false))) numbers.add(result.planned.row);
  return numbers;
}

/** The row that posted it, in the run that did. */
export async function sentRow(
  { ledger }: Context,
  { run, seq }: Pick<Posting, 'run' | 'seq'>,
): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Whether its run was cut off before the request went out; its place in the ledger is then free again. */
export async function neverSent(context: ContextOf<Resource>, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive, resource } = context;
  const row = await sentRow(context, posting);
  if (!exclusive || row === undefined || row.outcome !== null || row.progress?.sendingSince != null)
    return false;
  await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null, false);
  return true;
}

/** What earlier runs sent under these names, here and elsewhere; of several the first used one counts. */
export async function findPosted(context: ContextOf<Resource>, fingerprints: readonly string[]) {
  const { ledger, serviceKey, resource } = context;
  const others = await (await openElsewhere(context, resource.name))(fingerprints);
  const postings = await ledger.findPostings(serviceKey, resource.name, fingerprints);
  const first = <P>(among: ReadonlyMap<string, P>, names: readonly string[]): P | undefined =>
    names.map((one) => among.get(one)).find((found) => found !== undefined);
  return {
    here: (names: readonly string[]): Posting | undefined => first(postings, names),
    /** A row that would be posted, unless the same was at another address. */
    unlessElsewhere(decision: RowDecision, names: readonly string[]): RowDecision {
      const other = decision.action === 'create' ? first(others, names) : undefined;
      return other === undefined ? decision : { action: 'conflict', message: elsewhereText(other) };
    },
  };
}

/** A step that takes place anew each time; the other names are those it may have been sent under before. */
export function postStep(
  endpoint: string,
  body: Step['body'],
  [fingerprint = '', ...also]: readonly string[],
): Step {
  return { purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) };
}

/** How a kind of record is looked at. */
export interface RecordLooks<R extends KeyedResource> {
  readNow(id: number, row: MappedRow<R>): Promise<ExistingRecord | null>;
  tookEffect(doubt: SendDoubt): Promise<EffectVerdict>;
}

/** A row that would be created, and how its record is looked at. */
interface RecordCreation<R extends KeyedResource> extends RecordLooks<R> {
  readonly context: ContextOf<R>;
  readonly row: MappedRow<R>;
  readonly planned: UnplacedRow;
  /** The record with this id, as the plan read it. */
  byId(id: number): Promise<ExistingRecord | null>;
  /** Plans the row once more, against the record that an earlier run turned out to have made. */
  planAgain(row: MappedRow<R>, existing: ExistingRecord | null): UnplacedRow;
}

/**
 * Holds creates of these rows against what earlier runs created, or tried to, under the same names: those by
 * ExternalID and #key are read together, those by content one by one.
 */
export async function holdCreates<R extends KeyedResource>(
  context: ContextOf<R>,
  rows: readonly MappedRow<R>[],
  fingerprints: Fingerprints,
  look: (row: MappedRow<R>) => Omit<RecordCreation<R>, 'context' | 'row' | 'planned'>,
): Promise<(planned: UnplacedRow, row: MappedRow<R>) => Planning> {
  const { ledger, serviceKey, resource } = context;
  const findElsewhere = await openElsewhere(context, resource.name);
  const find = async (names: readonly string[]) => {
    const others = await findElsewhere(names);
    return { others, here: await ledger.findPostings(serviceKey, resource.name, names) };
  };
  const asked: string[] = [];
  for (const { values, reference } of rows) {
    const key = values[resource.external];
    if (typeof key === 'number') asked.push(byExternal(key));
    if (reference !== null) asked.push(byReference(reference));
  }
  const window = await find(asked);
  const held = (planned: UnplacedRow, row: MappedRow<R>, name: string, found: typeof window): Planning => {
    const [posting, other] = [found.here.get(name), found.others.get(name)];
    if (posting !== undefined) return createdBefore({ ...look(row), context, row, planned }, posting);
    if (other !== undefined) return createdElsewhere(context, planned, other);
    return planned;
  };
  const named = (planned: UnplacedRow, row: MappedRow<R>, name: string): Planning =>
    name.startsWith(BY_CONTENT)
      ? find([name]).then((found) => held(planned, row, name, found))
      : held(planned, row, name, window);
  return (planned, row) => {
    const name = nameCreate(planned, row, fingerprints);
    return typeof name === 'string'
      ? named(planned, row, name)
      : name.then((one) => named(planned, row, one));
  };
}

/** A row that was created at another address, and that nothing on the service would tell to be there. */
async function createdElsewhere(
  context: ContextOf<KeyedResource>,
  planned: UnplacedRow,
  other: PostingElsewhere,
): Promise<UnplacedRow> {
  if (await isFoundByKey(context, planned, other)) return planned;
  return { ...planned, action: 'conflict', steps: [], message: elsewhereText(other) };
}

/** Whether a record that was created at another address is looked for by its key, as that service keeps it. */
export async function isFoundByKey(
  { ledger, resource }: ContextOf<KeyedResource>,
  { external }: Pick<UnplacedRow, 'external'>,
  { service }: PostingElsewhere,
): Promise<boolean> {
  return external !== null && (await ledger.findFact(service, keepsKeys(resource))) !== 'no';
}

/** The name of a row that creates the record with this ExternalID. */
export const byExternal = (external: number): string => `external:${external}`;

/** Names a row's create, by which it is sent at most once; at once but for rows with a `#row`. */
function nameCreate(
  { steps, external, key }: UnplacedRow,
  { reference, origin }: MappedRow,
  fingerprints: Fingerprints,
): string | Promise<string> {
  // A record that is new is known by its ExternalID alone.
  if (external !== null) return putName(steps, key ?? byExternal(external));
  const content = Object.assign({}, ...steps.map(({ body }) => body));
  if (origin === null || reference !== null) return putName(steps, fingerprints.of(reference, content));
  return fingerprints.ofNumbered([content], origin).then(([name = '']) => putName(steps, name));
}

/** In place: nobody else has the step yet, and a copy of each of a million takes as long as planning it. */
function putName([create]: readonly Step[], fingerprint: string): string {
  if (create !== undefined) Object.assign(create, { fingerprint });
  return fingerprint;
}

/**
 * A row that would be created, after an earlier run sent its create: a lost answer is settled first, and a
 * row without a key is not created twice.
 */
async function createdBefore<R extends KeyedResource>(
  creation: RecordCreation<R>,
  posting: Posting,
): Promise<UnplacedRow> {
  const { context, planned } = creation;
  if (posting.state === 'done') return await wasCreated(creation, posting);
  const verdict = context.exclusive ? await settle(creation, posting) : null;
  if (verdict === 'no') return planned;
  if (verdict === null) return { ...planned, action: 'unknown', steps: [], message: inDoubtText(posting) };
  return await replanAs(creation, verdict.id);
}

/** Created by an earlier run: it is there by its id, or it is gone. */
async function wasCreated<R extends KeyedResource>(
  creation: RecordCreation<R>,
  posting: Posting,
): Promise<UnplacedRow> {
  const { context, planned, row } = creation;
  const { ledger, serviceKey, resource } = context;
  const existing = posting.id === null ? null : await stillThere(creation, posting, posting.id);
  // Interrupted: its name stays taken.
  if (existing === undefined) return planned;
  if (planned.external === null && existing !== null) {
    const message = doneText(posting);
    if (await wasFinished(context, posting))
      return { ...planned, action: 'unchanged', id: posting.id, steps: [], message };
    const rest = await replanAs(creation, posting.id);
    return rest.action === 'unchanged' ? { ...rest, message } : rest;
  }
  const isOwn = existing !== null && existing.external === planned.external;
  if (isOwn || (existing !== null && keyless(existing, resource.label, row)))
    return await replanAs(creation, posting.id);
  await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null, false);
  return planned;
}

/**
 * The record that an earlier run made; null where it is gone. Lists and reads may lag behind: it is read by
 * its id, and looked for as long as it may still appear. Undefined where that was interrupted.
 */
async function stillThere<R extends KeyedResource>(
  { context, byId, readNow, row }: RecordCreation<R>,
  posting: Posting,
  id: number,
): Promise<ExistingRecord | null | undefined> {
  const { ledger, serviceKey, resource, doubts } = context;
  const listed = await byId(id);
  if (listed !== null) return listed;
  const key = `id:${id}`;
  const last = (await ledger.findWrites(serviceKey, resource.name, [key])).get(key);
  if (last?.steps.at(-1)?.purpose === 'delete') return null;
  const until = doubts.ofEarlier(momentOf(posting.at));
  return await doubts.look(
    until,
    () => readNow(id, row),
    (seen) => seen !== null,
  );
}

/** The moment that a wall clock wrote down. */
export const momentOf = (at: string): Date => new Date(at.replace(' ', 'T'));

/** Whether its run was cut off before the ExternalID was stored. */
function keyless(existing: ExistingRecord, label: string, row: MappedRow<KeyedResource>): boolean {
  const name = existing.values[label] ?? null;
  // A name that only an update takes is missing too.
  return existing.external === null && (name === null || sameValue(name, row.values[label] ?? null));
}

async function wasFinished(context: Context, posting: Posting): Promise<boolean> {
  const sent = await sentRow(context, posting);
  return sent === undefined || sent.outcome?.status === 'created';
}

/** Looks on the service whether an earlier run's create took effect, and writes down what was found. */
async function settle<R extends KeyedResource>(
  creation: RecordCreation<R>,
  posting: Posting,
): Promise<EffectVerdict> {
  const { context, tookEffect } = creation;
  const { ledger, serviceKey, resource } = context;
  const sent = await sentRow(context, posting);
  const step = sent?.planned.steps[0];
  if (sent === undefined || step === undefined) return null;
  const body = Object.fromEntries(Object.entries(step.body).filter(([, value]) => value !== SELF)) as Values;
  const since = momentOf(posting.at);
  const { run, fingerprint } = posting;
  const { doubts, time } = context;
  // How long ago that was only our clock tells, which may have been set since.
  const until = doubts.fromStart();
  const doubt = { run, planned: sent.planned, step, id: null, body, since };
  const look = () => tookEffect({ ...doubt, last: time.steady() >= until });
  // What can't be read or told now may be by then.
  const isKnown = (seen: EffectVerdict): boolean => seen !== null && seen !== 'no';
  const verdict = (await doubts.look(until, look, isKnown)) ?? null;
  if (verdict === 'no') await rememberResend(context, { fingerprint, run, body });
  if (verdict !== null) {
    const id = verdict === 'no' ? null : verdict.id;
    await ledger.settlePosting(serviceKey, resource.name, fingerprint, id, verdict !== 'no');
  }
  return verdict;
}

async function replanAs<R extends KeyedResource>(
  creation: RecordCreation<R>,
  id: number | null,
): Promise<UnplacedRow> {
  const { row, planned, context } = creation;
  const { ledger, serviceKey, resource } = context;
  const existing: ExistingRecord | null = id === null ? null : await creation.readNow(id, row);
  if (existing?.id != null && planned.external !== null) {
    const label = existing.values[resource.label];
    const named = { external: planned.external, id: existing.id };
    const pair = { ...named, label: typeof label === 'string' ? label : null };
    await ledger.rememberKeys(serviceKey, resource.name, [pair]);
  }
  return creation.planAgain(existing === null ? row : { ...row, action: 'auto' }, existing);
}

const doneText = ({ run, at, id }: Posting): Bilingual =>
  t(
    `created before, in run ${run} on ${shownMinute(at).en}, as ${id}; give the row another #key to create it again`,
    `al eerder aangemaakt, in run ${run} op ${shownMinute(at).nl}, als ${id}; geef de rij een andere #key om het nog eens aan te maken`,
  );

const inDoubtText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run} sent it on ${shownMinute(at).en} and no answer is known; it can't be told whether it is there, so it is not sent again`,
    `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend; niet vast te stellen of het er staat, dus het wordt niet opnieuw verstuurd`,
  );
