import { expect, test } from 'vitest';
import { openProgram } from './program.ts';

test('a price list says how prices move before it is sent, and the largest changes, whoever looks', async () => {
  const { service, json, run, write, read } = await openProgram();
  const prices = [
    ...[[10, 11] as const, [20, 22] as const, [8, 6] as const, [0, 5] as const, [null, 5] as const],
    ...[[5, 5] as const, ...Array.from({ length: 9 }, () => [100, 101] as const)],
  ];
  const rows = prices.map(([Verkoopprijs, price], at) => {
    const id = service.add.package({ OmschrijvingIntern: `Lunch ${at}`, Verkoopprijs });
    return `${id};Lunch ${at};${price};`;
  });
  // Two prices for one product are invalid, and no change.
  const twice = service.add.package({ OmschrijvingIntern: 'Diner', Verkoopprijs: 50 });
  rows.push(`${twice};Diner;5;`, `${twice};Diner;60;`, ';Nieuw;900;create');
  write('prijzen.csv', 'ProductID;OmschrijvingIntern;Verkoopprijs;#action', ...rows);
  const given = ['import', 'prijzen.csv', '--as', 'packages', '--set', 'ProductTypeID=1'];
  const dry = await json(...given, '--dry-run');
  const [comesTo] = dry.document.comesTo ?? [];
  expect(comesTo).toMatchObject({
    ...{ sheet: 'prijzen', up: 11, down: 1, apart: 2 },
    // 938 and 948, over twelve.
    average: { from: 78.17, to: 79, percent: 1.1 },
  });
  const largest = (comesTo?.largest ?? []).map(({ row, label, from, to, percent }) => [
    ...[row, label, from, to, percent],
  ]);
  expect(largest.slice(0, 4)).toEqual([
    [4, 'Lunch 2', 8, 6, -25],
    [3, 'Lunch 1', 20, 22, 10],
    [2, 'Lunch 0', 10, 11, 10],
    [8, 'Lunch 6', 100, 101, 1],
  ]);
  expect(largest).toHaveLength(10);
  const told = await run([...given, '--dry-run', '--report', 'verslag.html', '--lang', 'nl']);
  const said = 'prijzen omhoog: 11, omlaag: 1; gemiddeld van 78,17 naar 79,00 (+1,1 %)';
  const change = 'rij 4 Lunch 2: 8,00 → 6,00 (-25 %)';
  for (const text of [said, change]) {
    expect(told.stdout).toContain(text);
    expect(read('verslag.html')).toContain(text);
  }
  const saved = await run(['runs', dry.document.run, '--lang', 'nl']);
  expect(saved.stdout).toContain(said);
  const listed = JSON.parse((await run(['runs', dry.document.run, '--json'])).stdout);
  expect(listed.comesTo).toEqual([comesTo]);
  const sent = await json('apply', dry.document.run, '--yes');
  expect([sent.document.counts.updated, sent.document.comesTo]).toEqual([14, [comesTo]]);
  // What is there by now changes no price.
  expect((await json(...given, '--dry-run')).document.comesTo).toBeUndefined();
});

test('a count says what its differences are worth, by product and in total, and for how many it can’t', async () => {
  const { service, json, run, write } = await openProgram();
  const stock = (Kostprijs: number, total: number, values = {}): number => {
    const id = service.add.recipe({ OmschrijvingIntern: `Soep ${total}`, Kostprijs });
    service.add.stock(id, total, values);
    return id;
  };
  // What the whole total is worth: 21.60, 12.55, 17, nothing of nothing, 10.
  const [less, more, boxes, none, same] = [
    ...[stock(0.9, 24), stock(1.255, 10), stock(2, 8.5, { Factor: 4 }), stock(3, 0), stock(1, 10)],
  ];
  const counted = (id: number | undefined, units: string, of = '') =>
    `${id};${units};${of};12;2026-10-02 08:00;4901;Week`;
  write(
    'telling.csv',
    'ProductID;GeteldRekeneenheid;GeteldProducteenheid;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden',
    ...[counted(less, '20'), counted(more, '12'), counted(boxes, '', '3'), counted(none, '3')],
    counted(same, '10'),
  );
  const { document } = await json('import', 'telling.csv', '--as', 'stock-count', '--dry-run');
  expect(document.comesTo).toMatchObject([
    {
      ...{ sheet: 'telling', up: 2, down: 1, apart: 1, worth: { more: 9.51, less: -3.6, total: 5.91 } },
      largest: [
        { row: 4, from: 2.125, to: 3, worth: 7 },
        { row: 2, from: 24, to: 20, worth: -3.6 },
        { row: 3, from: 10, to: 12, worth: 2.51 },
      ],
    },
  ]);
  const all = JSON.parse((await run(['runs', document.run, '--json'])).stdout);
  expect(all.rows.map(({ changes }: { changes?: { worth: unknown }[] }) => changes?.[0]?.worth)).toEqual([
    ...[-3.6, 2.51, 7, null, undefined],
  ]);
  const told = await run(['runs', document.run]);
  expect(told.stdout).toContain('differences worth 5.91 (2 more: 9.51; 1 less: -3.60); value unknown: 1.');
});
