import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { RecordState } from './record-state.ts';

/** The record of a key, or those that have it in common. */
export type KeptRecords = RecordState | RecordState[];

/**
 * Records as the ledger keeps them, in pieces, so that neither text nor objects of all of them are in memory at a time: a line of its key,
 * a tab and its state for each, those of one key in a row; deflated, in base64.
 */
export type PackedRecords = readonly string[];

/** So many lines are packed at a time. */
const LINES = 4000;

/** Packs records. */
export function packRecords(records: ReadonlyMap<string, KeptRecords>): PackedRecords {
  const [pieces, lines]: [string[], string[]] = [[], []];
  const pack = (): void => {
    if (lines.length > 0) pieces.push(deflateRawSync(lines.splice(0).join('\n')).toString('base64'));
  };
  for (const [key, kept] of records)
    for (const state of typeof kept === 'string' ? [kept] : kept)
      if (lines.push(`${key}\t${state}`) === LINES) pack();
  pack();
  return pieces;
}

/** The records of a pack, key by key. */
export function* recordsIn(packed: PackedRecords): Generator<readonly [key: string, kept: KeptRecords]> {
  let [key, kept]: [string | undefined, RecordState[]] = [undefined, []];
  for (const piece of packed)
    for (const line of inflateRawSync(Buffer.from(piece, 'base64')).toString().split('\n')) {
      const tab = line.indexOf('\t');
      const own = line.slice(0, tab);
      if (key !== undefined && own !== key) {
        yield [key, plain(kept)];
        kept = [];
      }
      key = own;
      kept.push(line.slice(tab + 1));
    }
  if (key !== undefined) yield [key, plain(kept)];
}

const plain = (kept: RecordState[]): KeptRecords => (kept.length === 1 ? (kept[0] ?? '') : kept);
