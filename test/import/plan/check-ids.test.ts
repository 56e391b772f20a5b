import { expect, test } from 'vitest';
import { describeIssue } from '../../../src/core/issue.ts';
import type { PlannedRow } from '../../../src/core/plan.ts';
import { createIdCheck } from '../../../src/import/plan/plan-sheet.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { openLookupLists } from '../../../src/run/lookup-lists.ts';
import { DEFAULT_DIALECT } from '../../../src/schema/dialect.ts';
import type { Resource } from '../../../src/schema/resource.ts';
import { open } from '../../service/open.ts';
import { type Behaviour, json, reset, startServer } from '../../service/scripted-server.ts';
import { mappingOf } from '../map/sheet-of.ts';

const CATEGORIES = ['Soepen', 'Salades', 'Barbecue', 'Dranken'].map((ProductCategorie, at) => ({
  ProductCategorieID: at + 1,
  ProductCategorie,
}));

/** A row that would be created, or updated where it says so, with this category. */
function rowOf(category: number | null, change: Partial<PlannedRow> = {}): PlannedRow {
  return {
    ...{ seq: 0, sheet: 'Pakketten', row: 2, resource: 'packages', action: 'create', key: null, id: null },
    ...{ external: 31_003, lmt: null, changes: [], needs: [], issues: [], message: null },
    steps: [{ purpose: 'create', endpoint: 'packages.create', body: { ProductCategorieID: category } }],
    ...change,
  };
}

/** What is said of the rows, and how many requests it took. */
async function check(
  rows: readonly PlannedRow[],
  answer: Behaviour,
  resource: Resource = packages,
): Promise<{ said: string[]; asked: number }> {
  const server = await startServer(answer);
  const service = open(server.baseUrl);
  const lists = openLookupLists({ service, dialect: DEFAULT_DIALECT });
  const mapping = mappingOf(['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID'], [], resource);
  const checkIds = createIdCheck(lists, mapping);
  await checkIds(rows.slice(0, 1));
  await checkIds(rows.slice(1));
  await service.close();
  await server.stop();
  const said = rows.flatMap(({ issues }) => issues.map((issue) => describeIssue(issue, 'en')));
  return { said, asked: server.received.length };
}

const WHOLE = json(CATEGORIES);
const UPDATE = { action: 'update', steps: rowOf(9).steps } as const;
const priced = { field: 'Verkoopprijs', from: 1, to: 2 };

test.each<[string, PlannedRow[], Behaviour, number, Resource?]>([
  ['ids that the list has', [rowOf(1), rowOf(4)], WHOLE, 1],
  ['rows that send none', [rowOf(null), rowOf(9, { steps: [], action: 'unchanged' })], WHOLE, 0],
  ['an id that the record has already', [rowOf(9, { ...UPDATE, changes: [priced] })], WHOLE, 0],
  ['an id that the list of a create has, where an update has another', [rowOf(1)], WHOLE, 1, recipes],
  ['a list that goes on', [rowOf(9)], json({ data: CATEGORIES, meta: { last_page: 2 } }), 2],
  ['a list with an entry that has no name', [rowOf(9)], json([...CATEGORIES, { ProductCategorieID: 9 }]), 1],
  ['an empty list', [rowOf(9)], json([]), 1],
  ['a list that the service keeps to itself', [rowOf(9), rowOf(8)], json({ message: 'nee' }, 403), 1],
  ['a service that is away', [rowOf(9)], reset, 3],
])('%s: nothing is said', async (_, rows, answer, asked, resource = packages) => {
  expect(await check(rows, answer, resource)).toEqual({ said: [], asked });
});

const EXPECTED = 'expected an id that the service’s list has';

test.each<[string, PlannedRow[], string[]]>([
  [
    'each row, by one request',
    [rowOf(999), rowOf(2), rowOf(999, { row: 5 })],
    [2, 5].map(
      (row) =>
        `C${row} ProductCategorieID: found "999", ${EXPECTED} (the list has 1 Soepen, 2 Salades, 3 Barbecue and 1 more)`,
    ),
  ],
  [
    'ids like it first',
    [rowOf(44)],
    [`C2 ProductCategorieID: found "44", ${EXPECTED} (the list has 4 Dranken and 3 more)`],
  ],
  [
    'an id that an update brings',
    [rowOf(9, { ...UPDATE, changes: [{ field: 'ProductCategorieID', from: 1, to: 9 }] })],
    [
      `C2 ProductCategorieID: found "9", ${EXPECTED} (the list has 1 Soepen, 2 Salades, 3 Barbecue and 1 more)`,
    ],
  ],
])('an id that the list lacks is a warning: %s', async (_, rows, said) => {
  expect(await check(rows, WHOLE)).toEqual({ said, asked: 1 });
  expect(rows.flatMap(({ issues }) => issues.map(({ severity }) => severity))).toEqual(
    said.map(() => 'warning'),
  );
});
