import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PRIVATE, temporaryBeside } from '../../files/write-aside.ts';
import type { ZipRecord } from './read-zip.ts';
import { type WrittenEntry, ZipWriter } from './write-zip.ts';

/** Bytes that may wait to be packed. */
const WAITING = 1 << 20;

/**
 * A part that is packed into a temporary file until its turn: sheets are filled side by side, and files in a
 * zip stand one after the other. Memory holds a chunk.
 */
export class SpooledPart {
  private readonly file: string;
  private readonly target: WriteStream;
  private readonly chunks = new PassThrough({ highWaterMark: WAITING });
  private readonly packing: Promise<WrittenEntry>;
  private first: Buffer = Buffer.alloc(0);

  /** `place` is the file that is being written, beside which the temporary file is made. */
  constructor(place: string, record: ZipRecord) {
    this.file = temporaryBeside(place);
    this.target = createWriteStream(this.file, { flags: 'wx', mode: PRIVATE });
    // The writer learns of a failure, as it ends the packing.
    this.chunks.on('error', () => {});
    const failed = once(this.target, 'error').then(([cause]) => Promise.reject(cause));
    this.packing = Promise.race([new ZipWriter(this.target).add(record, this.chunks, 0), failed]);
    this.packing.catch(() => this.chunks.destroy());
  }

  /** Throws the error of the disk. */
  async write(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.chunks.destroyed) await this.packing;
      if (!this.chunks.write(chunk)) await Promise.race([once(this.chunks, 'drain'), this.packing]);
    }
  }

  /** Puts bytes before all that was written: what is only known at the end. */
  putFirst(bytes: Buffer): void {
    this.first = bytes;
  }

  /** Ends the part and copies it into the zip under a name. Throws the error of the disk. */
  async copyTo(zip: ZipWriter, name: string, place: number): Promise<void> {
    this.chunks.end();
    const entry = await this.packing;
    this.target.end();
    await finished(this.target);
    const handle = await open(this.file);
    try {
      const record = { ...entry.record, nameRaw: Buffer.from(name) };
      await zip.copy(handle, { ...entry, record }, place, this.first);
    } finally {
      await handle.close();
    }
  }

  /** Removes the temporary file. */
  async remove(): Promise<void> {
    this.chunks.destroy();
    this.target.destroy();
    await this.packing.catch(() => {});
    await finished(this.target).catch(() => {});
    await rm(this.file, { force: true });
  }
}
