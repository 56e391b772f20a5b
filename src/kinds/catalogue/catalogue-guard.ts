import {
  DETAILED,
  type ExistingRecord,
  LISTED,
  readExisting,
  sameValue,
} from '../../records/existing-record.ts';
import { secondBefore } from '../../records/fresh.ts';
import { EPOCH } from '../../records/listing.ts';
import { createRecordGuard, type RecordReads } from '../../records/record-guard.ts';
import type { GuardSetup, RowGuard, SentStep } from '../../records/row-guard.ts';
import { learnNewValues } from '../../records/undo.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { firstPage } from '../../service/pages.ts';
import type { CatalogueContext } from './catalogue-list.ts';
import { readDetail } from './catalogue-source.ts';

/** How packages and recipes are read by themselves and by the list of what was written since. */
export function catalogueReads(context: CatalogueContext): RecordReads {
  const { resource, service, concurrency } = context;
  const { fields, external, requests } = resource;
  const toRecords = (data: Parameters<typeof readExisting>[1][]): ExistingRecord[] =>
    data.flatMap((record) => readExisting(resource, record, LISTED) ?? []);
  return {
    one: (id) => readDetail(context, id),
    async since(LMT) {
      const first = await firstPage(service, requests.list, { LMT });
      const found: ExistingRecord[] = [];
      for await (const { data } of first.all(concurrency)) for (const one of toRecords(data)) found.push(one);
      return found;
    },
    shows(existing, { planned: { changes } }) {
      // That a key is not there tells nothing: a service may not keep it.
      const isKeyed = changes.every(({ field, to }) => field === external && to === existing.external);
      if (changes.length > 0 && isKeyed) return true;
      const seen = changes.filter(({ field }) => fields[field]?.reads !== 'list' && field !== external);
      return seen.length === 0 ? null : seen.every(({ field, to }) => sameValue(existing.values[field], to));
    },
    created: {
      keyed: (key) => readDetail(context, key, 'external'),
      holds: ({ values }, body) =>
        Object.entries(body).every(
          ([name, value]) =>
            name === external || fields[name]?.reads === 'detail' || sameValue(values[name], value),
        ),
      // What is newest is on the first page of the list or on the last, in any order of it.
      async ends() {
        const first = await firstPage(service, requests.list, { LMT: EPOCH });
        const last = await first.last();
        const records = toRecords([...first.page.data, ...(last?.data ?? [])]);
        return { records, whole: (first.page.meta.last ?? 1) <= 2 };
      },
    },
    few: 3,
  };
}

/** Guards rows as records are guarded, and finds out what new ones hold. */
export function catalogueGuard(context: GuardSetup<CatalogueResource>): RowGuard {
  const guard = createRecordGuard(context, catalogueReads(context));
  return {
    ...guard,
    async readBack(sent) {
      await learnNewRecord(context, sent);
      return (await guard.readBack?.(sent)) ?? [];
    },
    readNow: async ({ id }) => (id === null ? null : await readWhole(context, id)),
  };
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

/** The name under which is remembered what the service puts in new records. */
export const newRecordOf = ({ name }: CatalogueResource): string => `a new record of ${name}`;

/** Reads the first new record back: a service fills in fields that it was not sent. */
async function learnNewRecord(context: CatalogueContext, sent: readonly SentStep[]): Promise<void> {
  const { resource } = context;
  const made = sent.find(({ step, id }) => step.purpose === 'create' && id !== null);
  if (made === undefined) return;
  const fields = Object.keys(resource.fields).filter(
    (name) => !resource.keys.includes(name) && DETAILED.includes(resource.fields[name]?.reads ?? 'none'),
  );
  const read = async () => (await readDetail(context, made.id ?? 0))?.values ?? null;
  await learnNewValues(context, newRecordOf(resource), { ...made, fields }, read);
}
