import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Value } from '../core/value.ts';
import { digestOf, type PackedRecords, type RecordState } from './export-snapshot.ts';

/** The values of a record, in the order of its sheet's columns. */
export type RecordContent = readonly Value[];

/** Records of a chunk. */
const LINES = 4000;

const nameOf = (key: string, state: RecordState): string => `${key}\t${digestOf(state)}`;

/** Keeps what records hold, deflated as they come, so that they are never all in memory as text. */
export class ContentPack {
  private readonly chunks: string[] = [];
  private readonly lines: string[] = [];

  add(key: string, state: RecordState, content: readonly unknown[]): void {
    if (this.lines.push(`${nameOf(key, state)}\t${JSON.stringify(content)}`) === LINES) this.pack();
  }

  packed(): PackedRecords {
    this.pack();
    return this.chunks;
  }

  private pack(): void {
    if (this.lines.length === 0) return;
    this.chunks.push(deflateRawSync(this.lines.splice(0).join('\n')).toString('base64'));
  }
}

/** What some records held, by key and state. */
export class FoundContents {
  private readonly contents = new Map<string, RecordContent>();

  /** Records are looked for in one pass; an export of an earlier version of this program kept none. */
  constructor(packed: PackedRecords | undefined, wanted: readonly (readonly [string, RecordState])[]) {
    const names = new Set(wanted.map(([key, state]) => nameOf(key, state)));
    if (names.size === 0) return;
    for (const chunk of packed ?? [])
      for (const line of inflateRawSync(Buffer.from(chunk, 'base64')).toString().split('\n')) {
        const end = line.indexOf('\t', line.indexOf('\t') + 1);
        const name = line.slice(0, end);
        if (names.has(name)) this.contents.set(name, JSON.parse(line.slice(end + 1)));
      }
  }

  find(key: string, state: RecordState): RecordContent | undefined {
    return this.contents.get(nameOf(key, state));
  }
}
