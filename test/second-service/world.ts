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

// What a new record holds where nothing was sent.
const firstValues: { readonly [K in Kind]?: Values } = {
  package: {
    Actief: true,
    OpnemenInOfferte: false,
    OnderdelenInOfferte: false,
    OfferteCategorieTonen: false,
  },
  recipe: { Actief: true, ProductTypeID: 2, PerStukWeergeven: false, VoorraadProduct: false },
  event: {
    HeeftVulling: false,
    PartijNietFactureren: false,
    OverruleFinancieelContact: false,
    MeerdaagseEvenement: false,
    AutomatischIncasseren: false,
    NietOpVerzamelFactuur: false,
    AantalGastenDefinitief: false,
    GeenOmzet: false,
  },
  link: { Actief: true },
  trip: {
    Verwerkt: false,
    DEL: false,
    RetourRit: false,
    OpnemenInOfferte: false,
    RealisatieIngevoerd: false,
  },
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
    const { lagMs } = this.knobs.speed;
    return this.time.steady() - (typeof lagMs === 'number' ? lagMs : this.random.between(lagMs[0], lagMs[1]));
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
    if (withLmt.has(kind)) values.LMT = this.#stamp(sent, source) ?? this.#firstLmt(id, source);
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
    if (withLmt.has(kind)) {
      values.LMT = this.#stamp(sent, source) ?? this.#nextLmt(before, values);
    }
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

  /** What the seed put there was modified a month ago in the service's own time. */
  #firstLmt(id: number, source: Source): string {
    const now = this.clock.stamp();
    return source === 'seed' ? shifted(now, -43_200 - (id % 1000)) : now;
  }

  #nextLmt(before: Readonly<Values>, after: Values): Value {
    const { moves } = this.knobs.clock;
    const kept = before.LMT ?? null;
    if (moves === 'never') return kept;
    const isSame = Object.entries(after).every(([name, value]) => name === 'LMT' || before[name] === value);
    return moves === 'on change' && isSame ? kept : this.clock.stamp();
  }

  #stamp(sent: Values, source: Source): string | undefined {
    return source === 'seed' && typeof sent.LMT === 'string' ? fullDatetime(sent.LMT) : undefined;
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
  const values: Values = {};
  for (const [name, value] of Object.entries(sent)) {
    const full = typeOf(name) === 'datetime' && typeof value === 'string' ? fullDatetime(value) : undefined;
    values[name] = full ?? value;
  }
  return values;
}

function clearing(kind: Kind, fields: readonly Field[]): Values {
  const keys = new Set([idField[kind], 'ArrangementID', 'PartijID', 'LMT']);
  const cleared: Values = {};
  for (const field of fields)
    if (!keys.has(field.name)) cleared[field.name] = field.type === 'bool' ? false : null;
  return cleared;
}
