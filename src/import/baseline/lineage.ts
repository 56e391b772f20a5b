import type { Value } from '../../core/value.ts';
import type { BaseRecord } from '../../files/baseline-sheet.ts';
import { knownPlace } from '../../files/file-name.ts';
import type { SentChanges } from '../../records/three-way.ts';
import type { Context } from '../../run/context.ts';

/**
 * The runs that sent a workbook before, as it is edited and imported again and again: what they wrote is nobody else's
 * change, nor is what an undo of them took back. Plain data.
 */
export interface Lineage {
  /** When the workbook was written, ISO in UTC: it tells a file and its copies from any other, and so does no name. */
  readonly at: string;
  /** Those that sent this file, told by its place and by the run that a result names, and those that took them back. */
  readonly runs: readonly string[];
  /** Those that sent a copy of it, under whatever name, these among them: in the order in which they were sent. */
  readonly family: readonly string[];
  /** The run that the workbook takes back. */
  readonly undoes: string | null;
}

/** What a run of a workbook's family is known by. */
interface Sending {
  readonly run: string;
  /** Where the file stood, and where its result. */
  readonly places: readonly string[];
  readonly undoes: string | null;
}

/** So many runs are remembered of one workbook. */
const MOST = 100;

/** The runs that sent this workbook before; `run` is the one that it is the result of, where it says so. */
export async function findLineage(
  context: Context,
  {
    file,
    run,
    ...stamp
  }: Pick<Lineage, 'at' | 'undoes'> & { readonly file: string; readonly run: string | undefined },
): Promise<Lineage> {
  const sendings = await readSendings(context, stamp.at);
  const place = knownPlace(file);
  const here = sendings.filter(({ places }) => places.includes(place)).map((sending) => sending.run);
  const own = new Set(here.length > 0 ? here : await namedRuns(context, stamp.at, run));
  // One that takes back comes after what it takes back.
  for (const sending of sendings) if (own.has(sending.undoes ?? '')) own.add(sending.run);
  const family = sendings.map((sending) => sending.run);
  return { ...stamp, runs: inOrder(own, family), family };
}

/** Of a result that stands where none was seen: what its run knew of it. */
async function namedRuns({ ledger }: Context, at: string, run: string | undefined): Promise<string[]> {
  const lineage = run === undefined ? null : await lineageOf(ledger, run);
  return run !== undefined && lineage?.at === at ? [...lineage.runs, run] : [];
}

const inOrder = (runs: ReadonlySet<string>, family: readonly string[]): string[] => [
  ...[...runs].filter((run) => !family.includes(run)),
  ...family.filter((run) => runs.has(run)),
];

async function lineageOf(ledger: Context['ledger'], run: string): Promise<Lineage | null> {
  const details = (await ledger.findDetails(run)) as { readonly lineage?: Lineage | null } | undefined;
  return details?.lineage ?? null;
}

/**
 * Remembers that a run sends the workbook that stands in these places (the file itself, its result), and, of one that
 * takes a run back, that it belongs to whatever that run sent.
 */
export async function rememberLineage(
  context: Context,
  { run, lineage }: { readonly run: string; readonly lineage: Lineage | null },
  places: readonly (string | null)[],
): Promise<void> {
  if (lineage === null) return;
  const stand = places.flatMap((place) => (place === null ? [] : [knownPlace(place)]));
  const { runs, undoes } = lineage;
  await remember(context, lineage.at, { run, places: stand, undoes }, runs);
  for (let above = undoes; above !== null; ) {
    const taken = await lineageOf(context.ledger, above);
    if (taken === null) return;
    await remember(context, taken.at, { run, places: [], undoes }, []);
    above = taken.undoes;
  }
}

/** A plan may be older than the last run of its file: they stand in the order in which they were sent. */
async function remember(
  context: Context,
  at: string,
  sending: Sending,
  earlier: readonly string[],
): Promise<void> {
  const known = await readSendings(context, at);
  const before = known.find(({ run }) => run === sending.run)?.places ?? [];
  const others = known
    .filter(({ run }) => run !== sending.run)
    // What earlier runs wrote stands in the result of this one too.
    .map((one) => (earlier.includes(one.run) ? withPlaces(one, sending.places) : one));
  const all = [...others, withPlaces(sending, before)].slice(-MOST);
  await context.ledger.rememberFact(context.serviceKey, factName(at), JSON.stringify(all));
}

const withPlaces = (sending: Sending, more: readonly string[]): Sending => ({
  ...sending,
  places: [...new Set([...sending.places, ...more])],
});

async function readSendings({ ledger, serviceKey }: Context, at: string): Promise<readonly Sending[]> {
  return JSON.parse((await ledger.findFact(serviceKey, factName(at))) ?? '[]') as Sending[];
}

const factName = (at: string): string => `sendings of the workbook of ${at}`;

/** What a record became by these runs. */
export async function afterRuns(
  { ledger }: Context,
  { runs, family }: Lineage,
  was: BaseRecord,
): Promise<SentChanges> {
  const written: Record<string, Value> = {};
  const byCopies = new Map<string, { readonly run: string; readonly to: Value }>();
  for (const run of inOrder(new Set([...runs, ...family]), family)) {
    for (const { seq, changes } of await ledger.plannedFor(run, was.resource, was.key)) {
      const [stored] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
      if (stored?.planned.seq !== seq || stored.outcome?.status !== 'updated') continue;
      for (const { field, to } of changes) {
        byCopies.delete(field);
        if (runs.includes(run)) written[field] = to;
        else byCopies.set(field, { run, to });
      }
    }
  }
  // Of a record that was written by them, the LMT of before says nothing.
  const untouched = Object.keys(written).length === 0 && byCopies.size === 0;
  return {
    own: untouched ? was : { ...was, lmt: null, values: { ...was.values, ...written } },
    byCopies,
  };
}
