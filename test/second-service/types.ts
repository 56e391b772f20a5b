/** One stored value. */
export type Value = string | number | boolean | null;

/** One record as the service stores it, by field name. */
export type Values = Record<string, Value>;

/** What kinds of record the service keeps. */
export type Kind =
  | 'package'
  | 'recipe'
  | 'product'
  | 'event'
  | 'link'
  | 'trip'
  | 'mutation'
  | 'stock'
  | 'document'
  | 'order';

/** One request as it was received, before anything was done with it. */
export interface Received {
  readonly n: number;
  /** When it came, in milliseconds since 1970; never by the service's own clock. */
  readonly at: number;
  readonly method: string;
  /** The path behind the base path, without a leading slash and without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as JSON, or as text where it is no JSON, or undefined where there is none. */
  readonly body: unknown;
  readonly bytes: Buffer;
  /** The endpoint's own name, such as package.create, or '' where no endpoint has this path. */
  readonly endpoint: string;
  readonly write: boolean;
  readonly params: readonly string[];
}

/** What a handler wants answered. */
export interface Answer {
  readonly status: number;
  /** JSON, unless it is a Buffer. */
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The write was looked at and not done. */
  readonly refused?: boolean;
}

/** Who caused a committed write: a request by its number, a colleague, or the seed. */
export type Source = { readonly request: number; readonly late: boolean } | 'other' | 'seed';
