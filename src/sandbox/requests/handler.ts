import type { Values } from '../../core/value.ts';
import type { Store } from '../store/store.ts';
import type { SandboxDialect } from './options.ts';
import type { Reply } from './reply.ts';

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
