import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exportRecords, importWorkbook } from '../../../../src/index.ts';
import { stockCount } from '../../../../src/resources/stock-count.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { tempFolder } from '../../../helpers/run-cli.ts';
import { serviceOnly } from '../../../helpers/service-options.ts';
import { optionsFor } from '../../../helpers/test-service.ts';
import { rewriteSheet } from '../../../import/baseline/fixtures.ts';
import { startSecondService } from '../../../second-service/second-service.ts';

/** Products by their place in the week. */
type Amounts = Readonly<Record<number, number>>;

/** A workbook of the week: what somebody wrote down at a moment, as counted or as used. */
interface Sheet {
  readonly kind: 'count' | 'use';
  readonly who: number;
  readonly at: string;
  readonly amounts: Amounts;
}

const [MONDAY, TUESDAY, WEDNESDAY, THURSDAY] = ['05', '06', '07', '08'].map((day) => `2026-10-${day}`);

/** What the books say when the week begins; on the shelf of product 2 stand 9, and of product 5 none. */
const BOOKS: Amounts = { 0: 24, 1: 12.5, 2: 10, 3: 7, 4: 3, 5: 2 };

/** Six workbooks. The second corrects the first, and the sixth the fourth. */
const WEEK = {
  count: {
    kind: 'count',
    who: 12,
    at: `${MONDAY} 08:00:00`,
    amounts: { 0: 24, 1: 11, 2: 9, 3: 7, 4: 3, 5: 0 },
  },
  // Product 1 was misread, and product 4 equalled the books by mistake.
  corrected: {
    ...{ kind: 'count', who: 12, at: `${MONDAY} 08:00:00` },
    amounts: { 0: 24, 1: 12, 2: 9, 3: 7, 4: 4, 5: 0 },
  },
  used: { kind: 'use', who: 14, at: `${TUESDAY} 14:30:00`, amounts: { 0: -6, 1: -2.5, 3: -1, 4: -2 } },
  // Some of product 0 was used without a word, and of product 5 was found.
  again: { kind: 'count', who: 14, at: `${WEDNESDAY} 08:00:00`, amounts: { 0: 15, 2: 9, 5: 1 } },
  usedLater: {
    kind: 'use',
    who: 12,
    at: `${WEDNESDAY} 16:00:00`,
    amounts: { 0: -4, 2: -3, 3: -0.25, 5: -1 },
  },
  correctedAgain: {
    ...{ kind: 'count', who: 14, at: `${WEDNESDAY} 08:00:00` },
    amounts: { 0: 16, 2: 9, 5: 1 },
  },
} as const satisfies Record<string, Sheet>;
type Name = keyof typeof WEEK;

/**
 * What stands on the shelf in the end, by the sheets alone: the last word on the last count of each product,
 * less what was used after it.
 */
function shelf(names: readonly Name[]): number[] {
  const sheets = [...new Set(names)]
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map((name) => WEEK[name]);
  return Object.keys(BOOKS).map((key) => {
    const product = Number(key);
    const about = sheets
      .map(({ kind, at, amounts }) => ({ kind, at, amount: (amounts as Amounts)[product] }))
      .filter((one) => one.amount !== undefined)
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    return about.reduce(
      (stock, { kind, amount = 0 }) => (kind === 'count' ? amount : stock + amount),
      BOOKS[product] ?? 0,
    );
  });
}
const ORDER = Object.keys(WEEK) as Name[];

/** How many amounts of a workbook, which comes for the first time, are in counts that came before it. */
function inCounts(names: readonly Name[], place: number): number {
  const came = names.slice(0, place);
  const { kind, at, amounts }: Sheet = WEEK[names[place] ?? 'count'];
  if (kind === 'count' || came.includes(names[place] ?? 'count')) return 0;
  const counts = came.map((name): Sheet => WEEK[name]).filter((one) => one.kind === 'count' && one.at > at);
  return Object.keys(amounts).filter((key) => counts.some((one) => key in one.amounts)).length;
}

afterEach(() => {
  vi.useRealTimers();
});

/**
 * What a count is written down on: a sheet of one's own, or an export of the stock, as a workbook or a CSV;
 * with `set` the amounts alone, and who, when and why for all rows.
 */
type Paper = 'own' | 'workbook' | 'csv' | 'set';

/** A correction is written on the sheet of what it corrects. */
const CORRECTS: Partial<Record<Name, Name>> = { corrected: 'count', correctedAgain: 'again' };

/** Types amounts, and who, when and why beside them, over the lines of an exported CSV. */
function typeOver(file: string, cells: ReadonlyMap<string, Readonly<Record<string, unknown>>>): void {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  const headers = head.replace('\ufeff', '').split(';');
  const typed = lines.map((line) => {
    const [id = '', ...rest] = line.split(';');
    const own = cells.get(id) ?? {};
    return [id, ...rest]
      .map((text, at) => String(own[headers[at] ?? ''] ?? text).replace('.', ','))
      .join(';');
  });
  writeFileSync(file, [head, ...typed, ''].join('\r\n'));
}

/**
 * Imports workbooks of the week one after the other, an hour apart, and answers what is in stock then. Only
 * what was used before a count that was told already is a conflict.
 */
async function live(names: readonly Name[], paper: Paper = 'own'): Promise<number[]> {
  // One ledger, as two people share a machine.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${THURSDAY}T08:00:00`) });
  const service = await startSecondService();
  try {
    const { url, token } = service;
    const folder = tempFolder();
    const options = optionsFor({ folder, url, token });
    const products = Object.values(BOOKS).map((amount) => {
      const product = service.add.recipe({ VoorraadProduct: true });
      service.add.stock(product, amount);
      return product;
    });
    const rest = ({ who, at }: Sheet) => ({
      ...{ WerknemerID: who, DatumTijd: at, MutatieCategorieID: 4901, MutatieReden: 'Week 41' },
    });
    const own = async (name: Name): Promise<string> => {
      const sheet: Sheet = WEEK[name];
      const column = sheet.kind === 'count' ? 'GeteldRekeneenheid' : 'AantalRekeneenheid';
      const rows = Object.entries(sheet.amounts).map(([product, amount]) => [
        ...[products[Number(product)] ?? 0, amount, ...Object.values(rest(sheet))],
      ]);
      const header = ['ProductID', column, ...Object.keys(rest(sheet))];
      const title = sheet.kind === 'count' ? 'Voorraadtelling' : 'Voorraadmutaties';
      return await makeWorkbook(`${folder}/${name}.xlsx`, { [title]: [header, ...rows] });
    };
    const exported = async (name: Name): Promise<string> => {
      const [sheet, ext]: [Sheet, string] = [WEEK[name], paper === 'workbook' ? 'xlsx' : 'csv'];
      const [blank, file] = [`${folder}/blank-${CORRECTS[name] ?? name}.${ext}`, `${folder}/${name}.${ext}`];
      if (existsSync(file)) return file;
      if (!existsSync(blank)) await exportRecords(stockCount, { ...serviceOnly(options), out: blank });
      copyFileSync(blank, file);
      const who = paper === 'set' ? {} : rest(sheet);
      const cells = new Map(
        Object.entries(sheet.amounts).map(([product, amount]) => [
          String(products[Number(product)]),
          { GeteldRekeneenheid: amount, ...who },
        ]),
      );
      if (paper !== 'workbook') typeOver(file, cells);
      else
        await rewriteSheet(file, stockCount.sheet, (rows) =>
          rows.map((row) => ({ ...row, ...cells.get(String(row.ProductID)) })),
        );
      return file;
    };
    for (const [place, name] of names.entries()) {
      vi.setSystemTime(Date.now() + 3_600_000);
      const isExport = paper !== 'own' && WEEK[name].kind === 'count';
      const file = await (isExport ? exported(name) : own(name));
      const given = Object.entries(rest(WEEK[name])).map(([field, value]) => [field, String(value)]);
      const set = isExport && paper === 'set' ? { set: Object.fromEntries(given) } : {};
      const { counts } = await importWorkbook(file, { ...options, ...set });
      const { conflict } = counts;
      const [bad, counted] = [counts.invalid + counts.unknown + counts.failed, inCounts(names, place)];
      expect({ name, bad, conflict }).toEqual({ name, bad: 0, conflict: counted });
    }
    expect(service.faults).toEqual([]);
    return products.map((product) => service.stockTotal(product));
  } finally {
    await service.close();
  }
}

const BY_MISTAKE = [
  ...['count', 'corrected', 'used', 'count', 'again', 'count', 'usedLater', 'correctedAgain', 'again'],
] as Name[];
const FIRST_LAST: Name[] = ['used', 'again', 'usedLater', 'correctedAgain', 'count', 'corrected'];

describe('the workbooks of a stock-taking week end with what stands on the shelf', () => {
  it.each<[string, readonly Name[]]>([
    ['in the order of the week', ORDER],
    ['each of them twice', ORDER.flatMap((name) => [name, name])],
    ['and once more from the start', [...ORDER, ...ORDER]],
    [
      'the correction after what was used',
      ['count', 'used', 'corrected', 'again', 'usedLater', 'correctedAgain'],
    ],
    ['all corrections at the end', ['count', 'used', 'again', 'usedLater', 'corrected', 'correctedAgain']],
    [
      'what was used first, and the counts after it',
      ['used', 'count', 'corrected', 'usedLater', 'again', 'correctedAgain'],
    ],
    ['the first count last, when it holds no more', FIRST_LAST],
    ['the old files by mistake', BY_MISTAKE],
    [
      'what was used long after it was counted',
      ['count', 'corrected', 'again', 'used', 'correctedAgain', 'usedLater'],
    ],
    ['all counts first', ['count', 'again', 'corrected', 'correctedAgain', 'usedLater', 'used']],
    ['the last count first of all', ['again', 'usedLater', 'used', 'count', 'corrected', 'correctedAgain']],
    ['one that was used between two counts, at the end', ['count', 'again', 'usedLater', 'used']],
    ['without the corrections', ['count', 'used', 'again', 'usedLater']],
  ])('%s', async (_, names) => {
    expect(await live(names)).toEqual(shelf(names));
  });
});

describe('the week ends so where counts are typed over an export of the stock, as old as the count', () => {
  it.each<[Paper, string, readonly Name[]]>([
    ['workbook', 'the old files by mistake', BY_MISTAKE],
    ['workbook', 'the first count last', FIRST_LAST],
    ['csv', 'the old files by mistake', BY_MISTAKE],
    ['csv', 'the first count last', FIRST_LAST],
    ['set', 'the old files by mistake', BY_MISTAKE],
  ])('%s: %s', async (paper, _, names) => {
    expect(await live(names, paper)).toEqual(shelf(names));
  });
});
