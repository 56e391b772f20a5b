import { expect, test } from 'vitest';
import type { Cell } from '../../../src/core/cell.ts';
import { findHeader } from '../../../src/import/map/find-header.ts';

import { mapRow } from '../../../src/import/map/map-row.ts';
import { mapHeader } from '../../../src/import/map/sheet-mapping.ts';
import { trips } from '../../../src/resources/trips.ts';

const toCells = (texts: readonly string[]): Cell[] =>
  texts.map((value, at) => ({ column: at + 1, type: 'text', value }));

/** Row 2 of a sheet of trips. */
function readTrip(headers: readonly string[], texts: readonly string[]) {
  const header = findHeader([{ number: 1, cells: toCells(headers) }], trips);
  if (header === undefined) throw new Error('no header');
  const mapping = mapHeader('Ritten', trips, header, []);
  return mapRow({ number: 2, cells: toCells(texts) }, mapping, { locale: 'nl', strict: true });
}

test('a column that is never sent is shown where it helps to find the record', () => {
  const row = readTrip(
    ['RitID', 'Datum', 'Naar', 'LMT'],
    ['8001', '2-10-2026', 'Kasteel', '2026-01-05 08:00'],
  );
  expect(row?.values).toEqual({ RitID: 8001 });
  expect(row?.shown).toEqual({ Datum: '2026-10-02 00:00:00', LMT: '2026-01-05 08:00:00' });
});

test.each(['vrijdag', '#CLEAR', '2-10-26', '#N/B'])(
  'a shown column that holds %s causes no issue',
  (text) => {
    const row = readTrip(['RitID', 'Datum'], ['8001', text]);
    expect(row).toMatchObject({ values: { RitID: 8001 }, shown: {}, issues: [] });
  },
);
