import { fromPackage } from './links.ts';
import type { NamedLookup } from './lookups.ts';
import { number } from './route.ts';
import { idField } from './schema.ts';
import { newStock } from './stock.ts';
import type { Kind, Values } from './types.ts';
import type { World } from './world.ts';

/** Puts records into the service that have always been there: no lag and no habit touches them. */
export class Seeds {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds a package. */
  package(values: Values = {}): number {
    return this.#add('package', {
      ProductTypeID: 1,
      OmschrijvingIntern: 'Borrelpakket',
      Verkoopprijs: 12.5,
      ...values,
    });
  }

  /** Adds a recipe. */
  recipe(values: Values = {}): number {
    const plain = {
      ProductCategorieID: 11,
      ProductEenheidWaardeID: 501,
      RekenEenheidID: 1,
      Gewicht: 0.25,
      OPK: 1,
    };
    return this.#add('recipe', { OmschrijvingIntern: 'Tomatensoep', ...plain, ...values });
  }

  /** Adds a product that is neither a package nor a recipe, such as an ingredient with stock. */
  product(values: Values = {}): number {
    return this.#add('product', {
      OmschrijvingIntern: 'Bloem',
      ProductTypeID: 3,
      RekenEenheidID: 2,
      ...values,
    });
  }

  /** Adds an event. */
  event(values: Values = {}): number {
    const plain = { RelatieID: 4001, ContactpersoonID: 6001, LocatieID: 801, StatusID: 3, AantalGasten: 40 };
    return this.#add('event', {
      ...plain,
      Datum: '2026-12-18',
      PartijOmschrijving: 'Kerstborrel',
      ...values,
    });
  }

  /** Links a package to an event. */
  link(partijId: number, arrangementId: number, values: Values = {}): number {
    const product = this.#world.stores.package.get(arrangementId);
    const keys = { PartijID: partijId, ArrangementID: arrangementId };
    return this.#add('link', { ...fromPackage(product), Aantal: 1, Datum: '2026-12-18', ...values, ...keys });
  }

  /** Adds a trip, which the interface itself can't create. */
  trip(values: Values = {}): number {
    const plain = { RelatieID: 4001, ContactpersoonID: 6001, Datum: '2026-12-18', Van: '2026-12-18 15:00' };
    return this.#add('trip', { ...plain, Tot: '2026-12-18 16:00', Omschrijving: 'Heenrit', ...values });
  }

  /** Gives a product a stock total in its calculation unit. */
  stock(productId: number, amount: number, values: Values = {}): void {
    const raw = { ...newStock(this.#world, productId), ...values, Aantal: amount };
    this.#world.create('stock', {}, 'seed', { id: productId, raw });
  }

  /** Adds values to a dropdown. */
  dropdown(id: number, values: Readonly<Record<number, string>>): void {
    const held = this.#world.lookups.dropdown.get(id) ?? new Map<number, string>();
    for (const [key, name] of Object.entries(values)) held.set(Number(key), name);
    this.#world.lookups.dropdown.set(id, held);
  }

  /** Adds names to a lookup such as unit or department. */
  names(lookup: NamedLookup, values: Readonly<Record<number, string>>): void {
    for (const [key, name] of Object.entries(values)) this.#world.lookups[lookup].set(Number(key), name);
  }

  #add(kind: Kind, values: Values): number {
    const id = number(values, idField[kind]);
    return this.#world.create(kind, values, 'seed', Number.isNaN(id) ? {} : { id });
  }
}
