import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { endpoints, lookups } from '../resources/endpoints.ts';
import { createRateLimit } from './faults.ts';
import {
  dialectSchema,
  faultsSchema,
  type RunningSandbox,
  type SandboxSettings,
} from './requests/options.ts';
import { createRequestLog } from './requests/request-log.ts';
import { createRouter } from './requests/router.ts';
import { plantCompany } from './seed/plant.ts';
import { type Site, serveRequest } from './serve-request.ts';
import { markComplete, openSandboxDatabase, unusable } from './store/database.ts';
import { openStore, type Store } from './store/store.ts';

function openRecords({ data = ':memory:' }: SandboxSettings): Store {
  const { database, fresh } = openSandboxDatabase(data);
  const store = openStore(database);
  try {
    if (fresh) {
      plantCompany(store);
      markComplete(database);
    }
    return store;
  } catch (cause) {
    store.close();
    throw unusable(data, cause);
  }
}

function build(options: SandboxSettings, store: Store, token: string): Site {
  const { dialect = {}, faults = {} } = options;
  return {
    settings: { dialect: dialectSchema.parse(dialect), faults: faultsSchema.parse(faults) },
    store,
    pageSize: options.pageSize ?? 100,
    authenticated: createTokenCheck(token),
    route: createRouter([...endpoints, ...lookups]),
    log: createRequestLog(),
    rateLimit: createRateLimit(),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((listening, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const { code } = cause;
      const text =
        code === 'EADDRINUSE'
          ? t(`Port ${port} is taken.`, `Poort ${port} is bezet.`)
          : t(`Port ${port} cannot be used (${code}).`, `Poort ${port} kan niet worden gebruikt (${code}).`);
      const next = withFlag(
        t('Choose another one, or none for a free one.', 'Kies een andere, of geen voor een vrije.'),
        '--port',
      );
      fail(new StopError(EXIT.usage, text, { next, cause }));
    });
    // Loopback only: the seeded company is made up, but what people import need not be.
    server.listen(port, '127.0.0.1', listening);
  });
  return (server.address() as AddressInfo).port;
}

/** Lets requests in flight finish; one that takes longer than `patience` ms is cut off. */
async function stop(server: Server, patience = 5000): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  // A kept-alive connection is idle only when its answer has gone out, and would keep the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  const cutOff = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}

/**
 * Starts the service on 127.0.0.1; the schemas of the endpoint table check the bodies.
 * @throws StopError (usage) when the port is taken or the data file can't be used.
 */
export async function createSandbox(options: SandboxSettings): Promise<RunningSandbox> {
  const store = openRecords(options);
  const token = options.token ?? randomBytes(24).toString('base64url');
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

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an Authorization header holds the token, in constant time. */
function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (authorization = '') => timingSafeEqual(digest(authorization), expected);
}
