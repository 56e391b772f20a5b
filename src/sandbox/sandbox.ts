import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import { EXIT, StopError } from '../errors.ts';
import { shapeWords } from '../schema/shape-words.ts';
import type { Settings } from './admin.ts';
import { markComplete, openDatabase, unusable } from './database.ts';
import { checkHandlers } from './dispatch.ts';
import { createFaultPicker } from './faults.ts';
import { handlers } from './handlers/handlers.ts';
import { openStore } from './open-store.ts';
import {
  DEFAULT_DIALECT,
  dialectChanges,
  faultChanges,
  merged,
  NO_FAULTS,
  type RunningSandbox,
  type SandboxOptions,
} from './options.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRequestLog } from './request-log.ts';
import { createRouter } from './router.ts';
import { COMPANY } from './seed/company.ts';
import { plantCompany } from './seed/plant.ts';
import { type Site, serveRequest } from './serve-request.ts';
import type { Store } from './store.ts';
import { createTokenCheck, randomToken } from './token.ts';

function openRecords({ data = ':memory:', extraPackages = 0 }: SandboxOptions): Store {
  const { database, fresh } = openDatabase(data);
  const store = openStore(database);
  try {
    if (fresh) {
      plantCompany(store, extraPackages);
      markComplete(database);
    }
    return store;
  } catch (cause) {
    store.close();
    throw unusable(data, cause);
  }
}

/** Throws StopError (usage) that names the setting which makes no sense. */
function changed<Whole extends object>(schema: z.ZodType, whole: Whole, changes: object): Whole {
  const result = schema.safeParse(changes, { reportInput: true });
  if (result.success) return merged(whole, changes);
  const { en, nl } = shapeWords(result.error);
  throw new StopError(EXIT.usage, {
    en: `The sandbox cannot be set so: ${en}.`,
    nl: `De oefendienst kan niet zo worden ingesteld: ${nl}.`,
  });
}

function build(options: SandboxOptions, store: Store, token: string): Site {
  const { endpoints, lookups, seed = 1, pageSize = 100 } = options;
  const settings: Settings = {
    dialect: changed(dialectChanges, DEFAULT_DIALECT, options.dialect ?? {}),
    faults: changed(faultChanges, NO_FAULTS, options.faults ?? {}),
  };
  return {
    settings,
    store,
    handlers,
    service: { store, company: COMPANY, dialect: () => settings.dialect, pageSize },
    authenticated: createTokenCheck(token),
    route: createRouter([...endpoints, ...lookups]),
    log: createRequestLog(options.log),
    pickFault: createFaultPicker(seed),
    rateLimit: createRateLimit(),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((listening, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const { code } = cause;
      const text =
        code === 'EADDRINUSE'
          ? { en: `Port ${port} is taken.`, nl: `Poort ${port} is bezet.` }
          : {
              en: `Port ${port} cannot be used (${code}).`,
              nl: `Poort ${port} kan niet worden gebruikt (${code}).`,
            };
      const next = {
        en: 'Give another one with --port, or none for a free one.',
        nl: 'Geef een andere met --port, of geen voor een vrije.',
      };
      fail(new StopError(EXIT.usage, text, { next, cause }));
    });
    // Loopback only: the seeded company is made up, but what people import need not be.
    server.listen(port, '127.0.0.1', listening);
  });
  return (server.address() as AddressInfo).port;
}

/** Lets requests in flight finish; a client that keeps one open longer than `patience` ms is cut off. */
async function stop(server: Server, patience = 5000): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  // A kept-alive connection falls idle when its answer has gone out, and would otherwise hold the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  const cutOff = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}

/**
 * Starts the whole service on 127.0.0.1, in this process's own event loop. The endpoint table is handed in: its
 * schemas check the bodies. Throws StopError (usage) when the port is taken or the data file cannot be used.
 */
export async function createSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  checkHandlers([...options.endpoints, ...options.lookups], handlers);
  const store = openRecords(options);
  const token = options.token ?? randomToken();
  const site = build(options, store, token);
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void serveRequest(request, response, site);
  });
  try {
    const port = await listen(server, options.port ?? 0);
    return {
      url: `http://127.0.0.1:${port}`,
      token,
      close: async () => {
        await stop(server);
        store.close();
      },
    };
  } catch (cause) {
    store.close();
    throw cause;
  }
}
