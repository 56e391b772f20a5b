import { describe, expect, test, vi } from 'vitest';
import { openWorld } from '../promises/world.ts';

const STOCK = ['ProductID', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'];
const UNTIL = /it may still arrive until \d+ [A-Z][a-z]{2} \d{4} \d\d:\d\d/;

/** A product with 24 in stock, and imports of one posting on it of which the first is not answered. */
function open(amount: 'GeteldRekeneenheid' | 'AantalRekeneenheid') {
  const world = openWorld();
  const { service, sheet, machine } = world;
  const product = service.add.product();
  service.add.stock(product, 24);
  const as = amount === 'GeteldRekeneenheid' ? 'stock-count' : 'stock-mutations';
  const row = [product, 12, '2026-10-01 08:00', 4901, 'Bederf', as === 'stock-count' ? 30 : -2];
  const file = sheet([[...STOCK, amount], row]);
  service.failNext({ kind: 'answer', when: 'before', status: 504, body: {} });
  const options = machine();
  return {
    ...world,
    run: async (doubt = 60) => {
      const done = await world.importWorkbook(file, { ...options, as, doubt });
      return { run: done.run, status: done.rows[0]?.status, message: done.rows[0]?.message ?? '' };
    },
    resend: async (run: string, doubt?: number) =>
      (await world.applyPlan(run, { ...options, resend: ['2'], doubt })).counts,
  };
}

describe('a posting without an answer is unknown, and says how that ends (14, 17)', () => {
  test('until when it may still arrive, and how its run is told what came of it; sent again only after that', async () => {
    const { run, resend, service, time } = open('AantalRekeneenheid');
    const first = await run();
    expect(first).toMatchObject({ status: 'unknown', message: expect.stringMatching(UNTIL) });
    expect(first.message).toMatch(new RegExp(`catersheet apply ${first.run} --resend "(.+?)".*--done "\\1"`));
    const { length } = service.journal.writes;
    await expect(resend(first.run)).rejects.toMatchObject({
      exit: 2,
      next: expect.stringContaining('--doubt 0'),
    });
    expect((await run()).status).toBe('unknown');
    expect(service.journal.writes).toHaveLength(length);
    await time.sleep(61_000);
    expect(await resend(first.run)).toMatchObject({ created: 1, unknown: 0 });
    expect(service.mutations.size).toBe(1);
  });

  test('also in the hour that comes twice as summer time ends', async () => {
    vi.stubEnv('TZ', 'Europe/Amsterdam');
    const { run, resend, service, time } = open('AantalRekeneenheid');
    time.jump(Date.UTC(2027, 9, 31, 1, 10) - time.now());
    const first = await run();
    expect(first).toMatchObject({ status: 'unknown', message: expect.stringMatching(UNTIL) });
    await expect(resend(first.run)).rejects.toMatchObject({ exit: 2 });
    await time.sleep(61_000);
    expect(await resend(first.run)).toMatchObject({ created: 1, unknown: 0 });
    expect(service.mutations.size).toBe(1);
  });

  test('by what passes once more, where the clock of this machine was set forward meanwhile', async () => {
    const { run, resend, service, time } = open('AantalRekeneenheid');
    const first = await run();
    time.jump(3_600_000);
    const from = time.steady();
    expect(await resend(first.run, 60)).toMatchObject({ created: 1, unknown: 0 });
    expect(time.steady() - from).toBeGreaterThan(59_000);
    expect(service.mutations.size).toBe(1);
  });

  test('at once where --doubt 0 says that it can no longer arrive', async () => {
    const { run, resend, service } = open('AantalRekeneenheid');
    const first = await run();
    expect(await resend(first.run, 0)).toMatchObject({ created: 1, unknown: 0 });
    expect(service.mutations.size).toBe(1);
  });

  test('a count too, and it is sent again only where its total is still that of the plan', async () => {
    const { run, resend, service, time } = open('GeteldRekeneenheid');
    const first = await run();
    expect(first).toMatchObject({ status: 'unknown', message: expect.stringMatching(UNTIL) });
    expect((await run()).message).toContain(`catersheet apply ${first.run} --resend`);
    await time.sleep(61_000);
    expect(await resend(first.run)).toMatchObject({ created: 1, unknown: 0 });
    expect(service.mutations.size).toBe(1);
  });
});

test('a create without an answer does not take a colleague’s new record that looks like it', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld();
  const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === 'package.create';
  service.failNext({ kind: 'reset', when: 'before' }, isCreate);
  const theirs = { OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: 12 };
  let id = 0;
  service.at(
    ({ endpoint }) => endpoint === 'package.allModified' && service.journal.requests.some(isCreate),
    () => (id = service.other.create('package', theirs)),
  );
  const header = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
  await importWorkbook(sheet([header, [700, 'Lunch luxe', 1, '12,5']]), machine());
  expect(service.packages.get(id)).toMatchObject(theirs);
  expect(service.packages.where({ ProductID: id, ExternalID: 700 })).toEqual([]);
});

test('a value that the service does not keep is said on its row, and sent once (14)', async () => {
  const { service, sheet, machine, importWorkbook } = openWorld({
    values: { ignored: ['Volume'], cutAt: { Offertetekst: 9 } },
  });
  const options = machine();
  const header = [
    'ExternalID',
    'OmschrijvingIntern',
    'ProductTypeID',
    'Verkoopprijs',
    'Volume',
    'Offertetekst',
  ];
  const rows = ['Taart met room', 'Broodje met kaas'].map((text, at) => [901 + at, 'Lunch', 1, 12, 2, text]);
  const first = await importWorkbook(sheet([header, ...rows]), options);
  expect(first.rows.map(({ issues = [] }) => issues.map(({ code }) => code).toSorted())).toEqual([
    ...[
      ['not-kept', 'text-cut'],
      ['not-kept', 'text-cut'],
    ],
  ]);
  const { length } = service.journal.writes;
  expect((await importWorkbook(sheet([header, ...rows]), options)).counts.unchanged).toBe(2);
  expect(service.journal.writes).toHaveLength(length);
});
