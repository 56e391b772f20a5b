import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pipeline } from './pipeline.ts';

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
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
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
