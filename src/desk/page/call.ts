import type { AnswerOf } from '../contract/answers.ts';
import type { AskedOf, RouteName } from '../contract/asked.ts';
import { addressOf } from '../contract/paths.ts';
import { sessionHeader } from './session.ts';

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

/** Asks the server. Throws CallError for a refusal, and with status 0 where it can't be reached. */
export const call = <R extends RouteName>(
  route: R,
  asked: AskedOf<R>,
  signal?: AbortSignal,
): Promise<AnswerOf<R>> =>
  send(
    `/api/${route}`,
    { body: JSON.stringify(asked), headers: { 'content-type': 'application/json' } },
    signal,
  );

/** Brings a file, and answers its id; throws as `call`. */
export const bringFile = (file: File, signal: AbortSignal): Promise<AnswerOf<'addFile'>> =>
  send(addressOf('addFile', { name: file.name }), { body: file }, signal);

async function send<T>(
  address: string,
  { headers, ...request }: RequestInit,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(address, {
    ...{ method: 'POST', cache: 'no-store', signal: signal ?? null, ...request },
    headers: { ...headers, ...sessionHeader() },
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { message?: string; next?: string } | null;
  // Every answer says something: one without a word broke off on its way.
  if (response === null || (response.ok && answer === null)) throw new CallError(0);
  if (response.ok) return answer as T;
  throw new CallError(response.status, answer?.message, answer?.next);
}
