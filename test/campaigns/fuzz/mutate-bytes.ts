import type { Random } from './random.ts';

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff];

function span(bytes: Buffer, random: Random): [number, number] {
  const from = random.below(bytes.length + 1);
  const length = random.below(random.oneIn(3) ? bytes.length + 1 : 64);
  return [from, Math.min(bytes.length, from + length)];
}

const flip: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  for (let count = 1 + random.below(16); count > 0 && changed.length > 0; count--) {
    const at = random.below(changed.length);
    changed[at] = (changed[at] as number) ^ (1 << random.below(8));
  }
  return changed;
};

const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));

const remove: Mutation = (bytes, random) => {
  const [from, to] = span(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const repeat: Mutation = (bytes, random) => {
  const [from, to] = span(bytes, random);
  const times = 1 + random.below(4);
  const part = bytes.subarray(from, to);
  return Buffer.concat([
    bytes.subarray(0, to),
    ...Array.from({ length: times }, () => part),
    bytes.subarray(to),
  ]);
};

const overwrite: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  const [from, to] = span(bytes, random);
  return changed.fill(random.pick([0, 0xff, 0x20, 0x22, 0x3c]), from, to);
};

const move: Mutation = (bytes, random) => {
  const [from, to] = span(bytes, random);
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  const at = random.below(rest.length + 1);
  return Buffer.concat([rest.subarray(0, at), bytes.subarray(from, to), rest.subarray(at)]);
};

/** What can be done to any bytes. */
export const BYTES: readonly Mutation[] = [flip, flip, truncate, remove, repeat, overwrite, move];

/** Fields of the three records of a zip: the record's mark, and where the fields stand, with their bytes (APPNOTE 4.3). */
const RECORDS: readonly (readonly [number, readonly (readonly [number, 2 | 4])[]])[] = [
  [
    0x04034b50,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 4],
      [14, 4],
      [18, 4],
      [22, 4],
      [26, 2],
      [28, 2],
    ],
  ],
  [
    0x02014b50,
    [
      [6, 2],
      [8, 2],
      [10, 2],
      [16, 4],
      [20, 4],
      [24, 4],
      [28, 2],
      [30, 2],
      [32, 2],
      [34, 2],
      [42, 4],
    ],
  ],
  [
    0x06054b50,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
      [12, 4],
      [16, 4],
      [20, 2],
    ],
  ],
];

/** One to three fields of a zip's headers made extreme, slightly off, or another record's. */
export const alterHeaders: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const [mark, fields] = random.pick(RECORDS);
    const places = placesOf(changed, mark);
    if (places.length === 0) continue;
    const [offset, size] = random.pick(fields);
    const at = random.pick(places) + offset;
    if (at + size > changed.length) continue;
    const now = changed.readUIntLE(at, size);
    const value = random.pick([
      random.pick(EXTREMES),
      now + 1,
      now - 1,
      now ^ 1,
      now ^ 8,
      random.below(bytes.length),
    ]);
    changed.writeUIntLE((value >>> 0) % 2 ** (8 * size), at, size);
  }
  return changed;
};

function placesOf(bytes: Buffer, mark: number): number[] {
  const wanted = Buffer.alloc(4);
  wanted.writeUInt32LE(mark);
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
