import type { AnswerRecord, WriteAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Fields } from './field.ts';
import type { ProductPage, ProductQuery } from './page.ts';
import type { Values } from './value.ts';

/** An endpoint that writes a record and answers its id and whether it went well. */
export type WriteEndpoint = Endpoint<Values, WriteAnswer>;

/** What every kind of sheet has. */
interface SheetDefinition {
  /** Such as `packages`; what `--as` takes. */
  readonly name: string;
  /** The sheet's Dutch name, such as `Pakketten`. */
  readonly sheet: string;
  /** Columns that say which record a row is about; a sheet without any of them is not recognised by its columns. */
  readonly keys: readonly string[];
  readonly fields: Fields;
}

/** Records that are found by id or ExternalID, one by one or in the pages of a list by LMT (interface 4.1, 4.2). */
export interface CatalogueResource extends SheetDefinition {
  readonly kind: 'catalogue';
  /** The field that holds the service's own id. */
  readonly id: string;
  /** The field that holds the user's key. */
  readonly external: string;
  readonly requests: {
    readonly create: WriteEndpoint;
    readonly update: WriteEndpoint;
    readonly remove: WriteEndpoint;
    readonly findById: Endpoint<unknown, AnswerRecord | null>;
    readonly findByExternal: Endpoint<unknown, AnswerRecord | null>;
    /** The records modified after a moment, page by page. */
    readonly list: Endpoint<ProductQuery, ProductPage>;
  };
}

/**
 * One kind of sheet. Everything else derives from it: columns, row mapper, diff, requests, sandbox checks.
 * Plain data; `kind` says how its rows are looked up and sent. A new resource is one file and one line in the registry.
 */
export type Resource = CatalogueResource;

/** Declares a resource and refuses one that contradicts itself, at start-up rather than in the middle of a run. */
export function defineResource<const R extends Resource>(resource: R): R {
  for (const key of [...resource.keys, resource.id, resource.external]) {
    if (!Object.hasOwn(resource.fields, key)) throw new TypeError(`resource ${resource.name} has no field ${key}`);
  }
  return resource;
}
