import type { ExistingRecord, KeyedResource } from './existing-record.ts';
import type { AskedKey } from './locate.ts';
import type { ContextOf } from './planning.ts';

/** The ids that a list lacks, as far as they were read by themselves, and what was found there. */
interface Known {
  /** Ids that were read once: what is there is in `held`. No id is given out below the highest. */
  readonly read: readonly number[];
  readonly held: readonly (readonly [id: number, external: number | null])[];
}

const NOTHING: Known = { read: [], held: [] };

type Listed = Pick<ReadonlyMap<number, unknown>, 'has' | 'keys'>;
type ReadOne = (id: number, ofAnyKind?: boolean) => Promise<ExistingRecord | null | undefined>;

/** So many ids beside the lowest and the highest are read. */
const BESIDE = 10;
/** And so many of records of any kind, which have ids of the same sequence. */
const OTHERS = 3;

/** The records that a list lacks, by the ids between those that it shows; the ledger keeps what was read. */
export class UnlistedRecords {
  readonly #listed: Listed;
  readonly #read: ReadOne;
  readonly #keep: (known: Known) => Promise<void>;
  readonly #tried: Set<number>;
  readonly #held: Map<number, number | null>;
  readonly #keys: Set<number | null>;

  /** Other records were made since those that are known: what is left out may be among them. */
  #isEndless = false;

  private constructor(known: Known, listed: Listed, read: ReadOne, keep: (known: Known) => Promise<void>) {
    this.#listed = listed;
    this.#read = read;
    this.#keep = keep;
    this.#tried = new Set(known.read);
    this.#held = new Map(known.held);
    this.#keys = new Set(this.#held.values());
  }

  /** What the ledger knows of them; `read` answers undefined where nothing can be told of an id. */
  static async open(
    { ledger, serviceKey, resource }: ContextOf<KeyedResource>,
    listed: Listed,
    read: ReadOne,
  ): Promise<UnlistedRecords> {
    const fact = `ids that lists of ${resource.name} lack`;
    const known = await ledger.findFact(serviceKey, fact);
    return new UnlistedRecords(known === undefined ? NOTHING : JSON.parse(known), listed, read, (now) =>
      ledger.rememberFact(serviceKey, fact, JSON.stringify(now)),
    );
  }

  /** The ids of records that were there, and that this list lacks too. */
  get ids(): number[] {
    return [...this.#held.keys()].filter((id) => !this.#listed.has(id));
  }

  /** Whether one of them may have an ExternalID. */
  has(external: number): boolean {
    return this.#keys.has(external);
  }

  /** Takes a record that is there, and that the list lacks. */
  saw({ id, external }: ExistingRecord): void {
    if (id === null) return;
    this.#held.set(id, external);
    this.#keys.add(external);
  }

  /** Takes one that is there no more. */
  async gone(id: number): Promise<void> {
    if (this.#held.delete(id)) await this.#save();
  }

  /**
   * Tries an id that the list skips, each once and first where it skips the fewest; answers what is there and
   * `isMissed`, null where no id is left to try.
   */
  async tryOne(isMissed: (one: ExistingRecord) => boolean): Promise<readonly ExistingRecord[] | null> {
    let [next, least] = [0, Number.POSITIVE_INFINITY];
    for (const [after, before] of holesOf(this.#ends())) {
      const id = after + 1;
      if (before - after <= least && !this.#tried.has(id)) [next, least] = [id, before - after];
    }
    if (next === 0) return null;
    const found = (await this.#readAll([next])) ?? [];
    // A service may show by its id what is of another kind.
    if (!found.every(isMissed)) this.#held.delete(next);
    await this.#save();
    return found.filter(isMissed);
  }

  /**
   * Reads the ids that the list lacks, at most so many; answers whether it is known now what the list leaves
   * out, and which ExternalIDs that has.
   */
  async readMost(most: number): Promise<boolean> {
    // For a few rows their own ExternalIDs take fewer requests.
    if (most <= BESIDE || this.#isEndless) return false;
    this.#isEndless = await this.#goesOn(1);
    if (this.#isEndless) return false;
    const holes = holesOf((await this.#goesOn(-1)) ? [0, ...this.#ends()] : this.#ends());
    const open: number[] = [];
    for (const [after, before] of holes.reverse())
      for (let id = before - 1; id > after && open.length <= most; id--)
        if (!this.#tried.has(id)) open.push(id);
    const isRead = (await this.#readAll(open.slice(0, most))) !== undefined;
    await this.#save();
    // Reads of one record may not show its ExternalID.
    return isRead && open.length <= most && [...this.#held.values()].some((key) => key !== null);
  }

  /** Reads ids side by side, and answers what is there; undefined where one can't be read. */
  async #readAll(ids: readonly number[]): Promise<ExistingRecord[] | undefined> {
    const found = await Promise.all(ids.map((id) => this.#read(id)));
    for (const [at, id] of ids.entries()) if (found[at] !== undefined) this.#tried.add(id);
    const there = found.filter((one) => one != null);
    for (const one of there) this.saw(one);
    return found.includes(undefined) ? undefined : there;
  }

  /** Whether there may be more beyond an end, after what is close to it was read. */
  async #goesOn(step: 1 | -1): Promise<boolean> {
    const from = this.#ends().at(step > 0 ? -1 : 0) ?? 0;
    const next = Array.from({ length: BESIDE }, (_, at) => from + step * (at + 1)).filter((id) => id > 0);
    const open = next.filter((id) => !this.#tried.has(id));
    const found = await this.#readAll(open);
    // What is above all may be given out later.
    if (step > 0) for (const id of open) if (!this.#held.has(id)) this.#tried.delete(id);
    if (found === undefined) return true;
    if (found.length > 0) return await this.#goesOn(step);
    const others = await Promise.all(next.slice(0, OTHERS).map((id) => this.#read(id, true)));
    return others.some((one) => one !== null);
  }

  /** All ids that are known, ascending. */
  #ends(): number[] {
    return [...new Set([...this.#listed.keys(), ...this.#held.keys()])].sort((a, b) => a - b);
  }

  #save(): Promise<void> {
    return this.#keep({ read: [...this.#tried], held: [...this.#held] });
  }
}

/** Where ids are skipped: the one before and the one after. */
function holesOf(ids: readonly number[]): [after: number, before: number][] {
  return ids.slice(1).flatMap((id, at) => {
    const before = ids[at] ?? id;
    return id - before > 1 ? [[before, id]] : [];
  });
}

/**
 * The two ExternalIDs that tell most of rows that a list lacks: of those not in use, or else of all, the one
 * closest between two that it shows, the lowest, and one at an end.
 */
export function samplesOf(rows: readonly AskedKey[], listed: Iterable<number>): readonly number[] {
  const off = rows.filter(({ off }) => off);
  const keys = (off.length > 0 ? off : rows).map(({ external }) => external).sort((a, b) => a - b);
  const shown = [...listed].sort((a, b) => a - b);
  let [closest, least, above] = [keys[0], Number.POSITIVE_INFINITY, 0];
  for (const key of keys) {
    while (above < shown.length && (shown[above] ?? 0) < key) above++;
    const width = (shown[above] ?? Number.POSITIVE_INFINITY) - (shown[above - 1] ?? Number.NEGATIVE_INFINITY);
    if (width < least) [closest, least] = [key, width];
  }
  const all = [closest, keys[0], rows[0]?.external, rows.at(-1)?.external];
  return [...new Set(all)].flatMap((key) => key ?? []).slice(0, 2);
}
