import { shorten } from '../core/issue.ts';
import type { Bilingual } from '../core/language.ts';
import type { FieldChange } from '../core/plan.ts';
import type { Value, Values } from '../core/value.ts';
import type { Ledger, WrittenRow } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import {
  believable,
  cutTogether,
  type FieldMemory,
  type HeldNow,
  MOST_PAIRS,
  NOTHING_SEEN,
  pairsOf,
  remembered,
  withoutCut,
} from './field-memory.ts';
import {
  type Candidate,
  compareAgain,
  emptyIn,
  hasMoved,
  heldBefore,
  isReadBack,
  lookUntilShown,
  type ReadBackMoment,
  type SeenAgain,
  wasEmpty,
} from './held-before.ts';
import type { LastWrites } from './last-writes.ts';
import { differingRows, NO_WRITES, pairsSince, surelySent } from './last-writes.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import { createMark } from './mark.ts';
import type { ContextOf, UnplacedRow } from './planning.ts';
import type { RowGuard, SentStep } from './row-guard.ts';
import { storedNote } from './stored-notes.ts';
import type { SameField } from './three-way.ts';
import { explains, findHabit, isByHand, type StoredPair, traitsOf, type ValueHabit } from './value-habits.ts';

const known = new WeakMap<Ledger, Map<string, StoredValues>>();

/** What is known of a resource's values: one memory for all that plan and send it in this process. */
export function storedValues(context: ContextOf<Resource>): StoredValues {
  const { ledger, serviceKey, resource } = context;
  const ofLedger = known.get(ledger) ?? new Map<string, StoredValues>();
  known.set(ledger, ofLedger);
  const name = JSON.stringify([serviceKey, resource.name]);
  const values = ofLedger.get(name) ?? new StoredValues(context);
  ofLedger.set(name, values);
  return values;
}

/** So many of a run's records are read back where one comes at a time. */
const MOST_READS = 2;

/** So many of a run's records are known again when they are read back. */
const MOST_WRITTEN = 50;

/** What a service makes of the values of a resource's fields, as far as was seen; in the ledger. */
export class StoredValues {
  private readonly context: ContextOf<Resource>;
  private readonly fact: string;
  private readonly memory = new Map<string, FieldMemory>();
  private readonly untold = new Map<string, Bilingual>();
  private loading: Promise<void> | undefined;
  private lastReadBack: ReadBackMoment | null = null;
  private best: Candidate | null = null;
  private readonly found = new Set<number | null>();
  private readonly lossesNow = new Set<string>();
  private readonly written = new Map<string, Candidate>();

  constructor(context: ContextOf<Resource>) {
    this.context = context;
    this.fact = `stored values of ${context.resource.name}`;
  }

  /** To be awaited before anything else is asked. */
  load(): Promise<void> {
    this.loading ??= this.readMemory();
    return this.loading;
  }

  private async readMemory(): Promise<void> {
    const { ledger, serviceKey, resource } = this.context;
    const known = JSON.parse((await ledger.findFact(serviceKey, this.fact)) ?? '{}');
    this.lastReadBack = JSON.parse((await ledger.findFact(serviceKey, `${this.fact}, read at`)) ?? 'null');
    for (const [field, pairs] of Object.entries(known as Record<string, StoredPair[]>)) {
      const type = resource.fields[field]?.codec.type;
      const habit = type === undefined ? null : findHabit(type, pairs);
      if (habit !== null) this.memory.set(field, remembered(pairs, habit));
    }
  }

  private async save(): Promise<void> {
    const { ledger, serviceKey } = this.context;
    const all = Object.fromEntries([...this.memory].map(([field, { pairs }]) => [field, pairs]));
    await ledger.rememberFact(serviceKey, this.fact, JSON.stringify(all));
    if (this.lastReadBack !== null)
      await ledger.rememberFact(serviceKey, `${this.fact}, read at`, JSON.stringify(this.lastReadBack));
  }

  /** Whether a field that holds one value is as who says the other wants it. */
  readonly same: SameField = (field, held, said) => {
    if (sameValue(held, said)) return true;
    const known = this.memory.get(field);
    return known !== undefined && sameValue(held, known.habit.apply(said));
  };

  /** Whether a field may hold one value because the other was sent, by what was seen of it so far. */
  readonly mayBe: SameField = (field, held, sent) => {
    if (this.same(field, held, sent)) return true;
    const habit = this.habitWith(field, { sent, held: held ?? null });
    // That nothing is kept is not guessed.
    return habit !== null && (habit.keepsNone !== true || this.memory.get(field)?.habit.keepsNone === true);
  };

  /** Whether it surely may: it goes with what the service was seen to make of the field's values. */
  readonly isAsSeen: SameField = (field, held, sent) =>
    this.same(field, held, sent) || (this.hasHabit(field) && this.mayBe(field, held, sent));

  /** The habit that makes what was seen of a field so far, and this; null where none does. */
  habitWith(field: string, pair: StoredPair): ValueHabit | null {
    const type = this.context.resource.fields[field]?.codec.type;
    const { pairs } = this.memory.get(field) ?? NOTHING_SEEN;
    return type === undefined ? null : findHabit(type, [...pairs, pair]);
  }

  /** Whether a field shows what was sent to change it: it holds that, or what may have become of it. */
  shows(changes: readonly FieldChange[]): SameField {
    const was = new Map(changes.map(({ field, from }) => [field, from]));
    return (field, held, to) =>
      this.isAsSeen(field, held, to) ||
      (!sameValue(held, was.get(field) ?? null) && this.mayBe(field, held, to));
  }

  /** What to send so that a field goes on holding this: what is escaped or moved would be so once more. */
  readonly sendable = (field: string, held: Value): Value => {
    const known = this.memory.get(field);
    if (typeof held !== 'string' || known === undefined || known.habit.apply(held) === held) return held;
    const plain = known.habit.back(held);
    return known.habit.apply(plain) === held ? plain : held;
  };

  /** Puts a warning on texts that the service is known to cut. */
  warn(row: MappedRow): void {
    for (const [field, { habit }] of this.memory) {
      const value = row.values[field];
      if (typeof value !== 'string' || !habit.cuts(value)) continue;
      const finding = { code: 'text-cut', found: shorten(value), hint: String(habit.cut) } as const;
      row.issues.push(issueOn(row, field, finding));
    }
  }

  /** The fields of which this session found that what is sent is lost, or a part of it, and their habits. */
  readonly lossesFound = (): [string, ValueHabit][] =>
    [...this.memory].flatMap(([name, { habit }]) => (this.lossesNow.has(name) ? [[name, habit]] : []));

  /** Whether something was seen to become of the field's values. */
  hasHabit(field: string): boolean {
    const { pairs } = this.memory.get(field) ?? NOTHING_SEEN;
    return pairs.some(({ sent, held }) => !sameValue(held, sent));
  }

  /** What a value tells of its field that the values seen before don't. */
  news(field: string, value: Value): string[] {
    const { traits: seen, longest } = this.memory.get(field) ?? NOTHING_SEEN;
    const traits = traitsOf(value).filter((trait) => !seen.has(trait));
    return typeof value === 'string' && value.length > longest ? [...traits, 'length'] : traits;
  }

  /** The same of a field that reads show. */
  private readable(field: string, value: Value): string[] {
    const { fields, keys } = this.context.resource;
    return keys.includes(field) || (fields[field]?.reads ?? 'none') === 'none' ? [] : this.news(field, value);
  }

  /**
   * Takes what a record held after it was sent this. `others`: values that are held as the file has them,
   * where someone else may have changed the record since; then only what contradicts nothing is believed.
   */
  private learn(field: string, pair: StoredPair, others: (() => readonly Value[]) | null): boolean {
    const { resource } = this.context;
    const type = resource.fields[field]?.codec.type;
    const { sent, held } = pair;
    if (type === undefined || resource.keys.includes(field) || sent === null) return false;
    const before = this.memory.get(field) ?? NOTHING_SEEN;
    const isExplained = explains(before.habit, pair);
    if (isExplained && this.news(field, sent).length === 0) return false;
    const pairs = [...before.pairs.slice(1 - MOST_PAIRS), pair];
    const asBefore = isExplained ? before.habit : findHabit(type, pairs);
    const habit = asBefore ?? (others === null ? findHabit(type, [pair]) : null);
    if (habit === null || others?.().some((value) => !sameValue(value, habit.apply(value)))) return false;
    const memory = remembered(asBefore === null ? [pair] : pairs, habit);
    this.memory.set(field, memory);
    const isTold = habit.cut === null && before.pairs.some((one) => habit.hand?.shows(one));
    if (sameValue(held, sent) || isExplained || isTold) return true;
    const { keepsNone } = habit;
    const cut = memory.habit.cut === before.habit.cut ? null : memory.habit.cut;
    if (cut !== null || keepsNone === true) this.lossesNow.add(field);
    // That texts are cut is told beside whatever else becomes of them.
    const isCut = habit.cut !== null && habit.hand?.shows(pair) === true;
    const note = storedNote(resource.sheet, field, pair, { keepsNone: keepsNone === true, cut });
    this.untold.set(isCut ? `${field} cut` : field, note);
    return true;
  }

  /** Takes texts that the service shows: one that is longer than a cut leaves says that it does not cut. */
  private showed(records: readonly (HeldNow | undefined)[]): boolean {
    let isRefuted = false;
    for (const [field, memory] of this.memory) {
      const without = withoutCut(
        memory,
        records.map((values) => values?.[field]),
      );
      if (without === null) continue;
      this.memory.set(field, without);
      this.untold.delete(`${field} cut`);
      this.lossesNow.delete(field);
      isRefuted = true;
    }
    return isRefuted;
  }

  /**
   * Takes what a record was seen to hold right after it was sent this. A field that holds what it `was` tells
   * nothing: reads may lag behind.
   */
  async saw(body: Values, values: HeldNow, was: Values = {}): Promise<void> {
    if (this.learnTogether([{ one: { body, was, isMoved: false }, values }])) await this.save();
  }

  /** Learns from records of which it is known what the run sent them. */
  private learnTogether(records: readonly SeenAgain[]): boolean {
    let learned = false;
    const byField = new Map<string, StoredPair[]>();
    for (const { one, values } of records)
      for (const [field, pair] of pairsOf(one.body, values, one.was, one.isMoved))
        byField.set(field, [...(byField.get(field) ?? []), pair]);
    for (const [field, pairs] of byField) {
      const type = this.context.resource.fields[field]?.codec.type;
      const believed = type === undefined ? [] : believable(type, this.memory.get(field), pairs);
      for (const pair of believed) learned = this.learn(field, pair, null) || learned;
    }
    return this.showed(records.map(({ values }) => values)) || learned;
  }

  /**
   * Learns from records that hold something else than rows say: where that was sent, the ledger tells.
   * `same`: how fields are compared.
   */
  async learnFrom<R extends MappedRow>(
    rows: readonly R[],
    found: readonly { readonly existing: ExistingRecord | null }[],
    keyOf: (row: R, at: number) => string | null,
    same: SameField,
  ): Promise<LastWrites> {
    const { ledger, serviceKey, resource } = this.context;
    const differing = differingRows(rows, found, keyOf, same);
    if (differing.length === 0) return NO_WRITES;
    const keys = differing.map(({ key }) => key);
    const writes = await ledger.findWrites(serviceKey, resource.name, keys);
    const asSaid = (field: string): Value[] =>
      rows.flatMap(({ values }, at) => {
        const value = values[field];
        return value != null && sameValue(found[at]?.existing?.values[field], value) ? [value] : [];
      });
    let learned = false;
    const last = this.lastReadBack;
    const together = new Map<string, StoredPair[]>();
    const pairs = differing.flatMap((one) => pairsSince(one, writes.get(one.key), same));
    for (const { field, pair } of pairs) together.set(field, [...(together.get(field) ?? []), pair]);
    for (const { field, pair, write, lmt, cameBack } of pairs) {
      const isOurs = isReadBack(last, write.run, lmt);
      // What a colleague could have written is no habit that was never seen.
      const isHand = isByHand(pair) && !cutTogether(together.get(field) ?? []);
      if (isHand && !isOurs && !cameBack && !this.hasHabit(field)) continue;
      // Anyone may empty a field, and of many records: that tells nothing, but where nobody wrote since. Of a
      // zero or an empty text nothing is lost with it.
      const isSure = (isOurs || wasEmpty(last, write.run, field)) && field in surelySent(write);
      if (pair.held === null && pair.sent && !isSure) continue;
      if (this.learn(field, pair, () => asSaid(field))) learned = true;
    }
    if (this.showed(found.map(({ existing }) => existing?.values)) || learned) await this.save();
    return writes;
  }

  /** Whether an update only sends what its record was sent last, of which the service keeps nothing. */
  isInVain({ action, changes }: UnplacedRow, write: WrittenRow | undefined): boolean {
    const sent = surelySent(write);
    const isLost = ({ field, from, to }: FieldChange): boolean =>
      from === null && to !== null && this.memory.get(field)?.habit.keepsNone === true && sent[field] === to;
    return action === 'update' && changes.length > 0 && changes.every(isLost);
  }

  /** Takes each request of a run that went through, to know which records (`key`) to read back. */
  wrote(sent: SentStep, key: string): void {
    const { best, written } = this;
    if (sent.step.purpose === 'create' && this.found.has(sent.id)) return;
    const known = best?.key === key ? best : written.get(key);
    const body = { ...known?.body, ...sent.body };
    const one = { key, sent, body, was: { ...heldBefore(sent), ...known?.was } };
    if (best?.key === key || this.telling(one) > this.telling(best)) this.best = one;
    if (written.has(key) || written.size < MOST_WRITTEN) written.set(key, one);
  }

  /** How much a record tells that is not known yet. */
  private telling(one: Candidate | null): number {
    return Object.entries(one?.body ?? {}).reduce((sum, [field, value]) => {
      const news = this.readable(field, value).length;
      return news === 0 ? sum : sum + news + (typeof value === 'string' ? value.length / 10_000 : 0);
    }, 0);
  }

  /** Reads back what tells most of what is not known yet, with what comes along; if nothing does, twice. */
  async readBack(run: string, read: NonNullable<RowGuard['readBack']>): Promise<void> {
    const written = new Map(this.written);
    if (this.best !== null) written.set(this.best.key, this.best);
    this.best = null;
    this.written.clear();
    const few = written.size < MOST_WRITTEN;
    const seen = createMark();
    const looks: ReturnType<typeof compareAgain>[] = [];
    const again = (): SeenAgain[] => looks.flatMap((look) => look.again);
    try {
      for (let reads = 0; again().length === reads && reads < MOST_READS; reads++) {
        const [best = null] = [...written.values()].sort((a, b) => this.telling(b) - this.telling(a));
        if (best === null || this.telling(best) === 0) break;
        await lookUntilShown(this.context.time, async () => {
          const look = compareAgain(await read(best.sent, few), best, written, seen);
          looks[reads] = look;
          this.learnTogether(look.again);
          return look.isWhole;
        });
        written.delete(best.key);
      }
      if (again().length === 0) return;
      const { newest } = seen.mark();
      const isBehind = looks.some((look) => look.isBehind);
      const moment = newest === null || isBehind ? this.lastReadBack?.moment : { run, newest };
      this.lastReadBack = { empty: { run, fields: emptyIn(again()) }, ...(moment && { moment }) };
      await this.save();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { log, resource } = this.context;
      log.warn({ resource: resource.name, error: error.reason }, 'a record could not be read back');
    }
  }

  /** Learns from listed records what became of those that the run's answered requests wrote, if any. */
  async sawOwn(records: readonly ExistingRecord[]): Promise<boolean> {
    const again = records.flatMap(({ id, lmt, values }) => {
      const one = this.best?.sent.id === id ? this.best : this.written.get(`id:${id}`);
      if (one === undefined || id === null) return [];
      return [{ one: { ...one, isMoved: hasMoved(one.sent, lmt) }, values }];
    });
    if (again.length === 0) return false;
    this.learnTogether(again);
    await this.save();
    return true;
  }

  /** Reads the record that tells most of what is not known yet, where an answered request wrote one. */
  async askOwn(read: (id: number) => Promise<ExistingRecord | null>): Promise<void> {
    const { best } = this;
    if (best?.sent.id == null) return;
    const record = await read(best.sent.id);
    if (record !== null) await this.sawOwn([record]);
  }

  /** Takes a record that is only thought to be what a create made: nothing is learned from it. */
  guessed(id: number | null): void {
    this.found.add(id);
  }

  /** Whether an id was given out after another: where ids are seen to ascend, or nothing says otherwise. */
  isPast(highest: number | null, id: number): boolean {
    if (highest === null || id > highest) return true;
    return [...this.written.values()].some(
      ({ sent }) => sent.step.purpose === 'create' && sent.id !== null && sent.id < highest,
    );
  }

  /** What was learned since this was asked last. */
  readonly notes = (): Bilingual[] => {
    const told = [...this.untold.values()];
    this.untold.clear();
    return told;
  };
}
