import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type { Honest, Hostile } from './hostile.ts';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
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

const INVENTED: Honest = { status: 200, body: Buffer.from('{"id":1,"ProductID":1,"success":true}') };

const plainly = ({ status, body }: Honest): Pick<Hostile, 'parts' | 'end'> => ({
  parts: [
    Buffer.from(
      `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    ),
    body,
  ],
  end: 'keep',
});

/** A service that stands before a true one, and answers what it likes, byte by byte. */
export async function startLiar(truth: string) {
  const pool = new Pool(new URL(truth).origin, { connections: 8 });
  const told: Told[] = [];
  const sockets = new Set<Socket>();
  let fate: (asked: Asked) => Fate = () => ({ forward: true });

  const answer = async (socket: Socket, asked: Asked, headers: Record<string, string>): Promise<void> => {
    const { forward, lie } = fate(asked);
    let honest: Honest | undefined;
    if (forward) {
      const { method, path, body } = asked;
      const said = await pool.request({ method: method as Dispatcher.HttpMethod, path, headers, body });
      honest = { status: said.statusCode, body: Buffer.from(await said.body.arrayBuffer()) };
    }
    const hostile = lie?.(honest ?? INVENTED);
    const shown = hostile ? { name: hostile.name, definite: hostile.definite } : null;
    told.push({ ...asked, forwarded: forward, honest: honest?.status ?? null, lie: shown });
    const { parts, end } = hostile ?? plainly(honest ?? INVENTED);
    for (const part of parts) {
      if (socket.destroyed) return;
      if (typeof part === 'number') await sleep(part);
      else socket.write(part);
    }
    if (end === 'close') socket.end();
    if (end === 'reset') socket.resetAndDestroy();
  };

  const server = createServer(async (message) => {
    const { method = '', url: path = '', socket, headers } = message;
    const { authorization = '', 'content-type': type = '' } = headers;
    try {
      await answer(
        socket,
        { method, path, body: await buffer(message) },
        { authorization, 'content-type': type },
      );
    } catch {
      socket.destroy();
    }
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
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
      await pool.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
