import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

/** Texts of any code points. fast-check's own way to have them, `unit: 'binary'`, takes a second to be made. */
export const codePoints = (lengths: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.array(codePoint, lengths).map((points) => points.join(''));
