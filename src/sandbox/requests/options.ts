import { z } from 'zod';
import type { Endpoint } from '../../schema/endpoint.ts';
import type { LoggedRequest } from './request-log.ts';

const dialect = z.strictObject({
  /** When ExternalID of packages and recipes is kept: on an update, on a create, or never. */
  externalId: z.enum(['update', 'create', 'never']),
  /** How a read of a missing record answers. */
  missing: z.enum(['404', 'null', 'empty', 'false']),
  /** Whether an event list of one record answers the bare record. */
  listShape: z.enum(['list', 'single']),
  /** The shape of a whole download: `[…]`, `{data: […]}` or `[{data: […], links, meta}]`. */
  download: z.enum(['array', 'data', 'page']),
  /** Whether lists answer some numbers as text, flags as 0/1 and nulls as empty text (interface 2.5, 2.7). */
  types: z.enum(['mixed', 'plain']),
});

const probability = z.number().min(0).max(1);

const faults = z.strictObject({
  /** Time that every answer takes, ms: half of it before the work, half after it. */
  latencyMs: z.number().min(0).max(600_000),
  /** Chance that the work is done and the connection closed without an answer. */
  lostAnswer: probability,
  /** Chance that the connection is closed before anything is done. */
  reset: probability,
  /** Chance of a 503 before anything is done. */
  status503: probability,
  /** Seconds in the Retry-After of a 503; none when null. */
  retryAfter: z.number().min(0).nullable(),
  /** Chance of an HTML page, with status 200 or 502, before anything is done. */
  html: probability,
  /** Chance that the work is done and the answer cut off halfway. */
  truncate: probability,
  /** Requests a second before 429 with Retry-After; as many may come at once. No limit when null. */
  rateLimit: z.number().positive().nullable(),
  /** Whether the chances above are for writes alone; latency and the rate limit are for all requests. */
  onlyWrites: z.boolean(),
});

/** What the interface leaves open, as this service fills it in. */
export type SandboxDialect = z.infer<typeof dialect>;
/** How the service misbehaves. */
export type Faults = z.infer<typeof faults>;

/** Any part of a dialect; what is absent stays as it is. */
export const dialectChanges = dialect.partial();
/** Any part of the faults; what is absent stays as it is. */
export const faultChanges = faults.partial();

type Changes<Whole> = { readonly [Name in keyof Whole]?: Whole[Name] | undefined };

/** The default dialect. */
export const DEFAULT_SANDBOX_DIALECT: SandboxDialect = {
  externalId: 'update',
  missing: '404',
  listShape: 'list',
  download: 'array',
  types: 'mixed',
};

/** A sandbox that does not misbehave. */
export const NO_FAULTS: Faults = {
  latencyMs: 0,
  lostAnswer: 0,
  reset: 0,
  status503: 0,
  retryAfter: null,
  html: 0,
  truncate: 0,
  rateLimit: null,
  onlyWrites: false,
};

/** The whole with the changes in it; an undefined one changes nothing. */
export function withChanges<Whole extends object>(whole: Whole, changes: object): Whole {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...whole, ...Object.fromEntries(given) };
}

/** The settings of a sandbox that can be copied to another thread. */
export interface SandboxSettings {
  /** A SQLite file, or `:memory:` (the default). */
  readonly data?: string | undefined;
  /** The bearer token to ask for; a random one by default. */
  readonly token?: string | undefined;
  /** A free port by default. */
  readonly port?: number | undefined;
  /** Seed of the random sequence that picks faults. */
  readonly seed?: number | undefined;
  readonly dialect?: Changes<SandboxDialect> | undefined;
  readonly faults?: Changes<Faults> | undefined;
  /** Products on a page of an allModified list; 100 by default. */
  readonly pageSize?: number | undefined;
  /** Further packages in a new catalogue, for measuring with a large one. */
  readonly extraPackages?: number | undefined;
}

/** The settings of a sandbox in this thread. */
export interface SandboxOptions extends SandboxSettings {
  readonly endpoints: readonly Endpoint[];
  readonly lookups: readonly Endpoint[];
  /** Called with every request that was answered or dropped. */
  readonly log?: ((request: LoggedRequest) => void) | undefined;
}

/** A running sandbox. */
export interface RunningSandbox {
  /** Such as `http://127.0.0.1:41234`, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Finishes what is in flight, writes everything down and frees the port. */
  close(): Promise<void>;
}
