import type { AnswerOf } from '../contract/answers.ts';
import type { BodyOf, QueryOf } from '../contract/asked.ts';
import { addressOf, type ParamsOf, type RouteName } from '../contract/paths.ts';
import { sessionHeader } from './session.ts';

/** What goes along with a call, as far as its route takes it. */
type CallOf<R extends RouteName> = ([keyof ParamsOf<R>] extends [never]
  ? unknown
  : { readonly params: ParamsOf<R> }) &
  (BodyOf<R> extends undefined ? unknown : { readonly body: BodyOf<R> }) &
  (QueryOf<R> extends undefined ? unknown : { readonly query: QueryOf<R> });

/** A call that the server refused or never got, in words for people. */
export class CallError extends Error {
  /** The HTTP status; 0 where the server can't be reached. */
  readonly status: number;
  /** The way out, if any. */
  readonly next: string | null;

  constructor(status: number, message = '', next: string | null = null) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Asks the server. Throws CallError for a refusal, and with status 0 where it can't be reached. */
export async function call<R extends RouteName>(
  route: R,
  ...[parts]: keyof CallOf<R> extends never ? [Parts?] : [CallOf<R> & Pick<Parts, 'signal'>]
): Promise<AnswerOf<R>> {
  const given = (parts ?? {}) as Parts;
  const [method, address] = addressOf(route, given);
  const isRead = method === 'GET' || method === 'DELETE';
  const response = await fetch(address, {
    method,
    headers: { ...sessionHeader(), ...(!isRead && { 'content-type': 'application/json' }) },
    body: isRead ? null : JSON.stringify(given.body ?? {}),
    signal: given.signal ?? null,
    cache: 'no-store',
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { message?: string; next?: string } | null;
  // Every answer says something: one without a word broke off on its way.
  if (response === null || (response.ok && answer === null)) throw new CallError(0);
  if (response.ok) return answer as AnswerOf<R>;
  throw new CallError(response.status, answer?.message, answer?.next);
}
