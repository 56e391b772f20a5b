import type { PlannedRow } from '../../core/plan.ts';
import type { Values } from '../../core/value.ts';
import { createChangedSince, type ListedRecord } from '../../records/changed-since.ts';
import { recordTookEffect } from '../../records/doubts.ts';
import { type ExistingRecord, LISTED, readExisting, sameValue } from '../../records/existing-record.ts';
import { createFreshness, secondBefore } from '../../records/freshness.ts';
import { createKeyKeeping } from '../../records/key-keeping.ts';
import { doublesAmong, type FindDoubles } from '../../records/late-doubles.ts';
import { EPOCH } from '../../records/listing.ts';
import {
  type EffectVerdict,
  type GuardSetup,
  type RowGuard,
  readBackById,
  type SendDoubt,
  type SentStep,
} from '../../records/row-guard.ts';
import { createSecondLook } from '../../records/second-look.ts';
import { sharedReading } from '../../records/shared-reading.ts';
import { learnNewValues } from '../../records/undo.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage } from '../../service/pages.ts';
import type { CatalogueContext } from './catalogue-list.ts';
import { readDetail } from './catalogue-source.ts';

/** Guards rows by LMT, settles lost answers by the record, finds out whether keys are kept. */
export function catalogueGuard(context: GuardSetup<CatalogueResource>): RowGuard {
  const { summary } = context;
  // After a whole list one list answers for all rows; after single reads each record is read once more.
  const listSome = async (from: string) => (await listSince(context, from)).filter(({ lmt }) => lmt !== null);
  const changed = createChangedSince(context, { since: listSome, one: (id) => readDetail(context, id) });
  const isList = summary.strategy === 'list';
  const freshness = createFreshness(context.resource, async (id, lmt, anew) =>
    isList && !anew ? await changed.look(id, lmt) : await readDetail(context, id),
  );
  const keys = createKeyKeeping(context, (id) => readDetail(context, id));
  const news = createNewRecordWatch(context);
  const listed = createListing(context);
  const secondLook = createSecondLook(context, {
    listSince: (moment) => listed(moment ?? EPOCH),
    readEnds: () => readEnds(context),
    holds: (existing, body) => holds(context.resource, existing, body),
  });
  return {
    check: async (...row) => (await secondLook(row[0])) ?? (await freshness.check(...row)),
    async wrote(sent) {
      freshness.wrote(sent.id);
      if (isList) await changed.wrote(sent);
      news.wrote(sent);
      const external = sent.body[context.resource.external];
      if (typeof external === 'number' && sent.id !== null) keys.stored(external, sent.id);
    },
    async readBack(sent) {
      await keys.learn();
      await news.learn();
      return await readWritten(context, sent);
    },
    readNow: async ({ id }) => (id === null ? null : await readWhole(context, id)),
    tookEffect: (doubt) => catalogueTookEffect(context, doubt, listed),
    keys,
    notes: keys.notes,
  };
}

async function listSince(context: CatalogueContext, LMT: string): Promise<ListedRecord[]> {
  const { service, concurrency, resource } = context;
  const first = await firstPage(service, resource.requests.list, { LMT });
  const found: ListedRecord[] = [];
  for await (const page of first.all(concurrency))
    for (const record of page.data) {
      const existing = readExisting(resource, record, LISTED);
      if (existing?.id == null) continue;
      found.push({ id: existing.id, lmt: existing.lmt, existing });
    }
  return found;
}

type Listing = (since: string, asked?: number) => Promise<readonly ExistingRecord[]>;

/** What was written since a moment, in readings that all doubts share. */
export const createListing = (context: CatalogueContext): Listing =>
  sharedReading(context.time, async (since) =>
    (await listSince(context, since)).flatMap(({ existing }) => existing ?? []),
  );

/** What came late beside creates that were sent again, by the list of what was written since the first of them. */
export const catalogueDoubles =
  (context: CatalogueContext): FindDoubles =>
  async (creates) => {
    const since = creates.map(({ mark }) => mark?.newest ?? EPOCH).sort()[0] ?? EPOCH;
    const records = await listSince(context, since === EPOCH ? EPOCH : secondBefore(since));
    const listed = records.flatMap(({ existing }) => existing ?? []);
    const isAlike = (existing: ExistingRecord, body: Values) => holds(context.resource, existing, body);
    return (await Promise.all(creates.map((one) => doublesAmong(context, one, listed, isAlike)))).flat();
  };

/** The first page of the list and the last: what is newest is on one of them, in any order of a list. */
async function readEnds({ service, resource }: CatalogueContext) {
  const first = await firstPage(service, resource.requests.list, { LMT: EPOCH });
  const last = await first.last();
  const records = [...first.page.data, ...(last?.data ?? [])].flatMap(
    (record) => readExisting(resource, record, LISTED) ?? [],
  );
  return { records, whole: (first.page.meta.last ?? 1) <= 2 };
}

/** Up to so many records that were written are read one by one. */
const FEW = 3;
/** So many of those that a list lacks: more of them cost an update each. */
const MOST_SINGLE = 20;

/** What a run wrote, by the list of what was written since the plan; few by themselves, or what it lacks. */
async function readWritten(context: GuardSetup<CatalogueResource>, sent: readonly SentStep[]) {
  const ids = new Set(sent.flatMap(({ id }) => id ?? []));
  const { newest } = context.summary;
  const listed = ids.size > FEW && newest !== null ? await listSince(context, secondBefore(newest)) : [];
  for (const { id } of listed) ids.delete(id);
  const single = await Promise.all([...ids].slice(0, MOST_SINGLE).map((id) => readDetail(context, id)));
  return [...listed.map(({ existing }) => existing), ...single].flatMap(readBackById);
}

/** All that reads tell of a record: the detail, and the list since its LMT where that tells more. */
async function readWhole(context: CatalogueContext, id: number) {
  const { resource } = context;
  const now = await readDetail(context, id);
  const isListed = Object.values(resource.fields).some(
    ({ reads, update }) => reads === 'list' && update !== 'none',
  );
  if (now?.lmt == null || !isListed) return now?.values ?? null;
  // Other rows were written since: the pages up to this record are enough.
  const first = await firstPage(context.service, resource.requests.list, { LMT: secondBefore(now.lmt) });
  for await (const page of first.all(1))
    for (const record of page.data) {
      const listed = readExisting(resource, record, LISTED);
      if (listed?.id === id) return { ...listed.values, ...now.values };
    }
  return now.values;
}

/** Whether a request took effect, by the record or by the list of what was written since. */
export async function catalogueTookEffect(
  context: CatalogueContext,
  doubt: SendDoubt,
  listed: Listing,
): Promise<EffectVerdict> {
  const { resource } = context;
  const { planned } = doubt;
  return await recordTookEffect(context, doubt, {
    read: (id) => readDetail(context, id),
    shows: (existing) => shows(resource, planned, existing),
    created: {
      keyed: (external) => readDetail(context, external, 'external'),
      list: (since, asked = doubt.asked) => listed(since ?? EPOCH, asked),
      holds: (existing, sent) => holds(resource, existing, sent),
    },
  });
}

/** Whether a detail read shows the changes; null where it returns none of the fields, or lacks the key. */
function shows(
  { fields, external }: CatalogueResource,
  { changes }: PlannedRow,
  existing: ExistingRecord,
): boolean | null {
  const seen = changes.filter(({ field }) => fields[field]?.reads !== 'list' && field !== external);
  // That a key is not there tells nothing: a service may not keep it.
  const isKeyed = changes.every(({ field, to }) => field === external && to === existing.external);
  if (changes.length > 0 && isKeyed) return true;
  return seen.length === 0 ? null : seen.every(({ field, to }) => sameValue(existing.values[field], to));
}

function holds({ fields, external }: CatalogueResource, { values }: ExistingRecord, body: Values): boolean {
  return Object.entries(body).every(([name, value]) => {
    if (name === external || fields[name]?.reads === 'detail') return true;
    return sameValue(values[name], value);
  });
}

/** The name under which is remembered what the service puts in new records. */
export const newRecordOf = ({ name }: CatalogueResource): string => `a new record of ${name}`;

function unsent({ keys }: CatalogueResource, sent: ReadonlySet<string>, { values }: ExistingRecord): Values {
  const isOwn = (field: string) => !sent.has(field) && !keys.includes(field) && field !== 'LMT';
  return Object.fromEntries(Object.entries(values).filter(([field]) => isOwn(field)));
}

/** Reads the first new record back in the end: a service fills in fields that it was not sent. */
function createNewRecordWatch(context: CatalogueContext) {
  const { resource } = context;
  let first: SentStep | undefined;
  return {
    wrote(sent: SentStep): void {
      if (sent.step.purpose === 'create' && sent.id !== null) first ??= sent;
    },
    async learn(): Promise<void> {
      const { id = null, planned } = first ?? {};
      if (id === null || planned === undefined) return;
      const sent = new Set(planned.steps.flatMap(({ body }) => Object.keys(body)));
      const isKnown = (known: Values): boolean => Object.keys(known).length > 0;
      await learnNewValues(context, newRecordOf(resource), isKnown, async () => {
        const record = await readDetail(context, id);
        return record === null ? null : unsent(resource, sent, record);
      });
    },
  };
}
