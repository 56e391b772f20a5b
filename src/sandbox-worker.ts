import { parentPort } from 'node:worker_threads';
import { StopError } from './core/errors.ts';
import { endpoints, lookups } from './resources/endpoints.ts';
import type { RunningSandbox, SandboxSettings } from './sandbox/requests/options.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** What the thread is asked: a sandbox with these settings, or the end of that of this id. */
export interface ToSandboxes {
  readonly id: number;
  readonly settings?: SandboxSettings;
}

/** Its answer: where the service is, why it did not start, or that it has ended. */
export type WorkerMessage = { readonly id: number } & (
  | { readonly url: string; readonly token: string }
  | { readonly stop: Pick<StopError, 'exit' | 'texts'> }
  | { readonly closed: true }
);

const sandboxes = new Map<number, RunningSandbox>();

async function start(id: number, settings: SandboxSettings): Promise<WorkerMessage> {
  try {
    const sandbox = await createSandbox({ ...settings, endpoints, lookups });
    sandboxes.set(id, sandbox);
    return { id, url: sandbox.url, token: sandbox.token };
  } catch (reason) {
    if (!(reason instanceof StopError)) throw reason;
    const { exit, texts } = reason;
    return { id, stop: { exit, texts } };
  }
}

async function close(id: number): Promise<WorkerMessage> {
  await sandboxes.get(id)?.close();
  sandboxes.delete(id);
  return { id, closed: true };
}

parentPort?.on('message', async ({ id, settings }: ToSandboxes) => {
  parentPort?.postMessage(settings === undefined ? await close(id) : await start(id, settings));
});
