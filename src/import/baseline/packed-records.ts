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
  private readonly unpacked = new Map<number, readonly string[]>();
  private waiting: string[] = [];
  private count = 0;

  /** Adds a row of the baseline sheet, as the texts of its cells; false for one that holds no record. */
  add(texts: readonly string[]): boolean {
    const line = texts.join(BETWEEN_CELLS);
    const [resource = '', key = ''] = texts;
    const whole = resource !== '' && key !== '' && !line.includes(BETWEEN_RECORDS);
    if (!whole || line.split(BETWEEN_CELLS).length !== texts.length) return false;
    this.index.add(hashOf(`${resource} ${key}`), this.count++);
    this.waiting.push(line);
    // A copy: zlib's buffer holds on to a larger block than it fills.
    if (this.waiting.length === PIECE)
      this.packed.push(Buffer.from(deflateRawSync(this.waiting.splice(0).join(BETWEEN_RECORDS), LITTLE)));
    return true;
  }

  /** The record with this key; undefined where there is none, or more than one. */
  find(resource: string, key: string): BaselineRecord | undefined {
    const places = this.index.find(hashOf(`${resource} ${key}`));
    const all = places.flatMap(
      (place) => decodeBaselineRecord(this.lineAt(place).split(BETWEEN_CELLS)) ?? [],
    );
    const [own, ...others] = all.filter((one) => one.resource === resource && one.key === key);
    return others.length > 0 ? undefined : own;
  }

  private lineAt(place: number): string {
    const at = Math.floor(place / PIECE);
    const lines = at === this.packed.length ? this.waiting : (this.unpacked.get(at) ?? this.unpack(at));
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
