import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';

/** What is answered to a request. */
export interface ServedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** One request: its path behind the version, its query, and its body, `{}` where it has none. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly body: Record<string, unknown>;
}

/** Where a service of one test is, with a folder, a ledger and a log for whoever works with it. */
export interface ServedPlace {
  readonly folder: string;
  readonly options: {
    readonly baseUrl: string;
    readonly token: string;
    readonly ledger: string;
    readonly log: string;
    readonly retries: number;
  };
}

/** Two that share a name, and one whose name looks like a number. */
const NAMES: readonly (readonly [id: number, name: string])[] = [
  [1, 'Buffet'],
  [3, 'Barbecue'],
  [5, 'Barbecue'],
  [7, '12'],
  [9, '=Hapjes; koud'],
];

/** The answer to a request for a list of names; undefined for any other path. */
export function answerOfNames(path: string): ServedAnswer | undefined {
  if (!/^(?:\w+\/all|dropdownvalue\/\d+)$/.test(path) || /^(?:event|ritten)\//.test(path)) return undefined;
  return { status: 200, body: NAMES.map(([id, naam]) => ({ id, naam })) };
}

/** Starts a service of JSON for one test. */
export async function serveJson(answerTo: (request: ServedRequest) => ServedAnswer): Promise<ServedPlace> {
  const folder = tempFolder();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const path = url.pathname.replace('/api/v1/', '');
    const answer = answerTo({ method: request.method ?? 'GET', path, url, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const own = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log` };
  return { folder, options: { baseUrl, token: 'sleutel', ...own, retries: 1 } };
}
