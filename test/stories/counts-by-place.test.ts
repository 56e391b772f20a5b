import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openProgram, type Told } from './program.ts';

const WHO = ['WerknemerID=12', 'MutatieCategorieID=4901', 'MutatieReden=Telling'];
const set = (...values: readonly string[]): string[] => [...WHO, ...values].flatMap((one) => ['--set', one]);
const MORNING = '2026-03-31 08:00';
const HEAD = '#Plaats ;ProductID;GeteldRekeneenheid';

/** The program beside a service that has so much soup. */
async function openShelf(stock: number) {
  const program = await openProgram();
  const id = program.service.add.recipe({ OmschrijvingIntern: 'Tomatensoep', VoorraadProduct: true });
  program.service.add.stock(id, stock);
  const all = async (
    args: readonly string[],
    options: Parameters<typeof program.run>[1] = {},
  ): Promise<Told> =>
    JSON.parse(
      (
        await program.run(
          ['import', ...args, '--as', 'stock-count', '--yes', '--doubt', '1', '--json=all'],
          options,
        )
      ).stdout,
    );
  const count = (file: string, moment: string) => all([file, ...set(`DatumTijd=${moment}`)]);
  return { ...program, id, all, count, total: () => program.service.stockTotal(id) };
}

test('soup in the cool room and in the freezer is one posting, also on another machine, and one place is counted again later', async () => {
  const { service, json, run, write, read, id, all, count, total, folder } = await openShelf(10);
  write('week.csv', HEAD, `Koelcel;${id};5`, `Vriezer;${id};7`);
  const first = await count('week.csv', MORNING);
  expect(first.counts).toMatchObject({ read: 2, created: 1, skipped: 1 });
  expect(first.rows[0]?.message).toBe('5 stuk (Koelcel) + 7 stuk (Vriezer) = 12 stuk, was 10 stuk: +2 stuk');
  expect([total(), service.mutations.all()]).toMatchObject([12, [{ AantalRekeneenheid: 2 }]]);
  const again = await count('week.result.csv', MORNING);
  expect(again.counts).toMatchObject({ created: 0, unchanged: 2 });
  // A scanner's file of one place has no such column.
  write('scan.csv', `${id};4`);
  const given = set('DatumTijd=2026-04-01 08:00', '#place=koelcel');
  const later = await all(['scan.csv', '--columns', 'ProductID,GeteldRekeneenheid', ...given]);
  expect(later.rows[0]?.message).toMatch(
    /^4 stuk \(koelcel\) \+ 7 stuk \(Vriezer, counted 31 Mar 2026 08:00\) = 11 stuk, was 12 stuk: -1 stuk$/m,
  );
  expect(total()).toBe(11);
  await run(['undo', later.run, '--out', 'undo.xlsx']);
  const undone = await json('import', 'undo.xlsx', '--yes', '--doubt', '1');
  expect([undone.document.counts, total()]).toMatchObject([{ created: 1 }, 12]);
  service.other.useStock(id, 3);
  const moved = await count('week.csv', '2026-04-02 08:00');
  expect([moved.counts, total()]).toMatchObject([{ created: 1 }, 12]);
  service.other.useStock(id, 3);
  write('one.csv', HEAD, `Koelcel;${id};4`);
  const one = await count('one.csv', '2026-04-03 08:00');
  expect([one.rows[0]?.status, total()]).toEqual(['conflict', 9]);
  expect(one.rows[0]?.message).toContain('Count every place again');
  write('copy.csv', read('week.result.csv'));
  const other = { env: { CATERSHEET_HOME: `${folder}/elsewhere` } };
  const copy = await all(['copy.csv', ...set(`DatumTijd=${MORNING}`)], other);
  expect([copy.counts, copy.error, total()]).toMatchObject([{ created: 0 }, undefined, 9]);
});

test('a sheet for each fridge is a place, and a row that can’t be added up is refused with the others', async () => {
  const { id, count, total, folder } = await openShelf(10);
  const sheetOf = (...rows: readonly (readonly (string | number)[])[]) => [
    ['ProductID', 'GeteldRekeneenheid'],
    ...rows,
  ];
  const book = { Koelcel: sheetOf([id, 5]), Vriezer: sheetOf([id, 7], [id, 1]) };
  await makeWorkbook(`${folder}/fridges.xlsx`, book);
  const bad = await count('fridges.xlsx', MORNING);
  expect([bad.counts, total()]).toMatchObject([{ read: 3, invalid: 3 }, 10]);
  await makeWorkbook(`${folder}/fridges.xlsx`, { ...book, Vriezer: sheetOf([id, 7]) });
  const good = await count('fridges.xlsx', MORNING);
  expect([good.counts, total()]).toMatchObject([{ created: 1, skipped: 1 }, 12]);
  const again = await count(good.result ?? '', MORNING);
  expect([again.counts, total()]).toMatchObject([{ created: 0, unchanged: 2 }, 12]);
});
