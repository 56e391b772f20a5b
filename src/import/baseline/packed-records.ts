import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type BaselineRecord, decodeBaselineRecord } from '../../files/baseline-sheet.ts';
import { HashIndex, hashOf } from '../../ledger/hash-index.ts';

/** Records packed together: finding one unpacks its neighbours. */
const PIECE = 16;
/** Unpacked pieces that are kept, for rows in the order of the file. */
const KEPT = 64;
/** Neighbours repeat each other's names and texts: the least effort does. */
const LITTLE = { level: 1 } as const;
/** Neither stands in JSON unescaped. */
const [BETWEEN_CELLS, BETWEEN_RECORDS] = ['\t', '\n'];

/** Baseline records by resource and key, packed: 100,000 of 2 KB each take some tens of MB. */
export class PackedRecords {
  private readonly packed: Buffer[] = [];
  private readonly index = new HashIndex();
  private readonly indexes = new Map<string, HashIndex>();
  private readonly unpacked = new Map<number, readonly string[]>();
  private waiting: string[] = [];
  private count = 0;

  /** Adds a row of the baseline sheet, as the texts of its cells; false for one that holds no record. */
  add(texts: readonly string[]): boolean {
    const line = texts.join(BETWEEN_CELLS);
    const [resource = '', key = ''] = texts;
    const whole = resource !== '' && key !== '' && !line.includes(BETWEEN_RECORDS);
    if (!whole || line.split(BETWEEN_CELLS).length !== texts.length) return false;
    this.index.add(hashOf(nameOf(resource, key)), this.count++);
    this.waiting.push(line);
    if (this.waiting.length === PIECE) this.pack();
    return true;
  }

  /** The record with this key; undefined where there is none, or more than one. */
  find(resource: string, key: string): BaselineRecord | undefined {
    const [own, ...others] = this.linesOf(resource, key);
    return own === undefined || others.length > 0 ? undefined : decodeBaselineRecord(own);
  }

  /** All records with this key. */
  all(resource: string, key: string): BaselineRecord[] {
    return this.linesOf(resource, key).flatMap((texts) => decodeBaselineRecord(texts) ?? []);
  }

  /** The record with this number in a field; undefined where there is none, or more than one. */
  holding(resource: string, field: string, number: number): BaselineRecord | undefined {
    const name = nameOf(resource, field);
    const index = this.indexes.get(name) ?? this.indexBy(resource, field);
    this.indexes.set(name, index);
    const [own, ...others] = index
      .find(hashOf(String(number)))
      .map((place) => decodeBaselineRecord(this.lineAt(place).split(BETWEEN_CELLS)))
      .filter((record) => record?.values[field] === number);
    return others.length > 0 ? undefined : own;
  }

  private indexBy(resource: string, field: string): HashIndex {
    const index = new HashIndex();
    // A match in a text or a nested member does no harm: `holding` looks in the record itself.
    const held = new RegExp(`"${field}":(\\d+)[,}]`);
    for (let place = 0; place < this.count; place++) {
      const line = this.lineAt(place);
      const number = line.startsWith(`${resource}${BETWEEN_CELLS}`) ? held.exec(line)?.[1] : undefined;
      if (number !== undefined) index.add(hashOf(number), place);
    }
    return index;
  }

  private linesOf(resource: string, key: string): string[][] {
    const name = nameOf(resource, key);
    const lines = this.index.find(hashOf(name)).map((place) => this.lineAt(place).split(BETWEEN_CELLS));
    return lines.filter(([one = '', other = '']) => nameOf(one, other) === name);
  }

  private pack(): void {
    // A copy: zlib's buffer holds on to a larger block than it fills.
    this.packed.push(Buffer.from(deflateRawSync(this.waiting.join(BETWEEN_RECORDS), LITTLE)));
    this.waiting = [];
  }

  private lineAt(place: number): string {
    const at = Math.floor(place / PIECE);
    if (at === this.packed.length) return this.waiting[place % PIECE] ?? '';
    const lines = this.unpacked.get(at) ?? this.unpack(at);
    return lines[place % PIECE] ?? '';
  }

  private unpack(at: number): readonly string[] {
    const piece = this.packed[at];
    const lines = piece === undefined ? [] : inflateRawSync(piece).toString().split(BETWEEN_RECORDS);
    const [oldest] = this.unpacked.keys();
    if (this.unpacked.size >= KEPT && oldest !== undefined) this.unpacked.delete(oldest);
    this.unpacked.set(at, lines);
    return lines;
  }
}

const nameOf = (resource: string, key: string): string => `${resource} ${key}`;
