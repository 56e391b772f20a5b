import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request on its way to the service. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What the proxy answers itself; undefined lets the request through. */
export type Intercept = (passing: Passing) => { readonly status: number; readonly body: object } | undefined;

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A service in front of the service, which answers some requests as a test says; ends with the test. */
export async function openProxy(target: string, intercept: Intercept): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await bodyOf(incoming);
    const own = intercept({ method, path, body });
    if (own !== undefined) {
      outgoing.writeHead(own.status, { 'content-type': 'application/json' }).end(JSON.stringify(own.body));
      return;
    }
    const onward = request(new URL(path, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // What the service breaks off, its caller sees broken off.
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
