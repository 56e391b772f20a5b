import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT, StopError } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { dialectSchema, faultsSchema, type RunningSandbox, type SandboxSettings } from './options.ts';
import { plantCompany } from './seed.ts';
import { createListener } from './serve-request.ts';
import { openStore } from './store.ts';

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
  const { data = ':memory:', dialect = {}, faults = {}, pageSize = 100, port = 0 } = options;
  const settings = { dialect: dialectSchema.parse(dialect), faults: faultsSchema.parse(faults), pageSize };
  const token = options.token ?? randomBytes(24).toString('base64url');
  const store = openStore(data, plantCompany);
  const server = createServer({ keepAliveTimeout: 60_000 }, createListener(settings, store, token));
  try {
    const url = `http://127.0.0.1:${await listen(server, port)}`;
    const close = async (): Promise<void> => {
      await stop(server);
      store.close();
    };
    return { url, token, close };
  } catch (cause) {
    store.close();
    throw cause;
  }
}
