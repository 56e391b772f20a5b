import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ServiceOptions } from '../../src/service/client-state.ts';
import { open } from './open.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** How the server behaves for one request; `received` is null for one that acts before the body is read. */
export type Behaviour = (response: ServerResponse, received: Received, socket: Socket) => void;

/** A real HTTP server on loopback for the tests of a file: it does as it is told, request by request, in each as `usual` first. */
export function useServer(...usual: Behaviour[]) {
  let script = usual;
  let connections = 0;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(chunks) };
    received.push(entry);
    const behaviour = script.length > 1 ? script.shift() : script[0];
    behaviour?.(response, entry, request.socket);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    script = usual;
    connections = 0;
    received.length = 0;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    /** The requests of this test. */
    received,
    baseUrl,
    connections: () => connections,
    /** The behaviours of the next requests; the last one stays. */
    script(...next: Behaviour[]) {
      script = next;
    },
    /** A service at its address, until the test is over. */
    open: (options?: Partial<ServiceOptions>) => open(baseUrl(), options),
  };
}

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

export const text =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

export const html = (title: string, status: number): Behaviour =>
  text(`<!DOCTYPE html><html><head><title>${title}</title></head><body>…</body></html>`, status);

/** The connection is reset once the request has been read. */
export const reset: Behaviour = (_response, _received, socket) => {
  socket.resetAndDestroy();
};

/** Half an answer, then a reset. */
export const cut: Behaviour = (response, _received, socket) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"ProductID": 5');
  setTimeout(() => socket.resetAndDestroy(), 5);
};

/** No answer at all. */
export const silence: Behaviour = () => {};
