import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlannedRow, SELF, type Step } from '../../src/core/plan.ts';
import { HashIndex, HashSet, hashOf } from '../../src/ledger/hash-index.ts';
import { packText, rowsText, unpackRows } from '../../src/ledger/pack-rows.ts';
import { toChunks } from '../../src/ledger/plan-chunk.ts';
import { plannedRow } from './stand.ts';

const name = fc.constantFrom('ProductID', 'ExternalID', 'Verkoopprijs', 'Offertetekst', 'Actief', '$ref');
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('~', '~~', '~a', 'a', 'a~'),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
  fc.constant({ $ref: 'self' }),
);
const key = fc.option(fc.constantFrom('id:7', 'external:8', 'product:3 1'));
const step = fc.record(
  {
    purpose: fc.constantFrom('create', 'key', 'update', 'delete', 'post'),
    endpoint: fc.constantFrom('packages.create', 'packages.update', 'events.update'),
    body: fc.dictionary(name, value),
    params: fc.dictionary(name, fc.nat()),
    also: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
    fingerprint: fc.oneof(fc.string(), fc.constantFrom('id:7', 'external:8')),
  },
  { requiredKeys: ['purpose', 'endpoint', 'body'] },
) as fc.Arbitrary<Step>;
const lists = fc.record({
  key,
  steps: fc.array(step, { maxLength: 3 }),
  changes: fc.array(fc.constant({ field: 'Actief', from: null, to: true }), { maxLength: 2 }),
  needs: fc.array(fc.constant({ resource: 'events', key: 'external:1' }), { maxLength: 2 }),
  sheet: fc.constantFrom('Pakketten', 'Pakketten (2)'),
  resource: fc.constantFrom('packages', 'recipes'),
});

describe('planned rows', () => {
  test('come back from their chunks as they were, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lists, { maxLength: 30 }),
        fc.array(fc.nat(1), { maxLength: 30 }),
        async (all, gaps) => {
          let seq = 0;
          const rows: PlannedRow[] = all.map((over, at) => {
            seq += 1 + (gaps[at] ?? 0);
            return plannedRow(seq, over as Partial<PlannedRow>);
          });
          const back: PlannedRow[] = [];
          for (const { rows: chunk } of toChunks([...rows].reverse())) {
            back.push(...unpackRows(bytesOf(await packText(rowsText(chunk)))));
          }
          expect(back).toStrictEqual(plain(rows));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('keep one copy of what the update after a create says again', async () => {
    const texts = Array.from({ length: 100 }, (_, at) => `${at} ${'crème brûlée '.repeat(20)}`);
    const rows = texts.map((Offertetekst, seq) =>
      plannedRow(seq, {
        steps: [
          { purpose: 'create', endpoint: 'packages.create', body: { Offertetekst, Verkoopprijs: seq } },
          {
            purpose: 'key',
            endpoint: 'packages.update',
            body: { ProductID: SELF, Verkoopprijs: 1, Offertetekst },
          },
        ],
      }),
    );
    const bytes = bytesOf(await packText(rowsText(rows)));
    expect(unpackRows(bytes)).toStrictEqual(rows);
    const text = inflateRawSync(bytes).toString();
    expect(texts.map((one) => text.split(JSON.stringify(one)).length - 1)).toEqual(texts.map(() => 1));
  });

  test('are read from a ledger that held them row by row', () => {
    const [created, named] = [plannedRow(4), plannedRow(5)];
    const note = JSON.stringify([named.message, named.changes, named.needs, named.issues]).slice(1, -1);
    const older = `{"first":4,"sheet":"Pakketten","resource":"packages",
      "shapes":[["create","packages.create","Naam","Verkoopprijs"],["key","packages.update","ProductID","ExternalID"]],
      "rows":[
        [6,"create","external:31004",null,31004,"2027-04-01 09:00:00.123",null,0,0,0,
          [0,1,0,0,"~~a",34.5],[1,0,0,0,{"$ref":"self"},31004]],
        [7,"create","external:31005",null,31005,"2027-04-01 09:00:00.123",${note},[0,"other:9",["key:1"],{"a":1},"~",35]]
      ]}`;
    const create = { purpose: 'create', endpoint: 'packages.create' } as const;
    const first: Step[] = [
      { ...create, body: { Naam: '~a', Verkoopprijs: 34.5 }, fingerprint: 'external:31004' },
      { purpose: 'key', endpoint: 'packages.update', body: { ProductID: SELF, ExternalID: 31004 } },
    ];
    const second: Step[] = [
      {
        ...create,
        body: { Naam: '~a', Verkoopprijs: 35 },
        ...{ params: { a: 1 }, fingerprint: 'other:9', also: ['key:1'] },
      },
    ];
    expect(unpackRows(bytesOf(deflateRawSync(older)))).toStrictEqual([
      { ...created, message: null, changes: [], needs: [], issues: [], steps: first },
      { ...named, steps: second },
    ]);
  });

  test.each([
    [1, 1],
    [500, 1],
    [501, 2],
    [1201, 3],
  ])('%i of them in a row are %i chunks', (count, chunks) => {
    const rows = Array.from({ length: count }, (_, seq) => plannedRow(seq));
    expect(toChunks(rows)).toHaveLength(chunks);
  });
});

const bytesOf = ({ buffer, byteOffset, length }: Buffer): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;

/** Property tests make objects without a prototype; what is compared are their members. */
const plain = (rows: readonly PlannedRow[]): PlannedRow[] => JSON.parse(JSON.stringify(rows));

describe('texts by their hash', () => {
  test('are all found again, and hardly any other', () => {
    const set = new HashSet();
    const index = new HashIndex();
    for (let at = 0; at < 20_000; at++) {
      set.add(hashOf(`external:${at}`));
      index.add(hashOf(`external:${at}`), at);
      index.add(hashOf(`external:${at}`), 50_000 + at);
    }
    let strangers = 0;
    for (let at = 0; at < 20_000; at++) {
      expect(set.has(hashOf(`external:${at}`))).toBe(true);
      expect(index.find(hashOf(`external:${at}`))).toEqual(expect.arrayContaining([at, 50_000 + at]));
      if (set.has(hashOf(`id:${at}`))) strangers++;
    }
    expect(strangers).toBeLessThan(5);
  });

  test('have a hash that is never the mark of a free place', () => {
    fc.assert(fc.property(fc.string(), (text) => hashOf(text) !== 0));
  });
});
