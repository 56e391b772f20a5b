import type { Value } from '../../core/value.ts';
import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { comparablePath } from '../../files/file-name.ts';
import type { SentChanges } from '../../records/three-way.ts';
import type { Context } from '../../run/context.ts';

/**
 * The runs that sent a workbook before: what they wrote, and what an undo of them took back, is nobody else's
 * change. Plain data.
 */
export interface Lineage {
  /** When the workbook was written, ISO in UTC: the same for a file and its copies, whatever their names. */
  readonly at: string;
  /**
   * The runs that sent this file (by its place, or by the run that a result names), and those that took them
   * back.
   */
  readonly runs: readonly string[];
  /** All runs that sent the file or a copy of it, in the order of sending. */
  readonly family: readonly string[];
  /** The run that the workbook takes back. */
  readonly undoes: string | null;
}

/** A run that sent a workbook or a copy of it. */
interface SentRun {
  readonly run: string;
  /** Where the file stood, and where its result. */
  readonly places: readonly string[];
  readonly undoes: string | null;
}

/** Most runs remembered of one workbook. */
const MOST = 100;

/** The runs that sent this workbook before; `run` is the one whose result it is, where it says so. */
export async function findLineage(
  context: Context,
  file: string,
  run: string | undefined,
  stamp: Pick<Lineage, 'at' | 'undoes'>,
): Promise<Lineage> {
  const sent = await readSent(context, stamp.at);
  const place = comparablePath(file);
  const here = sent.filter(({ places }) => places.includes(place)).map((sending) => sending.run);
  const own = new Set(here.length > 0 ? here : await namedRuns(context, stamp.at, run));
  // A run comes before the one that takes it back.
  for (const sending of sent) if (own.has(sending.undoes ?? '')) own.add(sending.run);
  const family = sent.map((sending) => sending.run);
  return { ...stamp, runs: inOrder(own, family), family };
}

/** The runs of a result at a place that is not known: its own run and those before it. */
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
 * Remembers that a run sends the workbook at these places (the file itself, its result); one that takes a run
 * back belongs to that run's workbook too.
 */
export async function rememberLineage(
  context: Context,
  { run, lineage }: { readonly run: string; readonly lineage: Lineage | null },
  places: readonly (string | null)[],
): Promise<void> {
  if (lineage === null) return;
  const stand = places.flatMap((place) => (place === null ? [] : [comparablePath(place)]));
  const { runs, undoes } = lineage;
  await remember(context, lineage.at, { run, places: stand, undoes }, runs);
  for (let above = undoes; above !== null; ) {
    const taken = await lineageOf(context.ledger, above);
    if (taken === null) return;
    await remember(context, taken.at, { run, places: [], undoes }, []);
    above = taken.undoes;
  }
}

/** Adds a run as the last one sent: a plan may be older than the last run of its file. */
async function remember(
  context: Context,
  at: string,
  sending: SentRun,
  earlier: readonly string[],
): Promise<void> {
  const known = await readSent(context, at);
  const before = known.find(({ run }) => run === sending.run)?.places ?? [];
  const others = known
    .filter(({ run }) => run !== sending.run)
    // The result of this run holds what earlier runs wrote too.
    .map((one) => (earlier.includes(one.run) ? withPlaces(one, sending.places) : one));
  const all = [...others, withPlaces(sending, before)].slice(-MOST);
  await context.ledger.rememberFact(context.serviceKey, factName(at), JSON.stringify(all));
}

const withPlaces = (sending: SentRun, more: readonly string[]): SentRun => ({
  ...sending,
  places: [...new Set([...sending.places, ...more])],
});

async function readSent({ ledger, serviceKey }: Context, at: string): Promise<readonly SentRun[]> {
  return JSON.parse((await ledger.findFact(serviceKey, factName(at))) ?? '[]') as SentRun[];
}

const factName = (at: string): string => `sendings of the workbook of ${at}`;

/** What these runs made of a record: as this workbook knows it, and by copies of the workbook. */
export async function afterRuns(
  { ledger }: Context,
  { runs, family }: Lineage,
  was: BaselineRecord,
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
  // The old LMT of a record that they wrote says nothing.
  const untouched = Object.keys(written).length === 0 && byCopies.size === 0;
  return {
    own: untouched ? was : { ...was, lmt: null, values: { ...was.values, ...written } },
    byCopies,
  };
}
