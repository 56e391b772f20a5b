import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { plannerService } from '../../export/planner-service.ts';
import { rewriteSheet } from './fixtures.ts';

type Entry = readonly [id: number, name: string];

const VEHICLES: readonly Entry[] = [
  [1, 'Bestelbus'],
  [2, 'Bakwagen'],
  [3, 'Aanhanger'],
];

/** What may become of a list after a workbook was written: the first entry has another name, is gone, … */
const CHANGES: Readonly<Record<string, readonly Entry[] | null>> = {
  'another name': [[1, 'Busje'], ...VEHICLES.slice(1)],
  'no entry': VEHICLES.slice(1),
  'its name on another entry': [[1, 'Busje'], ...VEHICLES.slice(1), [8, 'Bestelbus']],
  'a second of its name': [...VEHICLES, [8, 'Bestelbus']],
  'no list': null,
};

const MARCH = { from: '2026-03-01', to: '2026-03-31' };

/** An export of two trips, with a list of vehicles that can change. */
async function exportedTrips() {
  const service = await plannerService();
  service.trips = [
    { RitID: 5, Datum: '2026-03-04 00:00:00', Omschrijving: 'Heen', TypeVoertuigID: 1 },
    { RitID: 6, Datum: '2026-03-04 00:00:00', Omschrijving: 'Terug', TypeVoertuigID: 2 },
  ];
  const lists: { vehicles: readonly Entry[] | null } = { vehicles: VEHICLES };
  service.onRequest = (path) => {
    if (path !== 'dropdownvalue/97') return undefined;
    const body = lists.vehicles?.map(([id, naam]) => ({ id, naam }));
    return body === undefined ? { status: 403, body: {} } : { status: 200, body };
  };
  const out = join(service.folder, 'ritten.xlsx');
  await exportRecords(trips, { ...service.options, ...MARCH, out });
  return { ...service, lists, out };
}

test.each(Object.keys(CHANGES))(
  'an export that nobody changed means the ids that it showed, where its list has %s by now',
  async (change) => {
    const { lists, options, out } = await exportedTrips();
    lists.vehicles = CHANGES[change] ?? null;
    const { counts, result } = await importWorkbook(out, { ...options, dryRun: true });
    expect(counts).toMatchObject({ read: 2, unchanged: 2 });
    // So does its result, which is imported in its place.
    const again = await importWorkbook(result ?? '', { ...options, dryRun: true });
    expect(again.counts).toMatchObject({ read: 2, unchanged: 2 });
  },
);

const OLD = 'when the file was written it was 1, which';

test.each([
  ['another name', 'lookup-unknown', `${OLD} is Busje now`],
  ['no entry', 'lookup-unknown', `${OLD} the list no longer has`],
  [
    'its name on another entry',
    'lookup-ambiguous',
    '1, as it was when the file was written, or 8, as it is now',
  ],
  ['a second of its name', 'lookup-ambiguous', 'Bestelbus (8)'],
  ['no list', 'lookup-unreadable', '403'],
] as const)(
  'a name that is chosen in an export is refused with what it was, where its list has %s by now',
  async (change, code, hint) => {
    const { lists, options, out } = await exportedTrips();
    await rewriteSheet(out, 'Ritten', (rows) => rows.map((row) => ({ ...row, TypeVoertuigID: 'Bestelbus' })));
    lists.vehicles = CHANGES[change] ?? null;
    const { counts, rows } = await importWorkbook(out, { ...options, dryRun: true });
    expect(counts).toMatchObject({ read: 2, unchanged: 1, invalid: 1 });
    const issues = rows.flatMap(({ row, issues: found = [] }) => found.map((issue) => ({ row, ...issue })));
    expect(issues).toEqual([expect.objectContaining({ row: 3, code, field: 'TypeVoertuigID' })]);
    expect(JSON.stringify(issues)).toContain(hint);
  },
);

test('a name that still stands for what it was when the export was written is chosen as ever', async () => {
  const { lists, options, out } = await exportedTrips();
  await rewriteSheet(out, 'Ritten', (rows) => rows.map((row) => ({ ...row, TypeVoertuigID: 'Aanhanger' })));
  lists.vehicles = CHANGES['another name'] ?? null;
  const { counts, rows } = await importWorkbook(out, { ...options, dryRun: true, allRows: true });
  expect(counts).toMatchObject({ read: 2, updated: 2 });
  expect(rows.flatMap(({ changes = [] }) => changes.map(({ to }) => to))).toEqual([3, 3]);
});

test('a new row of an export goes by the list as it is, and is refused where its name has moved', async () => {
  const { lists, options, out } = await exportedTrips();
  await rewriteSheet(out, 'Ritten', ([first = {}, ...rest]) => [{ ...first, RitID: 7 }, ...rest]);
  lists.vehicles = CHANGES['its name on another entry'] ?? null;
  const { counts, rows } = await importWorkbook(out, { ...options, dryRun: true });
  expect(counts).toMatchObject({ read: 2, unchanged: 1, invalid: 1 });
  expect(rows[0]?.issues?.map(({ code }) => code)).toContain('lookup-ambiguous');
});

test('a recipe that nobody changed means the category of either list that it had, by any of its keys', async () => {
  const service = await plannerService();
  // A create and an update take ids of different lists, which share names.
  const lists: Record<string, readonly Entry[]> = {
    'productcategory/all': [
      [4, 'Soepen'],
      [5, 'Salades'],
    ],
    'productactiecategory/all': [[104, 'Soepen']],
  };
  service.onRequest = (path) => {
    const list = lists[path];
    return list && { status: 200, body: list.map(([id, naam]) => ({ id, naam })) };
  };
  const recipe = { OmschrijvingIntern: 'Soep', OPK: 1, Gewicht: 1, ProductEenheidWaardeID: 1 };
  service.products = [4, 5, 104].map((ProductCategorieID, at) => {
    return { ...recipe, ProductID: at + 1, ExternalID: at + 501, ProductCategorieID };
  });
  const out = join(service.folder, 'recepten.xlsx');
  await exportRecords(recipes, { ...service.options, out });
  await rewriteSheet(out, 'Recepten', ([first = {}, ...rest]) => [{ ...first, ProductID: null }, ...rest]);
  lists['productcategory/all'] = [[4, 'Alle soepen']];
  lists['productactiecategory/all'] = [[104, 'Bouillons']];
  const { counts } = await importWorkbook(out, { ...service.options, dryRun: true });
  expect(counts).toMatchObject({ read: 3, unchanged: 3 });
});
