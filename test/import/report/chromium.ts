import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { endGroup } from '../../helpers/programs.ts';

/** Chromium, where this machine has one; Debian names it so, others as Chrome. */
export const chromium = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find(existsSync);

type Message = Readonly<Record<string, unknown>>;

/** An answer to a command, or an event. */
interface Heard {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Message;
  readonly result?: Message;
  readonly error?: { readonly message: string };
}

/** A page in a browser of its own, driven through the DevTools protocol. */
export interface Page {
  /** One command of the protocol; rejects with the browser's own words. */
  send(method: string, params?: Message): Promise<Message>;
  /** What a script's expression comes to in the page, as plain data. */
  value<T>(expression: string): Promise<T>;
  open(url: string): Promise<void>;
  /** Types into what has the focus, as a keyboard does. */
  type(text: string): Promise<void>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** What the browser told meanwhile, by the name of the event. */
  readonly events: ReadonlyMap<string, readonly Message[]>;
  close(): Promise<void>;
}

/** Starts a headless Chromium with an empty page and a profile in a folder. */
export async function openPage(profile: string): Promise<Page> {
  const program = spawn(
    chromium ?? 'chromium',
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-extensions'],
      ...['--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    // A group of its own: what it begins writes to the profile too.
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
  const events = new Map<string, Message[]>();
  const call = talk(program, (method, params) => {
    events.set(method, [...(events.get(method) ?? []), params]);
  });
  const { targetInfos } = (await call('Target.getTargets')) as {
    targetInfos: { type: string; targetId: string }[];
  };
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  const send: Page['send'] = (method, params) => call(method, params, sessionId as string);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);
  return toPage(program, send, events);
}

function toPage(program: ChildProcess, send: Page['send'], events: Map<string, Message[]>): Page {
  const value = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      ...{ expression, returnByValue: true, awaitPromise: true },
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  };
  const until = async (expression: string): Promise<void> => {
    while (!(await value<boolean>(`Boolean(${expression})`))) await new Promise((go) => setTimeout(go, 10));
  };
  return {
    ...{ send, value, until, events },
    async open(url) {
      await send('Page.navigate', { url });
      await until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`);
    },
    async type(text) {
      for (const letter of text) await send('Input.dispatchKeyEvent', { type: 'char', text: letter });
    },
    close: () => endGroup(program),
  };
}

/** Commands and events are JSON, each ended by a NUL, on the pipes that the browser was given. */
function talk(
  { stdio }: ChildProcess,
  onEvent: (method: string, params: Message) => void,
): (method: string, params?: Message, sessionId?: string) => Promise<Message> {
  const [, , , commands, answers] = stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, { resolve: (value: Message) => void; reject: (error: Error) => void }>();
  let rest = '';
  answers.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      hear(JSON.parse(text) as Heard);
    }
  });
  const hear = ({ id, method, params = {}, result = {}, error }: Heard): void => {
    const asked = waiting.get(id ?? 0);
    if (id === undefined) onEvent(method ?? '', params);
    else waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error.message));
  };
  answers.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium ended'));
  });
  let last = 0;
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      const session = sessionId === undefined ? {} : { sessionId };
      commands.write(`${JSON.stringify({ id: last, method, params, ...session })}\0`);
    });
}
