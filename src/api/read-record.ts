import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { FieldChange } from '../core/plan.ts';
import type { Value } from '../core/value.ts';
import { whoSent } from '../import/apply/apply-plan.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { sameValue } from '../records/existing-record.ts';
import { resources } from '../resources/registry.ts';
import { sameAddress } from '../service/address.ts';
import { resolveSettings } from '../session/settings.ts';
import type { RecordDocument } from './documents.ts';
import { changeDocuments } from './make-documents.ts';
import { resourceNamed } from './resource-named.ts';
import { type OpenRuns, withRuns } from './runs.ts';

/** Kinds of records that have a number of their own. */
const KINDS = resources.flatMap((resource) => ('id' in resource ? [resource] : []));

/** Most runs that are looked through. */
const MOST_RUNS = 10_000;

/**
 * Every change of a record that this ledger sent, the last one first: who sent it, in which run, and what somebody else
 * changed between, as far as plans read it. `record`: its kind and its number, or its ExternalID, such as
 * `packages:30001`. Asks no service. Throws StopError for a record that nothing was sent to.
 */
export async function readRecord(
  record: string,
  options: OptionsOf<'readRecord'> = {},
): Promise<RecordDocument> {
  const given = checkOptions('readRecord', options, { record });
  const [, name = '', digits] = /^\s*([^:]+):\s*(\d+)\s*$/.exec(record) ?? [];
  if (digits === undefined) throw notARecord(record);
  const resource = resourceNamed(name, KINDS);
  const { baseUrl } = resolveSettings(given);
  return await withRuns(given, async (runs) => {
    const about = { resource: resource.name, number: Number(digits), baseUrl };
    const { label, changes } = await changesOf(runs, about);
    if (changes.length === 0) throw nothingSent(record);
    return { record: `${resource.name}:${digits}`, label, changes };
  });
}

interface WantedRecord {
  readonly resource: string;
  /** Its id, or its ExternalID. */
  readonly number: number;
  /** It is its id. */
  readonly isId?: true;
  /** The service that it stands on; null for the embedded sandbox. */
  readonly baseUrl: string | null;
}

/** The same of a record in runs that are open; nothing where nothing was sent to it. */
export async function changesOf(
  { ledger: open, list }: OpenRuns,
  { baseUrl, ...wanted }: WantedRecord,
): Promise<Pick<RecordDocument, 'label' | 'changes'>> {
  const isHere = (service: string): boolean =>
    baseUrl === null ? service.startsWith('sandbox') : sameAddress(service, baseUrl);
  const { resource } = wanted;
  const ledger = await open();
  const services = (await ledger.listServices()).filter(isHere);
  const keys = await keysOf(ledger, services, wanted);
  const runs = (await list(MOST_RUNS, { states: SENT, offset: 0 })).filter(({ service }) => isHere(service));
  const changes: RecordDocument['changes'][number][] = [];
  const last = new Map<string, Value>();
  let label: string | null = null;
  for (const { run, file } of runs.toReversed())
    for (const planned of (
      await Promise.all(keys.map((key) => ledger.plannedFor(run, resource, key)))
    ).flat()) {
      const [row] = await ledger.readRows(run, { after: planned.seq - 1, limit: 1 });
      const { status, at = null } = row?.outcome ?? {};
      if (row?.planned.seq !== planned.seq || status === undefined || at === null) continue;
      if (status !== 'created' && status !== 'updated' && status !== 'deleted' && status !== 'unknown')
        continue;
      label = planned.about?.label ?? label;
      const fields = changeDocuments(planned);
      const elsewhere = planned.changes.flatMap((change) => movedSince(last, change));
      if (status !== 'unknown') for (const { field, to } of fields) last.set(field, to);
      const users = await Promise.all(services.map((service) => ledger.findFact(service, whoSent(run))));
      const user = users.find((one) => one !== undefined) ?? null;
      changes.push({
        ...{ run, file, at, user, status, changes: fields },
        ...(elsewhere.length > 0 && { elsewhere }),
      });
    }
  return { label, changes: changes.toReversed() };
}

const SENT = ['applying', 'done', 'interrupted'] as const;

/** The keys under which plans have a record: by its number, or else by its ExternalID, and by the other of the two. */
async function keysOf(
  ledger: Ledger,
  services: readonly string[],
  { resource, number, isId }: Omit<WantedRecord, 'baseUrl'>,
): Promise<readonly string[]> {
  const keys = new Set<string>();
  for (const service of services) {
    const byId = (await ledger.findKeys(service, resource, [number], 'id')).get(number);
    // Another record may have that number as its ExternalID.
    const byExternal = isId ? undefined : (await ledger.findKeys(service, resource, [number])).get(number);
    const { id, external } = byId ?? byExternal ?? {};
    keys.add(`id:${id ?? number}`);
    if (external !== undefined) keys.add(`external:${external}`);
  }
  return [...keys];
}

/** What a field was changed to by others since this ledger sent it last. */
function movedSince(last: ReadonlyMap<string, Value>, { field, from, sent }: FieldChange) {
  const was = last.get(field);
  const isOurs = was === undefined || sameValue(was, from) || (sent !== undefined && sameValue(was, sent));
  return isOurs ? [] : [{ field, from: was, to: from }];
}

const notARecord = (record: string): StopError =>
  usageStop(
    t(`${record} names no record.`, `${record} noemt geen record.`),
    withFlag(t('Give its kind and its number.', 'Geef de soort en het nummer.'), '--record packages:30001'),
  );

const nothingSent = (record: string): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `This ledger sent nothing to ${record}. It knows only what was sent from here.`,
      `Dit register heeft niets naar ${record} verstuurd. Het weet alleen wat van hier verstuurd is.`,
    ),
    {
      next: t(
        'Check the number, or ask whoever works with the service itself.',
        'Controleer het nummer, of vraag het wie met het systeem zelf werkt.',
      ),
    },
  );
