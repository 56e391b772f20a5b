import { Clock, fullDatetime, shifted } from './clock.ts';
import { stored } from './habits.ts';
import { Journal } from './journal.ts';
import { type KnobChanges, type Knobs, plainKnobs, turn } from './knobs.ts';
import { emptyLookups } from './lookups.ts';
import { Random } from './random.ts';
import { type Field, idField, typeOf } from './schema.ts';
import { Sequence, Store } from './store.ts';
import type { Time } from './time.ts';
import type { Kind, Source, Value, Values } from './types.ts';

const no = (...names: string[]): Values => Object.fromEntries(names.map((name) => [name, false]));

// What a new record holds where nothing was sent.
const firstValues: { readonly [K in Kind]?: Values } = {
  package: { Actief: true, ...no('OpnemenInOfferte', 'OnderdelenInOfferte', 'OfferteCategorieTonen') },
  recipe: { Actief: true, ProductTypeID: 2, ...no('PerStukWeergeven', 'VoorraadProduct') },
  event: no(
    ...['HeeftVulling', 'PartijNietFactureren', 'OverruleFinancieelContact', 'MeerdaagseEvenement'],
    ...['AutomatischIncasseren', 'NietOpVerzamelFactuur', 'AantalGastenDefinitief', 'GeenOmzet'],
  ),
  link: { Actief: true },
  trip: no('Verwerkt', 'DEL', 'RetourRit', 'OpnemenInOfferte', 'RealisatieIngevoerd'),
};

const withLmt = new Set<Kind>(['package', 'recipe', 'product', 'event', 'trip']);

/** Everything the service knows: its records, its clock, its habits and its journal. */
export class World {
  readonly knobs: Knobs;
  readonly time: Time;
  readonly random: Random;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly lookups = emptyLookups();
  readonly stores: Readonly<Record<Kind, Store>>;

  constructor(changes: KnobChanges, time: Time) {
    this.time = time;
    this.journal = new Journal(time);
    this.knobs = plainKnobs();
    turn(this.knobs, changes);
    this.random = new Random(this.knobs.seed);
    this.clock = new Clock(this.knobs.clock, time);
    const products = new Sequence(1000);
    this.stores = {
      package: new Store('package', products),
      recipe: new Store('recipe', products),
      product: new Store('product', products),
      stock: new Store('stock', products),
      event: new Store('event', new Sequence(5000)),
      link: new Store('link', new Sequence(700)),
      trip: new Store('trip', new Sequence(300)),
      mutation: new Store('mutation', new Sequence(9000)),
      document: new Store('document', new Sequence(0)),
      order: new Store('order', new Sequence(0)),
    };
  }

  /** The moment a read looks at: with a lag it is some time ago. */
  asOf(how: 'list' | 'detail'): number {
    const isLate = how === 'list' || this.knobs.speed.detailLags;
    if (!isLate) return this.time.steady();
    return this.time.steady() - this.knobs.speed.lagMs;
  }

  /** Any product by its id, whatever it is. */
  product(id: number, asOf?: number): { kind: Kind; values: Readonly<Values> } | undefined {
    for (const kind of ['package', 'recipe', 'product'] as const) {
      const values = this.stores[kind].get(id, asOf);
      if (values) return { kind, values };
    }
    return undefined;
  }

  /** Stores a new record and returns its id; raw values are stored past all habits. */
  create(kind: Kind, sent: Values, source: Source, given: { id?: number; raw?: Values } = {}): number {
    const { values: habits } = this.knobs;
    const id = given.id ?? this.stores[kind].sequence.next(habits.newIds, this.random);
    const values: Values = {
      ...firstValues[kind],
      ...(source === 'seed' ? seeded(sent) : stored(kind, sent, 'create', habits)),
      ...given.raw,
    };
    values[idField[kind]] = id;
    if (withLmt.has(kind)) {
      const now = this.clock.stamp();
      // What the seed put there was modified a month ago in the service's own time.
      values.LMT = source === 'seed' ? (values.LMT ?? shifted(now, -43_200 - (id % 1000))) : now;
    }
    this.#commit(kind, id, values, source);
    return id;
  }

  /** Changes fields of a record; with a list of fields an update may clear what was not sent. */
  update(kind: Kind, id: number, sent: Values, source: Source, fields: readonly Field[] = []): boolean {
    const before = this.stores[kind].get(id);
    if (!before) return false;
    const { values: habits } = this.knobs;
    const cleared = habits.updateClears && source !== 'other' ? clearing(kind, fields) : {};
    const values: Values = { ...before, ...stored(kind, { ...cleared, ...sent }, 'update', habits) };
    values[idField[kind]] = id;
    if (withLmt.has(kind)) values.LMT = this.#nextLmt(before, values);
    this.#commit(kind, id, values, source);
    return true;
  }

  /** Changes fields past all habits and without moving LMT. */
  touch(kind: Kind, id: number, values: Values, source: Source): void {
    const before = this.stores[kind].get(id);
    if (before) this.#commit(kind, id, { ...before, ...values }, source);
  }

  /** Deletes a record, or flags it as deleted where the service keeps what it deletes. */
  remove(kind: Kind, id: number, source: Source): boolean {
    const before = this.stores[kind].get(id);
    if (!before) return false;
    if (this.knobs.values.deletes === 'flagged') {
      return this.update(kind, id, kind === 'trip' ? { DEL: true } : { Actief: false }, source);
    }
    this.#commit(kind, id, undefined, source);
    if (this.knobs.values.newIds === 'reused') this.stores[kind].sequence.release(id);
    return true;
  }

  #nextLmt(before: Readonly<Values>, after: Values): Value {
    const { moves } = this.knobs.clock;
    const kept = before.LMT ?? null;
    if (moves === 'never') return kept;
    const isSame = Object.entries(after).every(([name, value]) => name === 'LMT' || before[name] === value);
    return moves === 'on change' && isSame ? kept : this.clock.stamp();
  }

  #commit(kind: Kind, id: number, after: Values | undefined, source: Source): void {
    const before = this.stores[kind].get(id);
    // What the seed put there has always been there, so that no lag hides it.
    const at = source === 'seed' ? Number.NEGATIVE_INFINITY : this.time.steady();
    this.stores[kind].put(id, after, at);
    const what = after === undefined ? 'deleted' : before === undefined ? 'created' : 'updated';
    this.journal.commit({ what, kind, id, before, after: this.stores[kind].get(id) }, source);
  }
}

/** The seed's datetimes may be short; its other values are stored as they are. */
function seeded(sent: Values): Values {
  const full = (name: string, value: Value): Value =>
    (typeOf(name) === 'datetime' ? fullDatetime(String(value)) : undefined) ?? value;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, full(name, value)]));
}

function clearing(kind: Kind, fields: readonly Field[]): Values {
  const keys = [idField[kind], 'ArrangementID', 'PartijID', 'LMT'];
  const cleared = fields.filter(({ name }) => !keys.includes(name));
  return Object.fromEntries(cleared.map(({ name, type }) => [name, type === 'bool' ? false : null]));
}
