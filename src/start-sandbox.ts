import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EXIT, StopError } from './core/errors.ts';
import { t } from './core/language.ts';
import type { RunningSandbox, SandboxSettings } from './sandbox/requests/options.ts';
import type { WorkerMessage } from './sandbox-worker.ts';

/** Node 20 runs no TypeScript in a worker: the sources use the worker that the build made. */
function workerFile(): URL {
  const built = import.meta.url.endsWith('.ts') ? '../dist/sandbox-worker.js' : './sandbox-worker.js';
  return new URL(built, import.meta.url);
}

/**
 * Starts the sandbox in a thread of its own, so that it doesn't compete with the caller for the event loop.
 * @throws StopError (usage) when the port is taken or the data file can't be used.
 */
export async function startSandbox(settings: SandboxSettings = {}): Promise<RunningSandbox> {
  const worker = new Worker(workerFile(), { workerData: settings });
  const ended = once(worker, 'exit');
  const [message] = (await Promise.race([once(worker, 'message'), ended])) as [WorkerMessage | number];
  if (typeof message === 'number')
    throw new StopError(
      EXIT.fault,
      t(
        'The embedded service ended before it was up.',
        'De ingebouwde proefomgeving stopte voordat ze draaide.',
      ),
    );
  if ('stop' in message) {
    const { exit, texts } = message.stop;
    await ended;
    throw new StopError(exit, texts.message, { next: texts.next });
  }
  return {
    ...message,
    close: async () => {
      worker.postMessage('close');
      await ended;
    },
  };
}
