import type { Company } from '../seed/company.ts';
import type { Store } from '../store/store.ts';
import type { SandboxDialect } from './options.ts';
import type { Reply } from './reply.ts';
import type { RouteMatch } from './router.ts';

/** What the handlers work with. */
export interface SandboxService {
  readonly store: Store;
  readonly company: Company;
  /** The current one: it can be changed while the service runs. */
  readonly dialect: () => SandboxDialect;
  readonly pageSize: number;
}

/** A request whose body has been checked. */
export interface HandlerCall {
  readonly parameters: RouteMatch['parameters'];
  readonly query: URLSearchParams;
  /** Empty where the endpoint takes no body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The full address of the path, without its query. */
  readonly address: string;
}

/** Answers the requests of one endpoint. */
export type Handler = (call: HandlerCall, service: SandboxService) => Reply | Promise<Reply>;
/** Handlers by the names of their endpoints. */
export type Handlers = Readonly<Record<string, Handler>>;

/** A path segment as an id; NaN, which no record has, for anything but a whole number. */
export function pathId(call: HandlerCall, name: string): number {
  const segment = call.parameters[name] ?? '';
  const id = /^-?\d{1,16}$/.test(segment) ? Number(segment) : Number.NaN;
  return Number.isSafeInteger(id) ? id : Number.NaN;
}
