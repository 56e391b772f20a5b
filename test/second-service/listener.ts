import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MemorySocket, refused } from './memory.ts';
import type { Pipeline } from './pipeline.ts';

/** Where no service is found by a socket: nobody listens there. */
const NO_PORT = 2;
/** Of all services in memory. */
export const IN_MEMORY = `http://127.0.0.1:${NO_PORT}`;

/** Is given a connection, or why there is none. */
export type Connected = (...made: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** How the service is run: on a port of this machine, or in memory alone. */
export interface ListenerOptions {
  readonly inMemory: boolean;
  /** Is told of bytes that arrive in memory. */
  readonly moved: () => void;
}

/** What takes connections, until it is stopped. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #inMemory = new Set<MemorySocket>();
  readonly #server: Server;
  #port = NO_PORT;
  #isStopped = false;

  constructor(pipeline: Pipeline, options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer((message, response) => pipeline.take(message, response));
    // An idle connection that Node closes at the wrong moment would be a failure that no knob chose.
    this.#server.keepAliveTimeout = 120_000;
  }

  get isInMemory(): boolean {
    return this.#options.inMemory;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens on a free port. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Makes a connection in memory. */
  connect(connected: Connected): void {
    process.nextTick(() => {
      if (this.#isStopped) return connected(refused('ECONNREFUSED', 'connect'), null);
      const [client, own] = MemorySocket.pair(this.#options.moved);
      this.#inMemory.add(own);
      own.once('close', () => this.#inMemory.delete(own));
      this.#server.emit('connection', own);
      connected(null, client as unknown as Socket);
    });
  }

  /** Cuts off every open connection; new ones are refused. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const own of this.#inMemory) own.destroy();
    if (this.isInMemory) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
