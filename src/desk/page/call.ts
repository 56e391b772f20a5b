import type { AnswerOf } from '../contract/answers.ts';
import type { AskedOf, RouteName } from '../contract/asked.ts';
import { addressOf, SESSION_HEADER } from '../contract/paths.ts';

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

/** Brings a file; throws as `call`. */
export const bringFile = (file: File, signal: AbortSignal): Promise<AnswerOf<'addFile'>> =>
  send(addressOf('addFile', { name: file.name }), { body: file }, signal);

async function send<T>(
  address: string,
  { headers, ...request }: RequestInit,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(address, {
    ...{ method: 'POST', cache: 'no-store', signal: signal ?? null, ...request },
    headers: { ...headers, [SESSION_HEADER]: kept() },
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { message?: string; next?: string } | null;
  // Every answer says something: one without a word broke off on its way.
  if (response === null || (response.ok && answer === null)) throw new CallError(0);
  if (response.ok) return answer as T;
  throw new CallError(response.status, answer?.message, answer?.next);
}

/**
 * Where this browser keeps the secret of its session. Only pages of the desk's own address and port read it:
 * every tab of the desk, and no page that another user of this machine serves on another port.
 */
const PLACE = 'catersheet-session';

/** Holds it where the browser keeps nothing: the next load of the page asks for a key. */
let own: string | undefined;

/** Keeps the secret of a session that was opened, to go with every request. */
export function keepSession(session: string): void {
  try {
    localStorage.setItem(PLACE, session);
  } catch {
    own = session;
  }
}

function kept(): string {
  try {
    return own ?? localStorage.getItem(PLACE) ?? '';
  } catch {
    return '';
  }
}

/** Calls back when another window of this browser opened a session. */
export const onOtherSession = (then: () => void): void =>
  addEventListener('storage', ({ key }) => {
    if (key === PLACE) then();
  });
