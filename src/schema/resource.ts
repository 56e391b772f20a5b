import type { AnswerRecord, WriteAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Fields } from './field.ts';
import type { ProductPage, ProductQuery } from './page.ts';
import type { Values } from './value.ts';

/** The requests of a resource whose records are created, updated, deleted, found by either key and listed by LMT. */
export interface ResourceRequests {
  readonly create: Endpoint<Values, WriteAnswer>;
  readonly update: Endpoint<Values, WriteAnswer>;
  readonly remove: Endpoint<Values, WriteAnswer>;
  /** Reads one record by the service's own id. */
  readonly findById: Endpoint<unknown, AnswerRecord | null>;
  /** Reads one record by the user's key. */
  readonly findByExternal: Endpoint<unknown, AnswerRecord | null>;
  /** Lists the records modified after a moment, page by page. */
  readonly list: Endpoint<ProductQuery, ProductPage>;
}

/**
 * One kind of sheet. Everything else derives from it: columns, row mapper, diff, requests, sandbox checks.
 * Plain data; a new resource is one file and one line in the registry.
 */
export interface Resource {
  /** Such as `packages`; what `--as` takes. */
  readonly name: string;
  /** The sheet's Dutch name, such as `Pakketten`. */
  readonly sheet: string;
  /** The field that holds the service's own id. */
  readonly id: string;
  /** The field that holds the user's key. */
  readonly external: string;
  readonly fields: Fields;
  readonly requests: ResourceRequests;
}

/** Declares a resource and refuses one that contradicts itself, at start-up rather than in the middle of a run. */
export function defineResource<const R extends Resource>(resource: R): R {
  for (const key of [resource.id, resource.external]) {
    if (!(key in resource.fields)) throw new TypeError(`resource ${resource.name} has no field ${key}`);
  }
  return resource;
}
