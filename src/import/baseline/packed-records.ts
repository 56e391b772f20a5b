import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type BaselineRecord, decodeBaselineRecord } from '../../files/baseline-sheet.ts';
import { HashIndex, hashOf } from '../../ledger/hash-index.ts';

/** Records packed together: finding one unpacks its neighbours. */
const PIECE = 16;
/** Neighbours repeat each other's names and texts: the least effort does. */
const LITTLE = { level: 1 } as const;
/** Neither stands in JSON unescaped. */
const [BETWEEN_CELLS, BETWEEN_RECORDS] = ['\t', '\n'];

/** Baseline records by resource and key, packed: 100,000 of 2 KB each take some tens of MB. */
export class PackedRecords {
  private readonly packed: Buffer[] = [];
  private readonly index = new HashIndex();
  /** What was unpacked last, for rows in the order of the file. */
  private unpacked: { readonly at: number; readonly lines: readonly string[] } = { at: -1, lines: [] };
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
    const piece = this.packed[at];
    if (piece !== undefined && this.unpacked.at !== at)
      this.unpacked = { at, lines: inflateRawSync(piece).toString().split(BETWEEN_RECORDS) };
    return (piece === undefined ? this.waiting : this.unpacked.lines)[place % PIECE] ?? '';
  }
}
