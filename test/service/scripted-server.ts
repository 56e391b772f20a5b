import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** How the server behaves for one request; `received` is null for one that acts before the body is read. */
export type Behaviour = (response: ServerResponse, received: Received, socket: Socket) => void;

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** Connections that were made. */
  readonly connections: number;
  /** The behaviours of the next requests; the last one stays. */
  script(...behaviours: Behaviour[]): void;
  stop(): Promise<void>;
}

/** A real HTTP server on loopback that does as it is told, request by request. */
export async function startServer(...behaviours: Behaviour[]): Promise<ScriptedServer> {
  let script = behaviours;
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get connections() {
      return connections;
    },
    script(...next) {
      script = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
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
