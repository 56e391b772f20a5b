import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pipeline } from './pipeline.ts';

/** Ports that no system gives out by itself: while it is refused, nobody else is to get the one it had. */
const [LOWEST, PORTS] = [20_000, 12_000];

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

/** The listening socket, which can go away for a while and come back on the same port. */
export class Listener {
  readonly #pipeline: Pipeline;
  #server: Server | undefined;
  #port = 0;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  /** The port that was given at the first start. */
  get port(): number {
    return this.#port;
  }

  /** Listens; after a stop on the same port as before. */
  async start(): Promise<void> {
    if (this.#server) return;
    const server = createServer((message, response) => this.#pipeline.take(message, response));
    this.#server = server;
    // An idle connection that Node closes at the wrong moment would be a failure that no knob chose.
    server.keepAliveTimeout = 120_000;
    for (let tries = 0; ; tries += 1) {
      try {
        await listen(server, this.#port || LOWEST + Math.floor(Math.random() * PORTS));
        break;
      } catch (error) {
        if (this.#port !== 0 || tries > 50) throw error;
      }
    }
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts off every open connection, so that new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
}
