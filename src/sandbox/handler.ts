import type { Values } from '../core/value.ts';
import type { SandboxDialect } from './options.ts';
import type { Store } from './store.ts';

/** A request whose body has been checked, and what its handler works with. */
export interface HandlerCall {
  readonly store: Store;
  readonly dialect: SandboxDialect;
  readonly pageSize: number;
  readonly parameters: Readonly<Record<string, string>>;
  /** The path's id; NaN, which no record has, where that is no whole number. */
  readonly id: number;
  readonly query: URLSearchParams;
  /** Empty where the endpoint takes no body. */
  readonly body: Values;
  /** The full address of the path, without its query. */
  readonly address: string;
}

/** Answers the requests of one endpoint. @throws Refusal with another answer. */
export type Handler = (call: HandlerCall) => Reply | Promise<Reply>;
/** Handlers by the names of their endpoints. */
export type Handlers = Readonly<Record<string, Handler>>;

/** An answer: JSON, or a file of some type. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with JSON. */
export const json = (body: unknown, status = 200): Reply => ({ status, body });

/** 422, or another status, with the errors by field. */
export function refused(errors: Readonly<Record<string, readonly string[]>>, status = 422): Reply {
  const [first = 'De gegevens zijn ongeldig.', ...more] = Object.values(errors).flat();
  const message =
    more.length === 0 ? first : `${first} (en nog ${more.length} andere fout${more.length > 1 ? 'en' : ''})`;
  return json({ message, errors }, status);
}

/** 404 with a message. */
export const notFound = (message: string): Reply => json({ message }, 404);

/** 422 for an id that is in no list and of no record. */
export const unknownId = (field: string): Reply =>
  refused({ [field]: [`Het gekozen ${field} is ongeldig.`] });

/** Ends the handling of a request with this answer. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

/** What a read asks for. @throws Refusal, in the dialect's way, where that does not exist. */
export function found<Found>(what: Found | undefined, name: string, { missing }: SandboxDialect): Found {
  if (what !== undefined) return what;
  if (missing === '404') throw new Refusal(notFound(`${name} niet gevonden.`));
  throw new Refusal(json({ null: null, empty: {}, false: { success: false } }[missing]));
}

/** What a write is about. @throws Refusal where there is none: success false where reads say so, else 404. */
export function foundForWrite<Found>(
  what: Found | undefined,
  name: string,
  { missing }: SandboxDialect,
  flag: 'success' | 'succes' = 'success',
): Found {
  if (what !== undefined) return what;
  throw new Refusal(
    missing === 'false' ? json({ id: null, [flag]: false }) : notFound(`${name} niet gevonden.`),
  );
}
