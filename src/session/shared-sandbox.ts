import type { RunningSandbox } from '../sandbox/options.ts';

/** The embedded sandbox, as one of its users has it. */
interface SharedSandbox {
  readonly url: string;
  readonly token: string;
  /** Ends this use of it; the last one ends the sandbox. */
  close(): Promise<void>;
}

interface Kept {
  users: number;
  readonly starting: Promise<RunningSandbox>;
}

/** Most commands need no sandbox: it is loaded where one does. */
const start = async (data: string): Promise<RunningSandbox> =>
  (await import('../sandbox/sandbox.ts')).createSandbox({ data });

/** The sandboxes that serve in this process, by their file. */
const serving = new Map<string, Kept>();
/** Those that are ending: their file is theirs until then. */
const ending = new Map<string, Promise<void>>();

/**
 * Opens the sandbox with this file, or the one that serves it in this process already: the page has a
 * session open for corrections while another sends. Throws StopError where another process has the file.
 */
export async function shareSandbox(data: string): Promise<SharedSandbox> {
  while (ending.has(data)) await ending.get(data)?.catch(() => {});
  const kept = serving.get(data) ?? { users: 0, starting: start(data) };
  serving.set(data, kept);
  kept.users += 1;
  try {
    const { url, token } = await kept.starting;
    return { url, token, close: () => leave(data, kept) };
  } catch (error) {
    if (serving.get(data) === kept) serving.delete(data);
    throw error;
  }
}

async function leave(data: string, kept: Kept): Promise<void> {
  kept.users -= 1;
  if (kept.users > 0) return;
  serving.delete(data);
  const end = kept.starting.then((sandbox) => sandbox.close());
  ending.set(data, end);
  await end.finally(() => ending.delete(data));
}
