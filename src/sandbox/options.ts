import { z } from 'zod';

/** What the interface leaves open; what is absent is as by default. */
export const dialectSchema = z.strictObject({
  /** When ExternalID of packages and recipes is kept: on an update, on a create, or never. */
  externalId: z.enum(['update', 'create', 'never']).default('update'),
  /** How a read of a missing record answers. */
  missing: z.enum(['404', 'null', 'empty', 'false']).default('404'),
  /** Whether an event list of one record answers the bare record. */
  listShape: z.enum(['list', 'single']).default('list'),
  /** The shape of a whole download: `[…]`, `{data: […]}` or `[{data: […], links, meta}]`. */
  download: z.enum(['array', 'data', 'page']).default('array'),
  /** Whether lists answer some numbers as text, flags as 0/1 and nulls as empty text (interface 2.5, 2.7). */
  types: z.enum(['mixed', 'plain']).default('mixed'),
});

const probability = z.number().min(0).max(1).default(0);

/** How the service misbehaves; by default it does not. */
export const faultsSchema = z.strictObject({
  /** Time that every answer takes, ms: half of it before the work, half after it. */
  latencyMs: z.number().min(0).max(600_000).default(0),
  /** Chance that the work is done and the connection closed without an answer. */
  lostAnswer: probability,
  /** Chance that the connection is closed before anything is done. */
  reset: probability,
  /** Chance of a 503 before anything is done. */
  status503: probability,
  /** Seconds in the Retry-After of a 503; none when null. */
  retryAfter: z.number().min(0).nullable().default(null),
  /** Requests a second before 429 with Retry-After; as many may come at once. No limit when null. */
  rateLimit: z.number().positive().nullable().default(null),
  /** Whether the chances above are for writes alone; latency and the rate limit are for all requests. */
  onlyWrites: z.boolean().default(false),
});

/** What the interface leaves open, as this service fills it in. */
export type SandboxDialect = z.infer<typeof dialectSchema>;

/** The settings of a sandbox. */
export interface SandboxSettings {
  /** A SQLite file, or `:memory:` (the default). */
  readonly data?: string | undefined;
  /** The bearer token to ask for; a random one by default. */
  readonly token?: string | undefined;
  /** A free port by default. */
  readonly port?: number | undefined;
  /** What the interface leaves open. */
  readonly dialect?: z.input<typeof dialectSchema> | undefined;
  /** How it misbehaves; by default it does not. */
  readonly faults?: z.input<typeof faultsSchema> | undefined;
  /** Products on a page of an allModified list; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** A running sandbox. */
export interface RunningSandbox {
  /** Such as `http://127.0.0.1:41234`, without a slash at the end. */
  readonly url: string;
  /** The bearer token it asks for. */
  readonly token: string;
  /** Finishes what is in flight, writes everything down and frees the port. */
  close(): Promise<void>;
}
