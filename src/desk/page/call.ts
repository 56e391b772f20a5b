import { type AnswerOf, SESSION_HEADER } from '../contract/answers.ts';
import type { AskedOf, RouteName } from '../contract/asked.ts';

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
export const call = async <R extends RouteName>(
  route: R,
  asked: AskedOf<R>,
  signal?: AbortSignal,
): Promise<AnswerOf<R>> => await answerIn(await ask(route, asJson(asked), signal));

/** Brings a file; throws as `call`. */
export const bringFile = async (file: File): Promise<AnswerOf<'addFile'>> =>
  await answerIn(await ask(`addFile?name=${encodeURIComponent(file.name)}`, { body: file }));

/** So long a file stays at hand, ms: the browser saves it from there. */
const SAVED_MS = 60_000;

/** Has the browser save a file of the server's; throws as `call`. */
export async function download<R extends 'jobFile' | 'result' | 'report'>(
  route: R,
  asked: AskedOf<R>,
): Promise<void> {
  const response = await ask(route, asJson(asked));
  const href = URL.createObjectURL(await response.blob().catch(brokenOff));
  const [, name = ''] = /''(.*)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  Object.assign(document.createElement('a'), { href, download: decodeURIComponent(name) }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}

const asJson = (asked: unknown): RequestInit => ({
  body: JSON.stringify(asked),
  headers: { 'content-type': 'application/json' },
});

async function ask(path: string, request: RequestInit, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`/api/${path}`, {
    ...{ method: 'POST', cache: 'no-store', signal: signal ?? null, ...request },
    headers: { ...request.headers, [SESSION_HEADER]: localStorage.getItem(PLACE) ?? '' },
  }).catch(() => null);
  if (response?.ok) return response;
  const said = (await response?.json().catch(() => null)) as { message?: string; next?: string } | null;
  throw new CallError(response?.status ?? 0, said?.message, said?.next);
}

/** Every answer says something: one without a word broke off on its way. */
const answerIn = async <T>(response: Response): Promise<T> => await response.json().catch(brokenOff);

const brokenOff = (): never => {
  throw new CallError(0);
};

/**
 * Where this browser keeps the secret of its session. Only pages of the desk's own address and port read it:
 * every tab of the desk, and no page that another user of this machine serves on another port.
 */
const PLACE = 'catersheet-session';

/** Keeps the secret of a session that was opened, to go with every request. */
export const keepSession = (session: string): void => localStorage.setItem(PLACE, session);

/** Calls back when another window of this browser opened a session. */
export const onOtherSession = (then: () => void): void =>
  addEventListener('storage', ({ key }) => {
    if (key === PLACE) then();
  });
