import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The same service by another address, as behind a proxy, for as long as a test lasts. */
export async function otherAddress(url: string): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const { hostname, port } = new URL(url);
    const through = connect(Number(port), hostname);
    for (const one of [client, through]) {
      open.add(one);
      one.on('error', () => one.destroy());
    }
    client.pipe(through).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const one of open) one.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}
