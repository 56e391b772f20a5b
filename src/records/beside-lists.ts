import type { Values } from '../core/value.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import type { ExistingRecord } from './existing-record.ts';
import { type CreateEvidence, orNothing } from './guesses.ts';
import { keepsKeys } from './key-keeping.ts';
import { type ListGaps, listGaps } from './list-gaps.ts';
import { mayShow } from './locate.ts';
import type { Mark } from './mark.ts';
import type { ContextOf } from './planning.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { storedValues } from './stored-values.ts';

interface Evidence extends CreateEvidence {
  read(id: number): Promise<ExistingRecord | null>;
}

interface Lists {
  readonly mark: Mark | null;
  /** All that a list showed. */
  readonly all: readonly ExistingRecord[];
  made(record: ExistingRecord): boolean | null;
}

/**
 * What a create made that no list shows: the records with what was sent, of those that ids beside the listed
 * ones name. `no` where lists prove that there is none, null where they leave records out.
 */
export async function findBeside(
  context: ContextOf<Resource>,
  doubt: SendDoubt,
  evidence: Evidence,
  { mark, all, made }: Lists,
): Promise<readonly ExistingRecord[] | Exclude<EffectVerdict, object>> {
  const { body, planned } = doubt;
  if (evidence.byKey === true && (await tellsByKey(context, planned.external, body))) return 'no';
  const gaps = listGaps(context);
  await gaps.saw(all);
  const { found, isWhole } = await readBeside(context, evidence, { mark, all, made: gaps.made });
  const stored = storedValues(context);
  const isOwn = ({ external }: ExistingRecord) => mayShow(planned.external, external);
  const like = (alike: typeof stored.same) =>
    found.filter((one) => made(one) !== false && isOwn(one) && evidence.holds(one, told(one, body), alike));
  const sure = like(stored.isAsSeen);
  await takeMissed(context, gaps, evidence, { all, found });
  if (sure.length > 0) return sure.every((one) => made(one) === true) ? sure : null;
  if (like(orNothing(stored.mayBe)).length > 0) return null;
  return isWhole || (await gaps.proves(planned.seq, { values: body })) ? 'no' : null;
}

/** Whether a look by the ExternalID itself tells: the create sent it, and the service keeps it. */
async function tellsByKey(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  external: number | null,
  body: Values,
): Promise<boolean> {
  if (!('external' in resource) || external === null || body[resource.external] !== external) return false;
  return (await ledger.findFact(serviceKey, keepsKeys(resource))) === 'yes';
}

/** What was sent, as far as a record was read. */
const told = ({ values }: ExistingRecord, body: Values): Values =>
  Object.fromEntries(Object.entries(body).filter(([field]) => values[field] !== undefined));

/** So many ids are tried after the last one, as other kinds of records may have some of them. */
const AFTER = 5;
/** And so many of those before it that nothing tells of, so far below it. */
const BEFORE = 5;
const FAR = 1000;

interface Beside {
  readonly found: readonly ExistingRecord[];
  /** All ids are known that a record made since the mark can have. */
  readonly isWhole: boolean;
}

const besideOf = new WeakMap<readonly ExistingRecord[], Promise<Beside>>();

interface Seen extends Pick<Lists, 'mark' | 'all'> {
  readonly made: ListGaps['made'];
}

/** The records with ids beside those that a list showed, read once for all that look at it. */
function readBeside(context: ContextOf<Resource>, evidence: Evidence, seen: Seen): Promise<Beside> {
  const known = besideOf.get(seen.all) ?? readIds(context, evidence, seen);
  besideOf.set(seen.all, known);
  return known;
}

async function readIds(
  { ledger, serviceKey, resource, log }: ContextOf<Resource>,
  { read }: Evidence,
  { mark, all, made }: Seen,
): Promise<Beside> {
  const listed = new Set(all.flatMap(({ id }) => id ?? []));
  const floor = mark?.highest ?? all.reduce((most, { id }) => Math.max(most, id ?? 0), 0);
  if (floor === 0) return { found: [], isWhole: false };
  const top = [...made.flatMap(({ id }) => id ?? []), ...listed].reduce(
    (most, id) => Math.max(most, id),
    floor,
  );
  const below = Array.from({ length: Math.min(FAR, top - floor) }, (_, at) => top - at);
  const known = await ledger.findKnownIds(serviceKey, resource.name, below);
  const open = below.filter((id) => !listed.has(id) && !known.has(id));
  const tried = [...open.slice(0, BEFORE), ...Array.from({ length: AFTER }, (_, at) => top + 1 + at)];
  const found: ExistingRecord[] = [];
  try {
    for (const id of tried) {
      const one = await read(id);
      if (one !== null) found.push(one);
    }
  } catch (error) {
    // It is no more than a look: where no record can be read, the list is all there is.
    if (!(error instanceof RequestError)) throw error;
    log.warn({ resource: resource.name, error: error.reason }, 'no record could be read beside the list');
    return { found, isWhole: false };
  }
  // What was made since shows where the ids are by now.
  const isWhole = mark?.highest != null && top > floor && top - floor <= FAR && open.length <= BEFORE;
  return { found, isWhole };
}

/** Takes what is there, was not listed, and is not listed now either. */
async function takeMissed(
  { time }: ContextOf<Resource>,
  gaps: ListGaps,
  { list, isListed = () => true }: Evidence,
  { all, found }: Pick<Lists, 'all'> & Pick<Beside, 'found'>,
): Promise<void> {
  const ids = new Set(all.map(({ id }) => id));
  const own = gaps.made.filter(({ id, body }) => !ids.has(id) && isListed(body));
  const others = found.filter(({ id, values }) => !ids.has(id) && isListed(values));
  const [first] = [...own, ...others];
  if (first === undefined) return;
  const now = new Set((await list(null, time.steady())).map(({ id }) => id));
  const missed = [...own, ...others].find(({ id }) => !now.has(id));
  if (missed?.id != null) await gaps.missed(missed.id);
}
