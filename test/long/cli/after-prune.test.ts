import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook, pruneRuns, undoRun } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { editBook, packageOf } from '../../import/baseline/fixtures.ts';
import { MORNING, MUTATION_HEADER, recipeIds, stockOf } from '../../kinds/posting/stock-fixtures.ts';

const COUNT_HEADER = [
  ...['ProductID', 'WerknemerID', 'DatumTijd', 'GeteldRekeneenheid'],
  ...['MutatieCategorieID', 'MutatieReden'],
];

/** Lets all that the ledger holds have been 70 days earlier, and prunes it where that is asked for. */
async function later({ folder }: TestService, prune: boolean): Promise<void> {
  const ledger = join(folder, 'ledger.db');
  const db = new Database(ledger);
  db.exec(`update runs set started_at = datetime(started_at, '-70 days');
    update states set outcome = json_set(outcome, '$.at', datetime(outcome ->> 'at', '-70 days'))
    where outcome ->> 'at' is not null;
    update writes set at = null;
    update postings set at = datetime(at, '-70 days')`);
  db.close();
  if (prune) await pruneRuns({ ledger, olderThan: 60 });
}

/** A service, and imports of it. */
async function place() {
  const service = await openTestService();
  const [recipe = 0] = await recipeIds(service, 1);
  const options = optionsFor(service);
  let made = 0;
  const out = (): string => join(service.folder, `uit-${++made}.xlsx`);
  const send = async (sheets: Parameters<typeof makeWorkbook>[1]) =>
    await importWorkbook(await makeWorkbook(join(service.folder, `in-${++made}.xlsx`), sheets), {
      ...options,
      out: out(),
    });
  const moment = new Date(Date.now() - 71 * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  const count = async (amount: number) =>
    await send({ Voorraadtelling: [COUNT_HEADER, [recipe, 12, moment, amount, 4901, 'Telling']] });
  const takeBack = async (run: string): Promise<void> => {
    const { file } = await undoRun(run, { ...serviceOnly(options), out: out() });
    await importWorkbook(file, { ...options, out: out() });
  };
  return { service, recipe, options, out, send, count, takeBack, stock: () => stockOf(service, recipe) };
}

type Told = Awaited<ReturnType<typeof importWorkbook>>;
/** What came of the first row, without what differs from one telling to the next. */
const told = ({ rows: [row] }: Told) => [
  row?.status,
  row?.message?.replace(/\d{8}-\d{6}-\w{4}/g, 'RUN').replace(/\d+ \w{3} \d{4}( [\d:]+)?/g, 'WHEN'),
];

/** What happens, and what comes of it; the same whether old runs were pruned or not. */
const STORIES: Readonly<Record<string, (prune: boolean) => Promise<unknown>>> = {
  async 'a count that was taken back, and the same count again'(prune) {
    const { service, count, takeBack, stock } = await place();
    await takeBack((await count(90)).run);
    await later(service, prune);
    return [told(await count(90)), told(await count(100)), await stock()];
  },
  async 'a #key that is used again'(prune) {
    const { service, send, recipe, stock } = await place();
    const post = (amount: number) =>
      send({
        Voorraadmutaties: [
          [...MUTATION_HEADER, '#key'],
          [recipe, 12, MORNING, amount, 4901, 'Bederf', 'kerst'],
        ],
      });
    await post(-2);
    await later(service, prune);
    return [told(await post(-7)), await stock()];
  },
  async 'an exported workbook that is used on, of which an early change is put back'(prune) {
    const { service, options, out } = await place();
    const [id = 0] = (await service.records('package')).map((record) => Number(record.id));
    const file = join(service.folder, 'export.xlsx');
    await exportRecords(packages, { ...serviceOnly(options), out: file });
    const before = await packageOf(service, id);
    const edit = async (header: string, value: string | number) => {
      await editBook(file, (set, rows) => set(rows[0] ?? 0, header, value), [id]);
      return await importWorkbook(file, { ...options, out: out() });
    };
    await edit('Verkoopprijs', 111);
    await edit('OmschrijvingIntern', 'Iets anders');
    await later(service, prune);
    const back = told(await edit('Verkoopprijs', Number(before.Verkoopprijs)));
    return [back, told(await edit('Verkoopprijs', 333)), (await packageOf(service, id)).Verkoopprijs];
  },
};

describe('old runs that were pruned change nothing of what comes of', () => {
  it.each(Object.keys(STORIES))('%s', async (name) => {
    const story = STORIES[name];
    if (story === undefined) throw new Error('no such story');
    expect(await story(true)).toEqual(await story(false));
  });
});
