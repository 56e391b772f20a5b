import { shorten } from '../core/issue.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FieldChange } from '../core/plan.ts';
import { valueText } from '../core/row-text.ts';
import type { Value, Values } from '../core/value.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type ExistingRecord, heldIn, plainValues, sameValue } from './existing-record.ts';
import {
  believable,
  type FieldMemory,
  type HeldNow,
  MOST_PAIRS,
  NOTHING_SEEN,
  pairsOf,
  remembered,
} from './field-memory.ts';
import { heldBefore, holdsBefore } from './held-before.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import { createMark } from './mark.ts';
import type { ContextOf } from './planning.ts';
import type { RowGuard, SentStep } from './row-guard.ts';
import type { SameField } from './three-way.ts';
import {
  findHabit,
  isByHand,
  type StoredPair,
  traitsOf,
  unescaped,
  type ValueHabit,
} from './value-habits.ts';

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

/** The last run of which records were read back, and their newest LMT: up to then nobody else wrote them. */
interface ReadBackMoment {
  readonly run: string;
  readonly newest: string;
}

/** So many of a run's records are known again when they are read back. */
const MOST_WRITTEN = 50;

/** A record that may be read back. */
interface Candidate {
  readonly key: string;
  readonly sent: SentStep;
  readonly body: Values;
  /** What its fields held before, as far as they were there. */
  readonly was: Values;
  readonly telling: number;
}

/** One that was read after it was written. */
interface SeenAgain {
  readonly one: Candidate;
  readonly values: HeldNow;
}

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
  private readonly cutNow = new Set<string>();
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
  readonly mayBe: SameField = (field, held, sent) =>
    this.same(field, held, sent) || this.habitWith(field, { sent, held: held ?? null }) !== null;

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

  /** What to send so that a field goes on holding this: what is escaped would be escaped once more. */
  readonly sendable = (field: string, held: Value): Value => {
    const known = this.memory.get(field);
    if (typeof held !== 'string' || known === undefined || known.habit.apply(held) === held) return held;
    const plain = unescaped(held);
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

  /** The fields of which this session found that they are cut, and what is done to them. */
  readonly cutsFound = (): [string, ValueHabit][] =>
    [...this.memory].flatMap(([name, { habit }]) => (this.cutNow.has(name) ? [[name, habit]] : []));

  /** Whether somebody may have written a record after a run did, by its LMT when that was read back. */
  private mayBeAnothers(run: string, lmt: string | null): boolean {
    const last = this.lastReadBack;
    // The names of runs are in the order of time; of a run that was cut off nothing was read back.
    return last !== null && lmt !== null && run <= last.run && lmt > last.newest;
  }

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
    const isExplained = sameValue(held, before.habit.apply(sent));
    if (isExplained && this.news(field, sent).length === 0) return false;
    const pairs = [...before.pairs.slice(1 - MOST_PAIRS), pair];
    const asBefore = isExplained ? before.habit : findHabit(type, pairs);
    const habit = asBefore ?? (others === null ? findHabit(type, [pair]) : null);
    if (habit === null || others?.().some((value) => !sameValue(value, habit.apply(value)))) return false;
    this.memory.set(field, remembered(asBefore === null ? [pair] : pairs, habit));
    if (sameValue(held, sent) || isExplained) return true;
    const cut = habit.cut === before.habit.cut ? null : habit.cut;
    if (cut !== null) this.cutNow.add(field);
    // That texts are cut is told beside whatever else becomes of them.
    this.untold.set(cut === null ? field : `${field} cut`, this.noteOf(field, pair, cut));
    return true;
  }

  /**
   * Takes what a record was seen to hold right after it was sent this. A field that holds what it `was` tells
   * nothing: reads may lag behind.
   */
  async saw(body: Values, held: HeldNow, was: Values = {}): Promise<void> {
    if (this.learnAll(body, held, was)) await this.save();
  }

  private learnAll(body: Values, held: HeldNow, was: Values): boolean {
    let learned = false;
    for (const [field, pair] of pairsOf(body, held, was)) if (this.learn(field, pair, null)) learned = true;
    return learned;
  }

  /** Learns from records of which it is known what the run sent them. */
  private learnTogether(records: readonly SeenAgain[]): void {
    const byField = new Map<string, StoredPair[]>();
    for (const { one, values } of records)
      for (const [field, pair] of pairsOf(one.body, values, one.was))
        byField.set(field, [...(byField.get(field) ?? []), pair]);
    for (const [field, pairs] of byField) {
      const type = this.context.resource.fields[field]?.codec.type;
      const believed = type === undefined ? [] : believable(type, this.memory.get(field), pairs);
      for (const pair of believed) this.learn(field, pair, null);
    }
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
  ): Promise<void> {
    const { ledger, serviceKey, resource } = this.context;
    const differing = rows.flatMap((row, at) => {
      const existing = found[at]?.existing ?? null;
      if (existing === null || !differs(row, existing, same)) return [];
      return [{ row, existing, key: keyOf(row, at) ?? '' }];
    });
    if (differing.length === 0) return;
    const keys = differing.map(({ key }) => key);
    const writes = await ledger.findWrites(serviceKey, resource.name, keys);
    const asSaid = (field: string): Value[] =>
      rows.flatMap(({ values }, at) => {
        const value = values[field];
        return value != null && sameValue(found[at]?.existing?.values[field], value) ? [value] : [];
      });
    let learned = false;
    for (const { row, existing, key } of differing) {
      const write = writes.get(key);
      if (write === undefined) continue;
      const isUnmoved = write.lmt !== null && write.lmt === existing.lmt;
      const sent = plainValues(Object.assign({}, ...write.steps.map(({ body }) => body)));
      for (const [field, value] of Object.entries(sent)) {
        const held = existing.values[field];
        if (row.values[field] === undefined || held === undefined || same(field, held, value)) continue;
        const pair = { sent: value, held };
        const change = write.changes.find(({ field: name }) => name === field);
        const cameBack = change !== undefined && change.from === held;
        // Nothing shows that the record was read after that write.
        if (isUnmoved && (change === undefined || cameBack)) continue;
        const isOurs = cameBack || !this.mayBeAnothers(write.run, existing.lmt);
        // What a colleague could have written is no habit that was never seen.
        if (isByHand(pair) && !isOurs && !this.hasHabit(field)) continue;
        if (this.learn(field, pair, () => asSaid(field))) learned = true;
      }
    }
    if (learned) await this.save();
  }

  /** Takes each request of a run that went through, to know which records (`key`) to read back. */
  wrote(sent: SentStep, key: string): void {
    const { resource } = this.context;
    const { best, written } = this;
    if (sent.step.purpose === 'create' && this.found.has(sent.id)) return;
    const known = best?.key === key ? best : written.get(key);
    const body = { ...known?.body, ...sent.body };
    const was = { ...heldBefore(sent), ...known?.was };
    const telling = Object.entries(body).reduce((sum, [field, value]) => {
      const news = resource.fields[field]?.reads === 'none' ? 0 : this.news(field, value).length;
      return news === 0 ? sum : sum + news + (typeof value === 'string' ? value.length / 10_000 : 0);
    }, 0);
    const one = { key, sent, body, was, telling };
    if (best?.key === key || telling > (best?.telling ?? 0)) this.best = one;
    if (written.has(key) || written.size < MOST_WRITTEN) written.set(key, one);
  }

  /** Reads back what tells most of what is not known yet, with what comes along. */
  async readBack(run: string, read: NonNullable<RowGuard['readBack']>): Promise<void> {
    const { best, context } = this;
    const written = new Map(this.written);
    this.best = null;
    this.written.clear();
    const isNew = Object.entries(best?.body ?? {}).some(
      ([field, value]) => this.news(field, value).length > 0,
    );
    if (best === null || !isNew) return;
    try {
      const seen = createMark();
      let isBehind = false;
      const again: SeenAgain[] = [];
      const records = await read(best.sent, written.size < MOST_WRITTEN);
      for (const { key, id, lmt, values } of records) {
        const one = key === best.key ? best : written.get(key);
        if (one === undefined) continue;
        again.push({ one, values });
        seen.saw({ id, lmt });
        isBehind ||= holdsBefore(one.sent, values);
      }
      this.learnTogether(again);
      const { newest } = seen.mark();
      if (newest !== null && !isBehind) this.lastReadBack = { run, newest };
      await this.save();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { log, resource } = context;
      log.warn({ resource: resource.name, error: error.reason }, 'a record could not be read back');
    }
  }

  /** Learns from listed records what became of those that the run's answered requests wrote, if any. */
  async sawOwn(records: readonly ExistingRecord[]): Promise<boolean> {
    const again = records.flatMap(({ id, values }) => {
      const one = this.best?.sent.id === id ? this.best : this.written.get(`id:${id}`);
      return one === undefined || id === null ? [] : [{ one, values }];
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

  private noteOf(field: string, { sent, held }: StoredPair, cut: number | null): Bilingual {
    const name = `${this.context.resource.sheet}: ${field}`;
    if (cut !== null)
      return t(
        `${name} was cut at ${cut} characters: the service keeps no more.`,
        `${name} is afgekapt na ${cut} tekens: meer bewaart de dienst niet.`,
      );
    const say = (value: Value, language: Language): string => shorten(valueText(value, language));
    return t(
      `${name} ${say(sent, 'en')} was stored as ${say(held, 'en')}; on this service that counts as the same.`,
      `${name} ${say(sent, 'nl')} is opgeslagen als ${say(held, 'nl')}; op deze dienst telt dat als hetzelfde.`,
    );
  }

  /** What was learned since this was asked last. */
  readonly notes = (): Bilingual[] => {
    const told = [...this.untold.values()];
    this.untold.clear();
    return told;
  };
}

/** Whether a record holds something else than a row says. */
function differs(row: MappedRow, existing: ExistingRecord, same: SameField): boolean {
  for (const field in row.values) {
    const held = heldIn(row.mapping.resource, existing, field);
    if (held !== undefined && !same(field, held, row.values[field] ?? null)) return true;
  }
  return false;
}
