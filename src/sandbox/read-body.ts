import type { IncomingMessage } from 'node:http';

/** The largest body that is read, in bytes: documents go along with uploads. */
const LARGEST = 32 * 1024 * 1024;

/** The whole body; null when it is too large. Throws when the client goes away. */
export async function readRequestBody(request: IncomingMessage): Promise<Buffer | null> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > LARGEST) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not close the connection: the refusal still has to go out.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
