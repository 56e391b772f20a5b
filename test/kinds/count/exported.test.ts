import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { importIn } from '../../../src/api/import-workbook.ts';
import { exportRecords, importWorkbook } from '../../../src/index.ts';
import { stockCount } from '../../../src/resources/stock-count.ts';
import { withSession } from '../../../src/session/open-session.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { importSheet, mutate, recipeIds, stockOf } from '../posting/stock-fixtures.ts';

const SET = {
  ...{
    WerknemerID: '12',
    DatumTijd: '2026-10-01 10:00',
    MutatieCategorieID: '4901',
    MutatieReden: 'Telling',
  },
};

/** An export of the stock of two products, 24 of each, of which 5 are used after that. */
async function exported(ext: 'csv' | 'xlsx', language: 'nl' | 'en' = 'nl') {
  const service = await openTestService();
  const ids = await recipeIds(service, 2);
  for (const id of ids) await mutate(service, id, 24.5 - (await stockOf(service, id)));
  const out = `${service.folder}/telling.${ext}`;
  const options = { ...optionsFor(service), locale: language };
  await exportRecords(stockCount, { ...serviceOnly(options), locale: language, out });
  for (const id of ids) await mutate(service, id, -5);
  const stock = async () => await Promise.all(ids.map((id) => stockOf(service, id)));
  /** Types over a cell of the CSV. */
  const type = (id: number, cells: Readonly<Record<string, string>>): void => {
    const lines = readFileSync(out, 'utf8').split('\r\n');
    const separator = lines[0]?.includes(';') ? ';' : ',';
    const headers = (lines[0] ?? '').replace('\ufeff', '').split(separator);
    const typed = lines.map((line) => {
      if (!line.startsWith(`${id}${separator}`)) return line;
      return line
        .split(separator)
        .map((text, at) => cells[headers[at] ?? ''] ?? text)
        .join(separator);
    });
    writeFileSync(out, typed.join('\r\n'));
  };
  const [one = 0, two = 0] = ids;
  return { service, one, two, out, options, stock, type };
}

it.each([['csv'], ['xlsx']] as const)(
  'an exported %s asks who, when and why only once an amount in it was changed',
  async (ext) => {
    const { out, options, type, one } = await exported(ext);
    const asked: string[] = [];
    const sent = async () =>
      await withSession(serviceOnly(options), undefined, async (session) =>
        importIn(session, out, {
          ...{ dryRun: true, out: `${out}.result.${ext}` },
          questions: {
            takeHeaders: async () => true,
            createUnnamed: async () => false,
            tell: () => {},
            ask: async ({ en }) => {
              asked.push(en);
              return '';
            },
          },
        }),
      );
    const { result } = await sent();
    expect([asked, result.counts.unchanged]).toEqual([[], result.counts.read]);
    if (ext === 'xlsx') return;
    type(one, { GeteldRekeneenheid: '20' });
    await sent();
    expect(asked).toHaveLength(4);
  },
);

it.each([['csv'], ['xlsx']] as const)(
  'an exported %s with --set counts no product whose amount nobody touched, and says so',
  async (ext) => {
    const { service, one, out, options, stock } = await exported(ext);
    const { counts, rows } = await importWorkbook(out, { ...options, set: SET });
    expect(counts).toMatchObject({ unchanged: counts.read });
    expect(rows[0]?.message).toContain('as it was exported, so no count');
    expect(await stock()).toEqual([19.5, 19.5]);
    // Nor is it told as one: a count of before that moment is posted.
    const header = ['ProductID', 'GeteldRekeneenheid', ...Object.keys(SET)];
    const early = [one, 3, 12, '2026-10-01 08:00', 4901, 'Telling'];
    const { rows: told } = await importSheet(service, 'Voorraadtelling', [header, early]);
    expect(told[0]?.status).toBe('created');
  },
);

it.each(['nl', 'en'] as const)(
  'an amount typed over in an exported CSV (%s) whose total moved since is a conflict with three numbers, and mine posts it',
  async (language) => {
    const { one, out, options, stock, type } = await exported('csv', language);
    type(one, { GeteldRekeneenheid: '20' });
    const set = { ...options, set: SET };
    const { counts, rows } = await importWorkbook(out, set);
    expect(counts).toMatchObject({ conflict: 1, unchanged: counts.read - 1 });
    expect(rows.find(({ status }) => status === 'conflict')?.message).toContain(
      'it was 24.5, it is 19.5 now, counted 20;',
    );
    expect((await importWorkbook(out, { ...set, onConflict: 'mine' })).counts).toMatchObject({ created: 1 });
    expect(await stock()).toEqual([20, 19.5]);
  },
);

it('an amount typed over in an exported CSV whose total moved since goes by what is decided of its row', async () => {
  const { one, out, options, stock, type } = await exported('csv');
  type(one, { GeteldRekeneenheid: '20' });
  const counts = async (row: number) =>
    await withSession(serviceOnly(options), 'wait', async (session) => {
      const decisions = [{ sheet: 'telling', row, decide: 'mine' as const }];
      const wishes = { as: 'stock-count', set: SET, decisions, out: `${out}.result.csv` };
      return (await importIn(session, out, wishes)).result.counts;
    });
  expect(await counts(3)).toMatchObject({ created: 0, conflict: 1 });
  expect(await counts(2)).toMatchObject({ created: 1, conflict: 0 });
  expect(await stock()).toEqual([20, 19.5]);
});

it('a row of an exported CSV in which somebody wrote who counted and when is a count, also with the amount as it was', async () => {
  const { service, one, two, out, options, stock, type } = await exported('csv');
  await mutate(service, one, 5);
  type(one, {
    WerknemerID: '12',
    DatumTijd: '2026-10-01 12:00',
    MutatieCategorieID: '4901',
    MutatieReden: 'T',
  });
  await importWorkbook(out, options);
  const header = ['ProductID', 'GeteldRekeneenheid', ...Object.keys(SET)];
  const early = [one, two].map((id) => [id, 3, ...Object.values(SET)]);
  const { rows } = await importSheet(service, 'Voorraadtelling', [header, ...early]);
  expect(rows.map(({ status }) => status)).toEqual(['unchanged', 'created']);
  expect(await stock()).toEqual([24.5, 3]);
});

it('a row of an exported CSV may be counted in the other unit, with the exported amount beside it', async () => {
  const { one, out, options, stock, type } = await exported('csv');
  type(one, { GeteldProducteenheid: '0' });
  const done = await importWorkbook(out, { ...options, set: SET, onConflict: 'mine' });
  expect(done.counts).toMatchObject({ created: 1, invalid: 0 });
  expect((await stock())[0]).toBe(0);
});
