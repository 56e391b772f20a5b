import { PLAN_VERSION, type PlannedRow } from '../core/plan.ts';
import type { FoundRun, KnownRecord, Ledger, StoredResult } from './ledger.ts';

/** What only reads; the rest has to be told below, as it would be written to the ledger behind. */
type Reads = Pick<
  Ledger,
  Extract<keyof Ledger, `find${string}` | `list${string}` | `count${string}` | 'recall'>
>;

/** The plan whose other rows a trial knows of: those that stand before its own. */
interface TriedPlan {
  readonly run: string;
  readonly isBefore: (row: PlannedRow) => boolean;
}

/** Places of a trial's own rows, behind those of any plan. */
export const TRIAL_PLACES = 2 ** 40;

/** A ledger to try a plan on, and the rows that were planned on it. */
interface TrialLedger {
  readonly ledger: Ledger;
  rows(): readonly PlannedRow[];
}

/**
 * A ledger for planning without a trace: what is written stays in memory, and is read back as if it were in
 * the ledger behind it, of which everything else is read. `planned` is the plan that the rows are of.
 */
export function trialLedger(behind: Ledger, planned: TriedPlan | undefined): TrialLedger {
  const runs = new Map<string, FoundRun>();
  const rows = new Map<number, PlannedRow>();
  const own = (run: string): boolean => runs.has(run);
  const results = (): StoredResult[] =>
    [...rows.values()]
      .sort((one, other) => one.seq - other.seq)
      .map((row) => ({ planned: row, outcome: null, progress: null }));
  const put = async (run: string, placed: readonly PlannedRow[]): Promise<void> => {
    if (own(run)) for (const row of placed) rows.set(row.seq, { ...row });
  };
  const ledger: Ledger = {
    ...(behind as Reads),
    ...forgetting,
    ...learning(behind),
    async startRun(run) {
      runs.set(run.run, {
        ...run,
        planVersion: PLAN_VERSION,
        state: 'planning',
        counts: null,
        prunedAt: null,
        details: undefined,
      });
    },
    async updateRun(run, now) {
      const known = runs.get(run);
      if (known !== undefined) runs.set(run, { ...known, ...now });
      return true;
    },
    findRun: async (run) => runs.get(run) ?? (await behind.findRun(run)),
    savePlan: put,
    replaceRows: put,
    async plannedFor(run, resource, key) {
      if (!own(run)) return await behind.plannedFor(run, resource, key);
      const found = [...rows.values()].filter((row) => row.resource === resource && row.key === key);
      if (found.length > 0 || planned === undefined) return found;
      return (await behind.plannedFor(planned.run, resource, key)).filter(planned.isBefore);
    },
    async readRows(run, options) {
      if (!own(run)) return await behind.readRows(run, options);
      const { after, limit, sheet } = options;
      return results()
        .filter(({ planned: { seq, sheet: of } }) => seq > after && (sheet === undefined || of === sheet))
        .slice(0, limit);
    },
  };
  return { ledger, rows: () => results().map(({ planned: row }) => row) };
}

/** Keys and facts: what is learned is known again, on top of what is in the ledger behind. */
function learning(behind: Ledger) {
  const facts = new Map<string, string>();
  const keys = new Map<string, KnownRecord>();
  return {
    async findKeys(service, resource, numbers, by = 'external') {
      const found = await behind.findKeys(service, resource, numbers, by);
      for (const external of by === 'external' ? numbers : []) {
        const learned = keys.get(`${service} ${resource} ${external}`);
        if (learned !== undefined) found.set(external, learned);
      }
      return found;
    },
    async rememberKeys(service, resource, pairs) {
      for (const { external, id, label } of pairs)
        keys.set(`${service} ${resource} ${external}`, { external, id, label: label ?? null });
    },
    findFact: async (service, name) =>
      facts.get(`${service} ${name}`) ?? (await behind.findFact(service, name)),
    rememberFact: async (service, name, value) => void facts.set(`${service} ${name}`, value),
  } satisfies Partial<Ledger>;
}

const nothing = async (): Promise<void> => {};

/** What only sending writes, and what a plan learns for later runs. */
const forgetting = {
  saveRow: nothing,
  intend: nothing,
  markSending: () => {},
  remember: nothing,
  claimPosting: async () => undefined,
  settlePosting: nothing,
  pruneRuns: async () => new Map(),
  removeRuns: nothing,
  close: nothing,
} satisfies Partial<Ledger>;
