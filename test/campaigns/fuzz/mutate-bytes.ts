import type { Random } from '../../second-service/random.ts';

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
  const parts = Array.from({ length: 1 + random.below(4) }, () => bytes.subarray(from, to));
  return Buffer.concat([bytes.subarray(0, to), ...parts, bytes.subarray(to)]);
};

const overwrite: Mutation = (bytes, random) =>
  Buffer.from(bytes).fill(random.pick([0, 0xff, 0x20, 0x22, 0x3c]), ...span(bytes, random));

/** What can be done to any bytes. */
export const BYTES: readonly Mutation[] = [flip, flip, truncate, remove, repeat, overwrite];

/** Fields of the three records of a zip: the record's mark, and where its fields of 2 and of 4 bytes are (APPNOTE 4.3). */
const RECORDS: readonly (readonly [mark: string, two: string, four: string])[] = [
  ['PK\x03\x04', '4 6 8 26 28', '10 14 18 22'],
  ['PK\x01\x02', '6 8 10 28 30 32 34', '16 20 24 42'],
  ['PK\x05\x06', '4 6 8 10 20', '12 16'],
];

/** One to three fields of a zip's headers made extreme, slightly off, or another record's. */
export const alterHeaders: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const [mark, ...fields] = random.pick(RECORDS);
    const places = placesOf(changed, mark);
    if (places.length === 0) continue;
    const size = random.pick([2, 4]);
    const at = random.pick(places) + Number(random.pick((fields[size / 2 - 1] ?? '').split(' ')));
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

function placesOf(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at);
  return places;
}
