import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Honest, Hostile } from './hostile.ts';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What becomes of a request: whether the true service gets it, and a hostile answer, if any. */
export interface Fate {
  readonly forward: boolean;
  readonly lie?: (honest: Honest) => Hostile;
}

/** One request and how it was answered. */
export interface Told extends Asked {
  readonly forwarded: boolean;
  /** What the true service said; null where it was not asked. */
  readonly honest: number | null;
  readonly lie: Pick<Hostile, 'name' | 'definite'> | null;
}

/** A service that stands before a true one, byte by byte, and answers what it likes. */
export async function startLiar(truth: string) {
  const { hostname, port } = new URL(truth);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const told: Told[] = [];
  const sockets = new Set<Socket>();
  let fate: (asked: Asked) => Fate = () => ({ forward: true });

  const ask = ({ method, path, headers, body }: Asked) =>
    new Promise<Honest>((resolve, reject) => {
      const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'connection'));
      const sent = request({ agent, hostname, port, method, path, headers: plain }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) });
      });
      sent.on('error', reject);
      sent.end(body);
    });

  const answer = async (socket: Socket, asked: Asked): Promise<void> => {
    const { forward, lie } = fate(asked);
    const honest = forward ? await ask(asked) : null;
    const hostile = lie?.(
      honest ?? { status: 200, body: Buffer.from('{"id":1,"ProductID":1,"success":true}') },
    );
    const shown = hostile === undefined ? null : { name: hostile.name, definite: hostile.definite };
    told.push({ ...asked, forwarded: forward, honest: honest?.status ?? null, lie: shown });
    if (hostile === undefined) {
      const { status, body } = honest as Honest;
      socket.write(
        `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      return;
    }
    for (const part of hostile.parts) {
      if (socket.destroyed) return;
      if (typeof part === 'number') await sleep(part);
      else socket.write(part);
    }
    if (hostile.end === 'close') socket.end();
    if (hostile.end === 'reset') socket.resetAndDestroy();
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let read = readRequest(bytes); read !== null; read = readRequest(bytes)) {
        bytes = bytes.subarray(read.length);
        answer(socket, read.asked).catch(() => socket.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The requests since the fate was decided last. */
    told,
    decide(next: (asked: Asked) => Fate) {
      for (const socket of sockets) socket.destroy();
      told.length = 0;
      fate = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequest(bytes: Buffer): { readonly asked: Asked; readonly length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return null;
  return { asked: { method, path, headers, body: bytes.subarray(end + 4, length) }, length };
}
