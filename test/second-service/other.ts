import { fromPackage } from './links.ts';
import { number } from './route.ts';
import { moveStock } from './stock.ts';
import type { Kind, Values } from './types.ts';
import type { World } from './world.ts';

/** A colleague, or another program, at work in the same service at the same time. */
export class Other {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Creates a record, with the service's habits, and returns its id. */
  create(kind: Kind, values: Values): number {
    const world = this.#world;
    const product = world.stores.package.get(number(values, 'ArrangementID'));
    const raw = kind === 'link' ? fromPackage(product) : {};
    const id = world.create(kind, values, 'other', { raw });
    if (kind === 'mutation') {
      moveStock(world, number(values, 'ProductID'), number(values, 'AantalRekeneenheid') || 0, 'other');
    }
    return id;
  }

  /** Changes fields of a record. */
  change(kind: Kind, id: number, values: Values): void {
    if (!this.#world.update(kind, id, values, 'other')) throw new Error(`There is no ${kind} ${id}.`);
  }

  /** Deletes a record. */
  remove(kind: Kind, id: number): void {
    if (!this.#world.remove(kind, id, 'other')) throw new Error(`There is no ${kind} ${id}.`);
  }

  /** Uses stock, in the product's calculation unit, without a mutation that a client could know of. */
  useStock(productId: number, amount: number): void {
    moveStock(this.#world, productId, -amount, 'other');
  }
}
