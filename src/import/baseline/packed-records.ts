import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type BaselineRecord, decodeBaselineRecord } from '../../files/baseline-sheet.ts';
import { HashIndex, hashOf } from '../../ledger/hash-index.ts';
import type { Resource } from '../../schema/resource.ts';

/** Records packed together: finding one unpacks its neighbours. */
const PIECE = 16;
/** Unpacked pieces that are kept, for rows in the order of the file. */
const KEPT = 64;
/** Neighbours repeat each other's names and texts: the least effort does. */
const LITTLE = { level: 1 } as const;
/** Neither stands in JSON unescaped. */
const [BETWEEN_CELLS, BETWEEN_RECORDS] = ['\t', '\n'];

/**
 * Baseline records by resource and key, also by that of a record without an id (`external:4711`), packed:
 * 100,000 of 2 KB each take some tens of MB.
 */
export class PackedRecords {
  private readonly packed: Buffer[] = [];
  private readonly index = new HashIndex();
  private readonly unpacked = new Map<number, readonly string[]>();
  /** By resource name: the field, and where its number stands in the JSON of a record. */
  private readonly externals: ReadonlyMap<string, readonly [field: string, number: RegExp]>;
  private waiting: string[] = [];
  private count = 0;

  constructor(resources: readonly Resource[]) {
    const fields = resources.flatMap((one) => ('external' in one ? [[one.name, one.external] as const] : []));
    this.externals = new Map(fields.map(([name, field]) => [name, [field, RegExp(`"${field}":(\\d+)[,}]`)]]));
  }

  /** Adds a row of the baseline sheet, as the texts of its cells; false for one that holds no record. */
  add(texts: readonly string[]): boolean {
    const line = texts.join(BETWEEN_CELLS);
    const [resource = '', key = ''] = texts;
    const whole = resource !== '' && key !== '' && !line.includes(BETWEEN_RECORDS);
    if (!whole || line.split(BETWEEN_CELLS).length !== texts.length) return false;
    this.index.add(hashOf(`${resource} ${key}`), this.count);
    // A match in a text does no harm: `all` looks in the record itself.
    const number = this.externals.get(resource)?.[1].exec(line)?.[1];
    if (number !== undefined) this.index.add(hashOf(`${resource} external:${number}`), this.count);
    this.count++;
    this.waiting.push(line);
    // A copy: zlib's buffer holds on to a larger block than it fills.
    if (this.waiting.length === PIECE)
      this.packed.push(Buffer.from(deflateRawSync(this.waiting.splice(0).join(BETWEEN_RECORDS), LITTLE)));
    return true;
  }

  /** The record with this key; undefined where there is none, or more than one. */
  find(resource: string, key: string): BaselineRecord | undefined {
    const [own, ...others] = this.all(resource, key);
    return others.length > 0 ? undefined : own;
  }

  private all(resource: string, key: string): BaselineRecord[] {
    const [field = ''] = this.externals.get(resource) ?? [];
    return this.index.find(hashOf(`${resource} ${key}`)).flatMap((place) => {
      const record = decodeBaselineRecord(this.lineAt(place).split(BETWEEN_CELLS));
      const isOf = record?.resource === resource;
      return isOf && (record.key === key || `external:${record.values[field]}` === key) ? [record] : [];
    });
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
