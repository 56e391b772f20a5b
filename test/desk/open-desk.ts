import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request as rawRequest } from 'node:http';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Language } from '../../src/core/language.ts';
import { type AnswerOf, type Job, SESSION_HEADER } from '../../src/desk/contract/answers.ts';
import type { RouteName } from '../../src/desk/contract/asked.ts';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import type { ProgramOptions } from '../../src/options/options.ts';
import type { SandboxSettings } from '../../src/sandbox/options.ts';
import { openGatedService, openTestService, type TestService } from '../helpers/test-service.ts';

/** A desk on a sandbox, and a browser's part of it. */
export interface TestDesk extends ReturnType<typeof askingOf> {
  readonly service: TestService;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly port: number;
  /** The secret of its session. */
  readonly session: string;
  /** What the page sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The key that opens it next. */
  key(): string;
  /** Every address that was told after the first. */
  readonly told: readonly string[];
  close(): Promise<void>;
  /** Stops it and starts it anew with the same files, as after the end of the program. */
  again(): Promise<TestDesk>;
}

/** Brings a text as a file; answers what is asked of its draft. */
export async function draftOn(desk: TestDesk, name: string, lines: readonly string[]) {
  const file = join(desk.service.folder, name);
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  const draft = await desk.bring(file);
  const ask = <R extends RouteName>(route: R, asking: object = {}) =>
    desk.ask(route, { ...paramsOf(draft), ...asking });
  const [sheet = ''] = name.split('.');
  return {
    ...{ draft, ask, planned: () => desk.planned(draft) },
    look: (row: number) => desk.look(draft, { sheet, row }),
    /** Corrects a cell; answers what is offered, and the row as it is from then on. */
    correct: async (row: number, column: number | undefined, text: string | null) => {
      const { offer } = await ask('correct', { corrections: [{ sheet, row, column, text }] });
      return { offer, row: (await desk.look(draft, { sheet, row })).row };
    },
    /** Sends what is planned, and waits for its end. */
    async send() {
      const { run, deletes } = await desk.plan(draft);
      return { run, job: await desk.ended((await ask('send', { deletes })).job) };
    },
  };
}

/** Starts a desk on a sandbox of its own for one test, with an open session. */
export async function openDesk(
  settings: SandboxSettings = {},
  options: ProgramOptions = {},
): Promise<TestDesk> {
  return await deskOn(await openTestService(settings), options);
}

/** The same, and it reaches the service through a gate. */
export async function openGatedDesk(options: ProgramOptions = {}) {
  const service = await openGatedService();
  return { desk: await deskOn(service, options), gate: service.gate };
}

/** Starts a desk on a service, with an open session. */
async function deskOn(service: TestService, options: ProgramOptions = {}): Promise<TestDesk> {
  const told: string[] = [];
  if (process.env.CATERSHEET_HOME === undefined) {
    // What is saved of a service goes nowhere else either.
    process.env.CATERSHEET_HOME = service.folder;
    onTestFinished(() => {
      delete process.env.CATERSHEET_HOME;
    });
  }
  const own = { baseUrl: service.url, token: service.token, lang: 'en', doubt: 2 } as const;
  const files = { ledger: join(service.folder, 'ledger.db'), log: join(service.folder, 'log') };
  const desk = await startDesk(
    { ...own, ...files, ...options },
    {
      ...{ port: 0, folder: join(service.folder, 'desk') },
      onAddress: (address) => told.push(address),
    },
  );
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await desk.close();
    isOpen = false;
  };
  onTestFinished(close);
  const key = (): string => new URL(desk.address()).hash.replace('#key=', '');
  const { origin, port, session } = await openSessionAt(desk.address());
  const ask = askingOf(origin, session);
  return {
    ...{ service, origin, port: Number(port), session, headers: pageHeaders(origin, session) },
    ...{ key, told, close, ...ask },
    again: async () => {
      await close();
      return await deskOn(service, options);
    },
  };
}

/** Opens a session with the key of an address, as the page does. */
export async function openSessionAt(
  address: string,
  language?: Language,
): Promise<{ readonly origin: string; readonly port: string; readonly session: string }> {
  const { origin, port, hash } = new URL(address);
  const exchanged = await fetch(`${origin}/api/exchangeKey`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ key: hash.replace('#key=', ''), language }),
  });
  const { session } = (await exchanged.json()) as { session: string };
  return { origin, port, session };
}

/** What a page sends of itself with every request, and a browser with those that change something. */
const pageHeaders = (origin: string, session: string): Record<string, string> => ({
  origin,
  [SESSION_HEADER]: session,
});

/** The run of the last plan of each file that was brought, by its id. */
const PLANS = new Map<string, string>();

/** What names a file and its plan. */
export const paramsOf = (file: string) => ({ file, run: PLANS.get(file) ?? 'none' });

/** What a test asks of a desk as its page would. */
export function askingOf(origin: string, session: string) {
  const headers = pageHeaders(origin, session);
  const asked = async (route: RouteName, asking: object = {}): Promise<Response> => {
    return await fetch(`${origin}/api/${route}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(asking),
    });
  };
  const bringBytes = (name: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${origin}/api/addFile?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body });
  const ask = async <R extends RouteName>(route: R, asking?: object): Promise<AnswerOf<R>> =>
    await answered(route, await asked(route, asking));
  const answered = async <R extends RouteName>(route: R, response: Response): Promise<AnswerOf<R>> => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
    return JSON.parse(text) as AnswerOf<R>;
  };
  /** Waits for a job to end. */
  const ended = async ({ id }: Job): Promise<Job> => {
    for (;;) {
      const { jobs } = await ask('news', { since: 0 });
      const job = jobs.find((one) => one.id === id);
      if (job?.endedAt != null) return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /** The plan of a file, with what is known of it. Throws where there is none. */
  const plan = async (draft: string) => {
    const answer = await ask('run', paramsOf(draft));
    if (answer.plan === null) throw new Error('no plan');
    return { ...answer, ...answer.plan, run: answer.run.run, of: answer.run };
  };
  return {
    /** Asks a route as the page does. Throws where it is refused. */
    ask,
    plan,
    /** The rows of a file's plan. */
    rows: async (draft: string, wish: object = {}) => await ask('rows', { ...paramsOf(draft), ...wish }),
    /** One of them with its cells. */
    look: async (draft: string, place: object) => await ask('row', { ...paramsOf(draft), ...place }),
    ended,
    /** The same without looking at the answer. */
    fetch: asked,
    /** Brings a file, by its path. */
    bring: async (file: string, name = basename(file)) =>
      (await answered('addFile', await bringBytes(name, new Uint8Array(await readFile(file))))).source,
    bringBytes,
    /** Plans a file, in the place of the plan that it has, and waits for it. */
    planned: async (draft: string) => {
      const job = await ended((await ask('makePlan', { file: draft })).job);
      if (job.state === 'done' && job.run !== null) PLANS.set(draft, job.run);
      return job;
    },
  };
}

/** What a request answers that no browser would send: with any headers, Host and Origin among them. */
export async function rawAnswer(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly text: string }> {
  return await new Promise((resolve, reject) => {
    const asked = rawRequest({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
