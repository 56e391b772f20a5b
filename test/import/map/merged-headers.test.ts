import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { HeaderName } from '../../../src/import/map/header-names.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { type Layout, layoutOf } from './layout-of.ts';

type Line = readonly (string | number | null)[];

interface Case {
  readonly rows: readonly Line[];
  /** Merged cells; none are known of a CSV. */
  readonly merges?: readonly string[];
  readonly header: string;
  readonly undecided: readonly string[];
  readonly unknown?: readonly string[];
  /** The issues of each row, as `C3 header-twice 35.5 / 38.7`. */
  readonly issues: readonly string[];
}

async function workbookOf({ rows, merges = [] }: Pick<Case, 'rows' | 'merges'>, sheet: string) {
  const book = new ExcelJS.Workbook();
  const page = book.addWorksheet(sheet);
  page.addRows(rows.map((row) => [...row]));
  for (const range of merges) page.mergeCells(range);
  const file = join(tempFolder(), 'week12.xlsx');
  await book.xlsx.writeFile(file);
  return await readWorkbook(file);
}

async function csvOf({ rows }: Pick<Case, 'rows'>, sheet: string) {
  const file = join(tempFolder(), `${sheet}.csv`);
  writeFileSync(file, rows.map((row) => row.map((value) => value ?? '').join(';')).join('\n'));
  return await readWorkbook(file);
}

const issuesIn = ({ records }: Layout): string[] =>
  records.flatMap(({ issues }) => issues.map(({ address, code, found }) => `${address} ${code} ${found}`));

const COUNTED: Line = [7001, 3, 4];
const PRICED: Case = {
  rows: [
    ['ExternalID', 'OmschrijvingIntern', 'Verkoopprijs', null],
    [null, null, 'excl. btw', 'incl. btw'],
    [30001, 'Kerstbuffet Klassiek', 35, 38],
    [30002, 'Kerstbuffet Luxe', 45, 45],
    [30003, 'Kerstbuffet Mini', null, 20],
  ],
  merges: ['A1:A2', 'B1:B2', 'C1:D1'],
  header: '1-2',
  undecided: ['Verkoopprijs excl. btw (C), Verkoopprijs incl. btw (D): Verkoopprijs'],
  issues: ['D3 header-twice 35 / 38', 'D5 header-twice – / 20'],
};

describe('a header over several columns names all of them', () => {
  test.each<[string, string, Case]>([
    [
      'merged, with no row that tells them apart',
      'Voorraadtelling',
      {
        rows: [['ProductID', 'GeteldRekeneenheid', null], COUNTED, [7003, 2, null]],
        merges: ['B1:C1'],
        header: '1',
        undecided: ['GeteldRekeneenheid (B), GeteldRekeneenheid (C): GeteldRekeneenheid'],
        issues: ['C2 header-twice 3 / 4', 'B3 header-twice 2 / –'],
      },
    ],
    [
      'merged, as the cells of each row are too',
      'Pakketten',
      {
        rows: [
          ['ExternalID', 'OmschrijvingIntern', null, 'Verkoopprijs'],
          [30001, 'Kerstbuffet Klassiek', null, 35],
          [30002, 'Kerstbuffet Luxe', null, 45],
        ],
        merges: ['B1:C1', 'B2:C2', 'B3:C3'],
        header: '1',
        undecided: [],
        issues: [],
      },
    ],
    ['told apart by the row below', 'Pakketten', PRICED],
    [
      'the upper of two rows, of which the lower has the most fields',
      'Pakketten',
      {
        rows: [
          [null, null, 'Verkoopprijs', null],
          ['ExternalID', 'OmschrijvingIntern', 'excl. btw', 'incl. btw'],
          [30001, 'Kerstbuffet Klassiek', 35, 38],
        ],
        merges: ['C1:D1'],
        header: '1-2',
        undecided: ['Verkoopprijs excl. btw (C), Verkoopprijs incl. btw (D): Verkoopprijs'],
        issues: ['D3 header-twice 35 / 38'],
      },
    ],
    [
      'a record below it is no header',
      'Pakketten',
      {
        rows: [
          ['ExternalID', 'OmschrijvingIntern', null],
          [null, 'Nieuw buffet', 'groot'],
          [30001, 'Kerstbuffet', 'klein'],
        ],
        merges: ['B1:C1'],
        header: '1',
        undecided: ['OmschrijvingIntern (B), OmschrijvingIntern (C): OmschrijvingIntern'],
        issues: ['C2 header-twice Nieuw buffet / groot', 'C3 header-twice Kerstbuffet / klein'],
      },
    ],
  ])('%s', async (_, sheet, expected) => {
    const { header, undecided, unknown = [], issues } = expected;
    const layout = await layoutOf(await workbookOf(expected, sheet));
    expect(layout).toMatchObject({ header, undecided, unknown });
    expect(issuesIn(layout)).toEqual(issues);
  });

  test('also in a CSV, where the row below tells its columns apart', async () => {
    const layout = await layoutOf(await csvOf(PRICED, 'Pakketten'));
    expect(layout).toMatchObject({ header: PRICED.header, undecided: PRICED.undecided });
    expect(issuesIn(layout)).toEqual(PRICED.issues);
  });
});

describe('one of the columns of a header is chosen', () => {
  const named = (header: string, field: string): readonly HeaderName[] => [{ header, field, resource: null }];
  const counted = {
    rows: [['ProductID', 'GeteldRekeneenheid', null], COUNTED],
    merges: ['B1:C1'],
  } satisfies Pick<Case, 'rows' | 'merges'>;

  test.each([
    ['Verkoopprijs excl. btw', 35],
    ['incl. btw', 38],
  ])('by a map: %s', async (header, price) => {
    for (const book of [await workbookOf(PRICED, 'Pakketten'), await csvOf(PRICED, 'Pakketten')]) {
      const layout = await layoutOf(book, { names: named(header, 'Verkoopprijs') });
      expect(layout).toMatchObject({ header: '1-2', undecided: [] });
      expect(issuesIn(layout)).toEqual([]);
      expect(layout.records[0]?.values.Verkoopprijs).toBe(price);
    }
  });

  test.each([
    ['GeteldRekeneenheid (B)', 3],
    ['GeteldRekeneenheid (C)', 4],
  ])('by its letter where nothing else tells it: %s', async (header, amount) => {
    for (const taken of [{}, { taken: true as const }]) {
      const names = named(header, 'GeteldRekeneenheid').map((one) => ({ ...one, ...taken }));
      const layout = await layoutOf(await workbookOf(counted, 'Voorraadtelling'), { names });
      expect(issuesIn(layout)).toEqual([]);
      expect(layout.records[0]?.values.GeteldRekeneenheid).toBe(amount);
      expect(layout.undecided).toEqual([]);
    }
  });
});
