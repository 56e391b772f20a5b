import { parentPort } from 'node:worker_threads';
import { StopError } from './core/errors.ts';
import type { RunningSandbox, SandboxSettings } from './sandbox/requests/options.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** What the thread is asked and answers, by the id of a sandbox. */
export interface ThreadMessages {
  /** A sandbox with these settings; without settings the end of that of this id. */
  readonly asked: { readonly id: number; readonly settings?: SandboxSettings };
  /** Where the service is, why it did not start, or that it has ended. */
  readonly answered: { readonly id: number } & (
    | { readonly url: string; readonly token: string }
    | { readonly stop: Pick<StopError, 'exit' | 'texts'> }
    | { readonly closed: true }
  );
}

type Answered = ThreadMessages['answered'];

const sandboxes = new Map<number, RunningSandbox>();

async function start(id: number, settings: SandboxSettings): Promise<Answered> {
  try {
    const sandbox = await createSandbox(settings);
    sandboxes.set(id, sandbox);
    return { id, url: sandbox.url, token: sandbox.token };
  } catch (reason) {
    if (!(reason instanceof StopError)) throw reason;
    const { exit, texts } = reason;
    return { id, stop: { exit, texts } };
  }
}

async function close(id: number): Promise<Answered> {
  await sandboxes.get(id)?.close();
  sandboxes.delete(id);
  return { id, closed: true };
}

parentPort?.on('message', async ({ id, settings }: ThreadMessages['asked']) => {
  parentPort?.postMessage(settings === undefined ? await close(id) : await start(id, settings));
});
