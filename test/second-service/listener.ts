import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MemorySocket, refused } from './memory.ts';
import type { Pipeline } from './pipeline.ts';

/** Ports that no system gives out by itself: while it is refused, nobody else is to get the one it had. */
const [LOWEST, PORTS] = [20_000, 12_000];
/** Where no service is found by a socket: nobody listens there. */
const NO_PORT = 2;
/** Of all services in memory. */
export const IN_MEMORY = `http://127.0.0.1:${NO_PORT}`;

/** Is given a connection, or why there is none. */
export type Connected = (...made: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });

/** How the service is run: on a port of this machine, or in memory alone. */
export interface ListenerOptions {
  readonly inMemory: boolean;
  /** Is told of bytes that arrive in memory. */
  readonly moved: () => void;
}

/** The listening socket, which can go away for a while and come back on the same port. */
export class Listener {
  readonly #pipeline: Pipeline;
  readonly #options: ListenerOptions;
  readonly #inMemory = new Set<MemorySocket>();
  #server: Server | undefined;
  #port = 0;

  constructor(pipeline: Pipeline, options: ListenerOptions) {
    this.#pipeline = pipeline;
    this.#options = options;
    if (options.inMemory) this.#port = NO_PORT;
  }

  get isInMemory(): boolean {
    return this.#options.inMemory;
  }

  /** The port that was given at the first start. */
  get port(): number {
    return this.#port;
  }

  /** Serves, and listens where it is not in memory; after a stop on the same port as before. */
  async start(): Promise<void> {
    if (this.#server) return;
    const server = this.serve();
    if (this.#options.inMemory) return;
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

  /** Takes connections in memory from now on. */
  serve(): Server {
    const server = createServer((message, response) => this.#pipeline.take(message, response));
    // An idle connection that Node closes at the wrong moment would be a failure that no knob chose.
    server.keepAliveTimeout = 120_000;
    this.#server = server;
    return server;
  }

  /** Makes a connection in memory. */
  connect(connected: Connected): void {
    process.nextTick(() => {
      if (!this.#server) return connected(refused('ECONNREFUSED', 'connect'), null);
      const [client, own] = MemorySocket.pair(this.#options.moved);
      this.#inMemory.add(own);
      own.once('close', () => this.#inMemory.delete(own));
      this.#server.emit('connection', own);
      connected(null, client as unknown as Socket);
    });
  }

  /** Stops listening and cuts off every open connection, so that new ones are refused. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    for (const own of this.#inMemory) own.destroy();
    if (this.#options.inMemory) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
}
