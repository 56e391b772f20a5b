import type { BaselineRecord } from '../../files/baseline-sheet.ts';
import { comparablePath } from '../../files/file-name.ts';
import type { SentSince } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';

/** Which workbook a plan is of. Plain data. */
export interface Lineage {
  /** When the workbook was written, ISO in UTC: the same for a file and its copies, whatever their names. */
  readonly at: string;
  /** The run that the workbook takes back. */
  readonly undoes: string | null;
}

/** A run that sent a workbook or a copy of it; `place`: where the file stood, null where it was corrected. */
export interface Sending {
  readonly run: string;
  readonly place: string | null;
}

/** Most runs remembered of one workbook. */
const MOST = 100;

const factName = (at: string): string => `runs of the workbook of ${at}`;
const takenBack = (run: string): string => `${run} was taken back`;

/** The runs that sent the workbook of this moment or a copy of it, in the order of sending. */
export async function readSendings({ ledger, serviceKey }: Context, at: string): Promise<readonly Sending[]> {
  return JSON.parse((await ledger.findFact(serviceKey, factName(at))) ?? '[]') as Sending[];
}

/**
 * Remembers that a run sends the workbook that stands at this place; one that takes a run back belongs to that
 * run's workbook too.
 */
export async function rememberSending(
  context: Context,
  { run, lineage }: { readonly run: string; readonly lineage: Lineage | null },
  place: string | null,
): Promise<void> {
  const { ledger, serviceKey } = context;
  if (lineage?.undoes != null) await ledger.rememberFact(serviceKey, takenBack(lineage.undoes), run);
  let sending: Sending = { run, place: place === null ? null : comparablePath(place) };
  for (let of = lineage; of !== null; sending = { run, place: null }) {
    const others = (await readSendings(context, of.at)).filter((one) => one.run !== run);
    const all = JSON.stringify([...others, sending].slice(-MOST));
    await ledger.rememberFact(serviceKey, factName(of.at), all);
    const above = of.undoes === null ? undefined : (await ledger.findRun(of.undoes))?.details;
    of = (above as { readonly lineage?: Lineage | null } | undefined)?.lineage ?? null;
  }
}

/** The last run that took a run back, in whole or in part; undefined when none did. */
export async function findTakenBack(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  run: string,
): Promise<string | undefined> {
  return await ledger.findFact(serviceKey, takenBack(run));
}

/** What these runs sent of a record; `file`: the one that is planned. */
export async function sentSince(
  { ledger }: Context,
  sendings: readonly Sending[],
  file: string,
  { resource, key }: BaselineRecord,
): Promise<SentSince> {
  const sent: Record<string, SentSince[string]> = {};
  for (const { run, place } of sendings)
    for (const { seq, changes } of await ledger.plannedFor(run, resource, key)) {
      const [stored] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
      if (stored?.planned.seq !== seq || stored.outcome?.status !== 'updated') continue;
      for (const { field, to } of changes) sent[field] = { to, here: place === comparablePath(file) };
    }
  return sent;
}
