import { statSync } from 'node:fs';
import { openLedger } from '../ledger/sqlite-ledger.ts';
import type { Context, Progress } from '../pipeline/context.ts';
import { resources } from '../resources/registry.ts';
import { openService } from '../service/service.ts';
import { startSandbox } from '../start-sandbox.ts';
import { openLog } from './log.ts';
import { resolveSettings, type SessionOptions, type Settings } from './settings.ts';
import { readToken } from './token.ts';

/** Everything a command works with, opened; to be closed again. */
export interface Session {
  readonly context: Context;
  readonly settings: Settings;
  /** True when the embedded sandbox serves. */
  readonly embedded: boolean;
  readonly logFile: string;
  close(): Promise<void>;
}

/** How a caller follows a session and ends it. */
export interface SessionHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

interface Address {
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Opens the service (or the embedded sandbox when none is named), the ledger and the log.
 * Throws StopError with EXIT.usage for settings that cannot be used.
 */
export async function openSession(options: SessionOptions, hooks: SessionHooks = {}): Promise<Session> {
  const settings = resolveSettings(options);
  const clock = (): Date => new Date();
  const address = await findService(settings);
  const { log, file, close } = openLog({
    ...settings,
    file: settings.logFile,
    folder: settings.logFolder,
    clock,
  });
  const service = openService({ ...settings, ...address, log, signal: hooks.signal });
  const ledger = openLedger(settings.ledger);
  const { concurrency, dialect } = settings;
  return {
    settings,
    embedded: settings.baseUrl === null,
    logFile: file,
    context: {
      service,
      serviceName: settings.baseUrl ?? 'sandbox',
      serviceKey: settings.baseUrl === null ? sandboxKey(settings.sandboxData) : service.baseUrl,
      ledger,
      resources,
      dialect,
      concurrency,
      log,
      clock,
      ...hooks,
    },
    async close() {
      await service.close();
      await ledger.close();
      await address.close();
      await close();
    },
  };
}

async function findService(settings: Settings): Promise<Address> {
  const { baseUrl, token, tokenFile } = settings;
  if (baseUrl !== null) {
    return {
      baseUrl,
      token: token ?? readToken(tokenFile, process.env),
      close: async () => {},
    };
  }
  const sandbox = await startSandbox({ data: settings.sandboxData });
  return {
    baseUrl: sandbox.url,
    token: sandbox.token,
    close: () => sandbox.close(),
  };
}

/** The embedded sandbox listens on another port each time; its file is what makes it the same service or a new one. */
function sandboxKey(file: string): string {
  const { ino, birthtimeMs } = statSync(file);
  return `sandbox ${ino}-${Math.floor(birthtimeMs)}`;
}
