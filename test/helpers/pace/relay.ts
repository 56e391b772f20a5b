import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can be cut, or go silent. */
export async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (chunk) => void to.write(chunk));
      if (isSilent) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    by: (address: string): string => address.replace(`:${port}/`, `:${own}/`),
    /** Breaks all connections, and makes no new ones. */
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    /** Lets nothing through, without a word. */
    hush(): void {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    /** All goes through again. */
    restore(): void {
      isCut = false;
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    async stop(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
