import type { Value } from '../../core/value.ts';
import { comparablePath } from '../../files/file-name.ts';
import type { ComparedField, Same } from '../../records/three-way.ts';
import type { Context } from '../../run/context.ts';

/** A field of a conflict as it was shown to the user. */
interface Shown {
  /** What the sheet said. */
  readonly mine: Value;
  /** What the service held. */
  readonly theirs: Value;
  /** The user chose theirs. */
  readonly left?: true;
}

/** What the last run that planned a file showed of it. */
interface ShownRun {
  readonly run: string;
  readonly place: string;
  /** By record, then by field. */
  readonly records: Readonly<Record<string, Readonly<Record<string, Shown>>>>;
}

/** Most files remembered of one workbook. */
const MOST = 20;

const factName = (at: string): string => `conflicts of the workbook of ${at}`;

/**
 * The conflicts that a user was shown of a workbook: a value typed after that settles its conflict, as long
 * as the service holds what was shown.
 */
export class ShownConflicts {
  private readonly before: ShownRun['records'];
  private readonly now: Record<string, Record<string, Shown>> = {};

  constructor(before: ShownRun['records']) {
    this.before = before;
  }

  /** Whose value the user chose for a field that both changed; undefined while that is open. */
  decided(record: string, { field, mine, theirs }: ComparedField, same: Same): 'mine' | 'theirs' | undefined {
    const shown = this.before[record]?.[field];
    if (shown === undefined || theirs === undefined || !same(shown.theirs, theirs)) return undefined;
    const typed = !same(shown.mine, mine);
    if (!typed && shown.left !== true) return undefined;
    // It stays decided until it is sent.
    this.keep(record, field, shown);
    return typed ? 'mine' : 'theirs';
  }

  /** Notes what a run shows; `left` where the user chose theirs. */
  show(record: string, { field, mine, theirs = null }: ComparedField, left: boolean): void {
    this.keep(record, field, left ? { mine, theirs, left } : { mine, theirs });
  }

  /** Remembers what this run showed of its file, in place of an earlier one. A dry run decides nothing. */
  async remember(
    { ledger, serviceKey }: Context,
    { run, file, at, dryRun }: { run: string; file: string; at: string; dryRun: boolean },
  ): Promise<void> {
    const shown = Object.values(this.now).flatMap((fields) => Object.values(fields));
    if (dryRun && shown.some(({ left }) => left)) return;
    const known = await readShown({ ledger, serviceKey }, at);
    const place = comparablePath(file);
    const others = known.filter((one) => one.place !== place);
    const any = shown.length > 0;
    if (!any && others.length === known.length) return;
    const all = any ? [...others, { run, place, records: this.now }] : others;
    await ledger.rememberFact(serviceKey, factName(at), JSON.stringify(all.slice(-MOST)));
  }

  private keep(record: string, field: string, shown: Shown): void {
    this.now[record] = { ...this.now[record], [field]: shown };
  }
}

/** What was shown of the file at this place, or of the one whose result this is. */
export async function openShown(
  context: Context,
  { file, at, run }: { readonly file: string; readonly at: string; readonly run: string | undefined },
): Promise<ShownConflicts> {
  const known = await readShown(context, at);
  const place = comparablePath(file);
  const own = known.find((one) => one.place === place) ?? known.find((one) => one.run === run);
  return new ShownConflicts(own?.records ?? {});
}

async function readShown(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  at: string,
): Promise<readonly ShownRun[]> {
  return JSON.parse((await ledger.findFact(serviceKey, factName(at))) ?? '[]') as ShownRun[];
}
