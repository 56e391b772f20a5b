import { Duplex } from 'node:stream';

/**
 * One end of a connection within this process. It does what a socket does for those who hold it: bytes in
 * order, a wait for who reads slowly, an end (FIN) and a reset (RST).
 */
export class MemorySocket extends Duplex {
  #other: MemorySocket | undefined;
  readonly #moved: () => void;
  /** Ends the other end's write, which waits until this one is read. */
  #goOn: ((error?: Error) => void) | undefined;
  #isReset = false;
  #isEnded = false;

  private constructor(moved: () => void, allowHalfOpen: boolean) {
    super({ allowHalfOpen });
    this.#moved = moved;
  }

  /** Both ends, the client's first; `moved` is told of all that goes from one to the other. */
  static pair(moved: () => void = () => {}): [client: MemorySocket, server: MemorySocket] {
    const [client, server] = [new MemorySocket(moved, false), new MemorySocket(moved, true)];
    client.#other = server;
    server.#other = client;
    return [client, server];
  }

  /** Cuts the connection off: what was not read of it is lost, and the other end hears of it as an error. */
  resetAndDestroy(): this {
    this.#isReset = true;
    return this.destroy();
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error) => void): void {
    this.#send(done, (other) => {
      if (other.push(chunk)) done();
      else other.#goOn = done;
    });
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this._write(Buffer.concat(parts.map(({ chunk }) => chunk)), '', done);
  }

  override _read(): void {
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  }

  override _final(done: (error?: Error) => void): void {
    // Nobody has to be there to hear that nothing more comes.
    this.#send(
      () => done(),
      (other) => {
        other.#finish();
        done();
      },
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const [other, isReset] = [this.#end(), this.#isReset];
    this.#goOn?.(refused('EPIPE', 'write'));
    process.nextTick(() => {
      this.#moved();
      if (other.destroyed) return;
      if (isReset) other.destroy(refused('ECONNRESET', 'read'));
      else other.#finish();
    });
    done(error);
  }

  /** Nothing more comes. */
  #finish(): void {
    if (!this.#isEnded) this.push(null);
    this.#isEnded = true;
  }

  #end(): MemorySocket {
    if (this.#other === undefined) throw new Error('A connection has two ends.');
    return this.#other;
  }

  /** Bytes arrive after whoever sent them has gone on, as everywhere. */
  #send(done: (error?: Error) => void, arrive: (other: MemorySocket) => void): void {
    const other = this.#end();
    process.nextTick(() => {
      this.#moved();
      if (other.destroyed) done(refused('EPIPE', 'write'));
      else arrive(other);
    });
  }
}

/** The error of a connection that is not there, or not any more, as the system gives it. */
export const refused = (code: 'ECONNRESET' | 'ECONNREFUSED' | 'EPIPE', call: string): Error =>
  Object.assign(new Error(`${call} ${code}`), { code, syscall: call });
