import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { PATHS } from '../../../src/desk/contract/paths.ts';

/** What becomes of a request: taken and never answered, cut off, handed on, or refused with a status. */
type Fate = 'silent' | 'cut' | 'on' | number;

/** A server before the desk, whose answers a test holds back. */
export interface SlowServer {
  readonly origin: string;
  /** The next request of a route that has none yet gets this fate; resolves when it came. */
  next(route: keyof typeof PATHS, fate: Fate): Promise<void>;
  /** Cuts every stream of events that is open. */
  cutEvents(): void;
}

/** Starts a server on a port of its own that hands everything on to a desk, for one test. */
export async function slowServer(port: number): Promise<SlowServer> {
  const fates = new Map<string, { fate: Fate; came: () => void }[]>();
  const streams = new Set<ServerResponse>();
  const server = createServer((asked, answer) => {
    const { method = 'GET', url = '/' } = asked;
    const route = `${method} ${url.split('?')[0]}`;
    const set = fates.get(route)?.shift();
    set?.came();
    if (set?.fate === 'silent') return;
    if (set?.fate === 'cut') {
      answer.destroy();
      return;
    }
    if (typeof set?.fate === 'number') {
      answer.writeHead(set.fate, { 'content-type': 'application/json' }).end('{"message":"no"}');
      return;
    }
    const headers = { ...asked.headers, host: `127.0.0.1:${port}` };
    if (headers.origin !== undefined) headers.origin = `http://127.0.0.1:${port}`;
    const on = request({ host: '127.0.0.1', port, method, path: url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      answer.flushHeaders();
      got.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    if (route === PATHS.events) streams.add(answer);
    answer.on('close', () => {
      streams.delete(answer);
      on.destroy();
    });
    asked.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (route, fate) =>
      new Promise((came) => {
        const path = PATHS[route];
        fates.set(path, [...(fates.get(path) ?? []), { fate, came }]);
      }),
    cutEvents: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}
