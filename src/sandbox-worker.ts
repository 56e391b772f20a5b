import { parentPort, workerData } from 'node:worker_threads';
import { StopError } from './core/errors.ts';
import { endpoints, lookups } from './resources/endpoints.ts';
import type { SandboxSettings } from './sandbox/requests/options.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** The one message of the worker: where the service is, or why it did not start. */
export type WorkerMessage =
  | { readonly url: string; readonly token: string }
  | { readonly stop: Pick<StopError, 'exit' | 'texts'> };

async function serve(): Promise<WorkerMessage> {
  try {
    const settings = workerData as SandboxSettings;
    const { url, token, close } = await createSandbox({ ...settings, endpoints, lookups });
    parentPort?.once('message', async () => {
      await close();
      parentPort?.close();
    });
    return { url, token };
  } catch (reason) {
    if (!(reason instanceof StopError)) throw reason;
    const { exit, texts } = reason;
    return { stop: { exit, texts } };
  }
}

const message = await serve();
parentPort?.postMessage(message);
if ('stop' in message) parentPort?.close();
