import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the test's own making: its status, and JSON or, where it is text, the bytes themselves. */
export interface Reshaped {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
}

/** What becomes of an answer that the service behind gave; undefined leaves it as it is. */
export type Reshape = (asked: { method: string; path: string }, plain: unknown) => Reshaped | undefined;

/** A service that answers what another one does, in other shapes. */
export interface ReshapingService {
  readonly url: string;
  /** May be changed at any time. */
  reshape: Reshape;
  /** The requests that came, as `PUT /api/v1/…`. */
  readonly asked: string[];
  close(): void;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts one before the service at this address. */
export async function startReshaping(target: string): Promise<ReshapingService> {
  const asked: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await textOf(incoming);
    asked.push(`${method} ${path}`);
    const onward = request(new URL(path, target), { method, headers }, async (answer) => {
      const text = await textOf(answer);
      const other = service.reshape({ method, path }, text === '' ? undefined : jsonOf(text));
      const { status = answer.statusCode ?? 502, json } = other ?? {};
      const shown = other === undefined ? text : (other.text ?? JSON.stringify(json));
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(shown);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: ReshapingService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reshape: () => undefined,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
