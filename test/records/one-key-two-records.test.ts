import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { stockMutations } from '../../src/resources/stock-mutations.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import type { AnswerKnobs } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

function csv(...lines: readonly string[]): string {
  const file = `${tempFolder()}/rijen.csv`;
  writeFileSync(file, lines.join('\r\n'));
  return file;
}

async function open(pageSize = 50, whole: AnswerKnobs['whole'] = 'records') {
  const service = await startSecondService({ answers: { pageSize, whole } });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const rows = (price: number, keys: readonly number[]): string => {
    const lines = keys.map((key) => `${key};Pakket ${key};1;${price}`);
    writeFileSync(
      `${folder}/rijen.csv`,
      ['ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', ...lines].join('\r\n'),
    );
    return `${folder}/rijen.csv`;
  };
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), as: packages };
  return { service, rows, options };
}

it.each([1, 2, 3, 8])(
  'two records with one ExternalID are named, and neither is changed, in a file of %i rows',
  async (count) => {
    const { service, rows, options } = await open();
    const [one, two] = [1, 2].map(() => service.add.package({ ExternalID: 9_001 }));
    const keys = Array.from({ length: count }, (_, at) => 9_001 + at);
    const {
      rows: [first],
    } = await importWorkbook(rows(5, keys), options);
    expect(first).toMatchObject({ status: 'conflict' });
    expect(first?.message).toContain(String(one));
    expect(first?.message).toContain(String(two));
    expect(service.packages.where({ ExternalID: 9_001 }).map(({ Verkoopprijs }) => Verkoopprijs)).toEqual([
      12.5, 12.5,
    ]);
  },
);

it.each(['records', 'array with data', 'data'] as const)(
  'two records with one ExternalID are named also far apart on a long list, which comes whole as %s',
  async (whole) => {
    const { service, rows, options } = await open(10, whole);
    const one = service.add.package({ ExternalID: 9_001 });
    for (let at = 0; at < 300; at++) service.add.package();
    const other = service.add.package({ ExternalID: 9_001 });
    for (const count of [1, 3, 5]) {
      const keys = Array.from({ length: count }, (_, at) => 9_001 + at);
      const before = service.journal.requests.length;
      const done = await importWorkbook(rows(5, keys), { ...options, dryRun: true });
      expect(done.rows[0]).toMatchObject({ status: 'conflict' });
      for (const id of [one, other]) expect(done.rows[0]?.message).toContain(String(id));
      const asked = service.journal.requests.slice(before).map(({ endpoint }) => endpoint);
      // Its first page and all of it; of records that it lacks two by themselves.
      const reads = asked.filter((endpoint) => endpoint.startsWith('package'));
      expect(reads).toHaveLength(count === 1 ? 2 : 4);
    }
  },
);

it.each(['refused', 'pages'] as const)(
  'a service by which a whole list is %s is asked for it once, and then row by row',
  async (whole) => {
    const { service, rows, options } = await open(10, whole);
    for (let at = 0; at < 300; at++) service.add.package();
    const planning = async (price: number): Promise<number> => {
      const before = service.journal.requests.length;
      const { counts } = await importWorkbook(rows(price, [9_001, 9_002]), { ...options, dryRun: true });
      expect(counts).toMatchObject({ created: 2 });
      const asked = service.journal.requests.slice(before).map(({ endpoint }) => endpoint);
      return asked.filter((endpoint) => endpoint.startsWith('package')).length;
    };
    expect([await planning(5), await planning(6)]).toEqual([4, 3]);
  },
);

it('where a long list comes in pages alone, the page of it that is read anyway tells of a second record with an ExternalID', async () => {
  const { service, rows, options } = await open(10, 'pages');
  const one = service.packages.entries()[0]?.[0] ?? 0;
  const key = Number(service.packages.get(one)?.ExternalID);
  for (let at = 0; at < 100; at++) service.add.package();
  service.set({ values: { sharedExternalId: 'last' } });
  const other = service.add.package({ ExternalID: key });
  const {
    rows: [row],
  } = await importWorkbook(rows(5, [key]), options);
  expect(row).toMatchObject({ status: 'conflict' });
  for (const id of [one, other]) expect(row?.message).toContain(String(id));
  expect(service.packages.get(other)?.Verkoopprijs).toBe(12.5);
});

it('where a long list comes in pages alone, the ledger tells of a second record with the ExternalID that it gave out', async () => {
  const { service, rows, options } = await open(2, 'pages');
  for (let at = 0; at < 20; at++) service.add.package();
  const made = await importWorkbook(rows(5, [9_001]), options);
  service.set({ values: { sharedExternalId: 'last' } });
  const other = service.add.package({ ExternalID: 9_001 });
  const {
    rows: [row],
  } = await importWorkbook(rows(6, [9_001]), options);
  expect(row).toMatchObject({ status: 'conflict' });
  for (const id of [made.rows[0]?.id, other]) expect(row?.message).toContain(String(id));
});

it.each(['recipe', 'package'] as const)(
  'nothing is posted on one of two products that share an ExternalID: %s',
  async (kind) => {
    const { service, options } = await open();
    const ids = [1, 2].map(() => service.add[kind]({ ExternalID: 888 }));
    for (const id of ids) service.add.stock(id, 10);
    const cells = '888;7;2026-01-05 10:00;-2;4902;Gevallen';
    for (const [as, amount] of [
      [stockMutations, 'AantalRekeneenheid'],
      [stockCount, 'GeteldRekeneenheid'],
    ] as const) {
      const file = csv(
        `Product.ExternalID;WerknemerID;DatumTijd;${amount};MutatieCategorieID;MutatieReden`,
        cells.replace('-2', as === stockCount ? '8' : '-2'),
      );
      const { rows } = await importWorkbook(file, { ...options, as });
      expect(rows).toMatchObject([{ status: 'invalid', issues: [{ code: 'reference-ambiguous' }] }]);
      for (const id of ids) expect(rows[0]?.issues?.[0]?.message).toContain(String(id));
    }
    expect(ids.map((id) => service.stockTotal(id))).toEqual([10, 10]);
  },
);

it('nothing is linked to one of two events that share an ExternalID', async () => {
  const { service, options } = await open();
  const ids = [1, 2].map(() => service.add.event({ ExternalID: 7777, Datum: '2027-01-08 00:00:00' }));
  const product = service.add.package({});
  const before = service.links.all().length;
  const file = csv('Event.ExternalID;ArrangementID;Aantal;Datum', `7777;${product};10;2027-01-08`);
  const { rows } = await importWorkbook(file, { ...options, as: arrangements });
  expect(rows).toMatchObject([{ status: 'invalid', issues: [{ code: 'reference-ambiguous' }] }]);
  for (const id of ids) expect(rows[0]?.issues?.[0]?.message).toContain(String(id));
  expect(service.links.all()).toHaveLength(before);
});

it('of two records with one ExternalID the one that the ledger remembers is no reason to guess', async () => {
  const { service, options } = await open();
  const header =
    'Product.ExternalID;WerknemerID;DatumTijd;AantalRekeneenheid;MutatieCategorieID;MutatieReden';
  const made = await importWorkbook(
    csv('ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', '889;Eigen;1;5'),
    options,
  );
  const own = Number(made.rows[0]?.id);
  const other = service.add.package({ ExternalID: 889 });
  for (const id of [own, other]) service.add.stock(id, 10);
  const file = csv(header, '889;7;2026-01-05 10:00;-2;4902;Gevallen');
  const { rows } = await importWorkbook(file, { ...options, as: stockMutations });
  expect(rows).toMatchObject([{ status: 'invalid', issues: [{ code: 'reference-ambiguous' }] }]);
  expect([own, other].map((id) => service.stockTotal(id))).toEqual([10, 10]);
});

it('a package and a recipe may share an ExternalID: each sheet finds its own, and only a reference to it is an issue', async () => {
  const { service, rows, options } = await open();
  const [own, other] = [service.add.package({ ExternalID: 888 }), service.add.recipe({ ExternalID: 888 })];
  const updated = await importWorkbook(rows(99, [888]), options);
  expect(updated.counts).toMatchObject({ updated: 1 });
  expect(service.packages.get(own)).toMatchObject({ Verkoopprijs: 99 });
  const recipe = await importWorkbook(csv('ExternalID;OPK', '888;7'), { ...options, as: recipes });
  expect(recipe.counts).toMatchObject({ updated: 1 });
  expect(service.recipes.get(other)).toMatchObject({ OPK: 7 });
  const header =
    'Product.ExternalID;WerknemerID;DatumTijd;AantalRekeneenheid;MutatieCategorieID;MutatieReden';
  const file = csv(header, '888;12;2026-10-01 08:00:00;2;4901;Bederf');
  const { rows: posted } = await importWorkbook(file, { ...options, as: stockMutations });
  expect(posted[0]?.issues).toMatchObject([{ code: 'reference-ambiguous', cell: 'A2' }]);
  for (const id of [own, other]) expect(posted[0]?.issues?.[0]?.message).toContain(String(id));
});
