import { expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { openRows, rowsOf, writeRows } from './keyed-rows.ts';

type Price = number | string;

/** The price that a record has (none: it is new), the one in the row, and what comes of it. */
const CASES: readonly (readonly [held: Price | 'new', given: Price, status: string, said: string | null])[] =
  [
    ['new', '-5,50', 'invalid', 'price-below-zero'],
    ['new', 0, 'create', 'price-unlikely'],
    ['new', 1_000_000, 'create', null],
    ['new', 1_000_001, 'create', 'price-unlikely'],
    [12.5, -5, 'invalid', 'price-below-zero'],
    [12.5, 0, 'update', 'price-unlikely'],
    [12.5, 2_000_000, 'update', 'price-unlikely'],
    [12.5, 13, 'update', null],
    [12.5, '', 'unchanged', null],
    // The record has such a price already.
    [-3, -5, 'update', null],
    [-3, -3, 'unchanged', null],
    [-3, 0, 'update', 'price-unlikely'],
    [0, 0, 'unchanged', null],
    [0, -1, 'invalid', 'price-below-zero'],
    [3_000_000, 2_000_000, 'update', null],
  ];

it.each(['packages', 'recipes'] as const)(
  'a price of %s below zero is an issue and a zero or huge one is a warning, unless the record has such a one',
  async (as) => {
    const { service, folder, options } = await openRows();
    for (const [at, [held]] of CASES.entries()) {
      const record = { ...rowsOf[as](1), ExternalID: 81_000 + at, Verkoopprijs: held };
      if (held !== 'new' && as === 'packages') service.add.package(record);
      if (held !== 'new' && as === 'recipes') service.add.recipe({ ...record, Gewicht: 0.1 });
    }
    const rows = CASES.map(([held, given], at) => ({
      ...(held === 'new' ? rowsOf[as](1) : {}),
      ...{ ExternalID: 81_000 + at, Verkoopprijs: given },
    }));
    const file = writeRows(`${folder}/a.csv`, rows);
    const all = { ...options, as, dryRun: true, allRows: true };
    const { rows: told } = await importWorkbook(file, all);
    const said = told.map(({ status, issues = [] }) => [
      status,
      issues.map(({ code }) => code).join() || null,
    ]);
    expect(said).toEqual(CASES.map(([, , status, code]) => [status, code]));
    expect(told[0]?.issues?.[0]).toMatchObject({ found: '-5,50', field: 'Verkoopprijs' });
    expect(told[5]?.issues?.[0]?.message).toContain('the record has 12.50');
    const strict = await importWorkbook(file, { ...all, strict: true });
    const invalid = CASES.filter(([, , , code]) => code !== null).length;
    expect(strict.counts).toMatchObject({ invalid });
  },
);
