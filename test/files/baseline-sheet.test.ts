import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BASELINE_SHEET,
  type BaselineRecord,
  decodeBaselineRecord,
  decodeBaselineStamp,
  encodeBaselineRecord,
  encodeBaselineStamp,
} from '../../src/files/baseline-sheet.ts';
import { resources } from '../../src/resources/registry.ts';
import { codePoints } from '../helpers/code-points.ts';

const value = fc.oneof(
  codePoints(),
  // Lone halves of a character, which are no XML.
  fc.array(fc.integer({ min: 0, max: 0xff_ff })).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom(
    '_x000D_',
    '_X0041_',
    '\ufffe\uffff',
    ' '.repeat(70_000),
    '\u{1f35d}'.repeat(40_000),
    '€'.repeat(32_001),
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

const record: fc.Arbitrary<BaselineRecord> = fc.record({
  resource: fc.constantFrom('packages', 'events', 'arrangements'),
  key: fc.oneof(
    fc.nat().map((id) => `id:${id}`),
    fc.nat().map((external) => `external:${external}`),
  ),
  lmt: fc.option(fc.constant('2026-03-31 10:00:00.000')),
  values: fc.dictionary(fc.string(), value, { maxKeys: 12, noNullPrototype: true }),
});

/** What a text may not hold for a cell to give it back: what is no XML, an escape of Excel's, blanks alone, too much. */
function unfit(text: string): boolean {
  const plain = Buffer.from(text).toString() !== text || /_x[0-9a-f]{4}_|[\ufffe\uffff]/i.test(text);
  return plain || (text !== '' && text.trim() === '') || text.length > 32_767;
}

describe('the hidden baseline sheet', () => {
  it('gives every record back from texts that any workbook can hold', () => {
    fc.assert(
      fc.property(record, (one) => {
        const texts = encodeBaselineRecord(one);
        expect(texts.slice(3).filter(unfit)).toEqual([]);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
        expect(texts.slice(3).join('')).not.toMatch(/[\u0000-\u001f]/);
        expect(decodeBaselineRecord(texts)).toEqual(one);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('has a name that no sheet of records goes by', () => {
    const names = resources.flatMap(({ name, sheet }) => [name, sheet.toLowerCase()]);
    expect(names).not.toContain(BASELINE_SHEET);
  });

  it('gives back of which service it is and since when', () => {
    const stamp = { service: 'https://catering.example/', at: '2026-03-31T08:00:00.000Z' };
    const [header, second] = encodeBaselineStamp(stamp);
    expect(header).toEqual(['#base', 'key', 'LMT', 'values']);
    expect(second?.slice(0, 3)).toEqual(['#service', '1', '']);
    expect(decodeBaselineStamp(second ?? [])).toEqual(stamp);
  });

  it.each([
    ['nothing', []],
    ['another version', ['#service', '2', '', '{"service":"a","at":"b"}']],
    ['no JSON', ['#service', '1', '', '{"service":"a",']],
  ])('takes no stamp from %s', (_, texts) => {
    expect(decodeBaselineStamp(texts)).toBeUndefined();
  });

  it.each([
    ['nothing', []],
    ['a row without a key', ['packages', '', '', '{}']],
    ['a row cut short', ['packages', 'id:1', '', '{"Volume":1']],
    ['a value that is no value', ['packages', 'id:1', '', '{"Volume":{"a":1}}']],
  ])('takes no record from %s', (_, texts) => {
    expect(decodeBaselineRecord(texts)).toBeUndefined();
  });
});
