import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Reply } from './reply.ts';

type WholeReply = Exclude<Reply, { kind: 'stream' }>;

function bytesOf(reply: WholeReply): { bytes: Uint8Array; type: string } {
  if (reply.kind === 'bytes') return reply;
  return { bytes: Buffer.from(JSON.stringify(reply.body)), type: 'application/json' };
}

/** Sends an answer; resolves when it has been handed to the connection. */
export async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.kind === 'stream') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    await pipeline(Readable.from(reply.chunks), response);
    return;
  }
  const { bytes, type } = bytesOf(reply);
  response.writeHead(reply.status, {
    'content-type': type,
    'content-length': bytes.length,
    ...reply.headers,
  });
  response.end(bytes);
}

/** Announces the whole answer, sends half of it and closes the connection. */
export async function sendHalf(response: ServerResponse, reply: Reply): Promise<void> {
  const text = reply.kind === 'stream' ? [...reply.chunks].join('') : bytesOf(reply).bytes;
  const bytes = Buffer.from(text as string);
  const type = reply.kind === 'bytes' ? reply.type : 'application/json';
  response.writeHead(reply.status, { 'content-type': type, 'content-length': bytes.length });
  await new Promise((sent) => response.write(bytes.subarray(0, bytes.length / 2), sent));
  response.destroy();
}
