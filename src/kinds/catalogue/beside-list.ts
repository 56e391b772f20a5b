import { type ExistingRecord, isOff } from '../../records/existing-record.ts';
import { type ListGaps, listGaps } from '../../records/list-gaps.ts';
import type { AskedKey, Records } from '../../records/locate.ts';
import type { ContextOf } from '../../records/planning.ts';
import { samplesOf, UnlistedRecords } from '../../records/unlisted-records.ts';
import type { CatalogueResource } from '../../schema/resource.ts';

/** Up to so many rows count as few. */
export const FEW = 3;

/** Reads one record by itself; undefined where that tells nothing. */
export type ReadBeside = (
  key: number,
  by: 'id' | 'external' | 'any id',
) => Promise<ExistingRecord | null | undefined>;

/** A list that was read whole. */
interface List {
  readonly byId: ReadonlyMap<number, ExistingRecord>;
  readonly byExternal: ReadonlyMap<number, ExistingRecord>;
}

/** Looks beside a list: at a few records that it lacks, and at what it leaves out once one is there. */
export class BesideList {
  readonly #context: ContextOf<CatalogueResource>;
  readonly #list: List;
  readonly #single: Pick<Records, 'byId' | 'byExternal'>;
  readonly #direct: ReadBeside;
  readonly #gaps: ListGaps;
  #unlisted!: UnlistedRecords;
  #isNeeded = false;
  /** All that is left out was read. */
  #isTold = false;
  readonly #firsts: Promise<unknown>[] = [];
  #proof: Promise<void> | undefined;

  constructor(
    context: ContextOf<CatalogueResource>,
    list: List,
    single: Pick<Records, 'byId' | 'byExternal'>,
    direct: ReadBeside,
  ) {
    this.#context = context;
    this.#list = list;
    this.#single = single;
    this.#direct = direct;
    this.#gaps = listGaps(context);
  }

  /** Looks first whether what the list was known to leave out is there still. */
  async open(): Promise<void> {
    const unlisted = await UnlistedRecords.open(this.#context, this.#list.byId, (id, ofAnyKind) =>
      this.#direct(id, ofAnyKind === true ? 'any id' : 'id'),
    );
    this.#unlisted = unlisted;
    const known = await this.#gaps.known();
    for (const id of new Set([...(known === null ? [] : [Number(known)]), ...unlisted.ids.slice(0, FEW)])) {
      const there = await this.#direct(id, 'id');
      this.#isNeeded = there !== null;
      if (there?.id != null) await this.#gaps.missed(there.id);
      if (this.#isNeeded) return;
      await this.#gaps.listed((name) => name === `${id}`);
      await unlisted.gone(id);
    }
  }

  /** It leaves records out. */
  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  /** Whether there certainly is no record with an ExternalID that is not listed, without asking for it. */
  lacks(external: number): boolean {
    return !this.#isNeeded || (this.#isTold && !this.#unlisted.has(external));
  }

  async byId(id: number): Promise<ExistingRecord | null> {
    const listed = this.#list.byId.get(id);
    if (listed !== undefined) return listed;
    if (!this.#isNeeded && this.#firsts.length < FEW) {
      const first = this.#look(id, 'id');
      this.#firsts.push(first);
      return await first;
    }
    // Rows are looked for side by side: the others hear first what became of these.
    await Promise.all(this.#firsts);
    return this.#isNeeded ? await this.#single.byId(id) : null;
  }

  async byExternal(external: number): Promise<ExistingRecord | null> {
    const listed = this.#list.byExternal.get(external);
    if (listed !== undefined || !this.#isNeeded) return listed ?? null;
    this.#gaps.lookedFor.add(external);
    return this.lacks(external) ? null : await this.#single.byExternal(external);
  }

  /** As `Records` has it. */
  get prove(): Records['prove'] {
    return this.#proof === undefined || this.#isNeeded ? (rows) => this.#prove(rows) : undefined;
  }

  async #prove(rows: readonly AskedKey[]): Promise<void> {
    const lacking = rows.filter(({ external }) => !this.#list.byExternal.has(external));
    if (lacking.length === 0) return;
    this.#proof ??= this.#sample(lacking);
    await this.#proof;
    if (this.#isNeeded && !this.#isTold) this.#isTold = await this.#unlisted.readMost(lacking.length);
    if (this.#isTold) for (const { external } of lacking) this.#gaps.lookedFor.add(external);
  }

  /** Asks for two records that a list which leaves some out would lack. */
  async #sample(rows: readonly AskedKey[]): Promise<void> {
    const { resource } = this.#context;
    const keys = new Set<number | null>(rows.map(({ external }) => external));
    const [first, ...others] = samplesOf(rows, this.#list.byExternal.keys());
    if (first !== undefined) await this.#look(first, 'external');
    // What is left out is not in use, most often: where a list showed such records, or all keys are asked
    // for, ids tell nothing. Where rows are not in use themselves both are asked for.
    const tells = !this.#isNeeded && keys.size > 2 && !(await this.#gaps.shows());
    const isMissed = (one: ExistingRecord) => isOff(resource, one) || keys.has(one.external);
    const found = tells ? await this.#unlisted.tryOne(isMissed) : null;
    for (const one of found ?? []) await this.#missed(one);
    if (found === null || rows.some(({ off }) => off))
      for (const key of others) await this.#look(key, 'external');
  }

  async #look(key: number, by: 'id' | 'external'): Promise<ExistingRecord | null> {
    const isAsked = this.#isNeeded && by === 'external';
    const found = (isAsked ? await this.#single.byExternal(key) : await this.#direct(key, by)) ?? null;
    if (found !== null) await this.#missed(found);
    return found;
  }

  async #missed(found: ExistingRecord): Promise<void> {
    if (found.id === null) return;
    this.#isNeeded = true;
    this.#unlisted.saw(found);
    await this.#gaps.missed(found.id);
  }
}
