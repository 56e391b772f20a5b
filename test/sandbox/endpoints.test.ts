import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints, lookups } from '../../src/resources/registry.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { Endpoint } from '../../src/schema/endpoint.ts';
import { EVENT, EVER, MUTATION, PACKAGE, RECIPE, send, TOKEN } from './open.ts';

interface Case {
  readonly name: string;
  /** Fills the braces of the path. */
  readonly in?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** What the answer must hold (an object: at least these members). */
  readonly gives: unknown;
  /** A body that must be refused, and the fields that are named for it. */
  readonly refuses?: readonly [body: object, ...fields: string[]];
  /** A path that leads to no record, where the endpoint names one in its path. */
  readonly missing?: Readonly<Record<string, string | number>>;
  /** A body that names no record. */
  readonly absent?: object;
}

const some: unknown = expect.any(Number);
const holds = (members: object): unknown => expect.objectContaining(members);
const PERIOD = { DatumVan: '2026-10-01', DatumTot: '2026-10-12' };

/**
 * Every endpoint of the interface: what it answers to a good request, and what it refuses. In the order of
 * the table.
 */
const CASES: readonly Case[] = [
  {
    name: 'packages.create',
    body: PACKAGE,
    gives: { ProductID: some, success: true },
    refuses: [{ ...PACKAGE, Verkoopprijs: 'gratis', ProductTypeID: 99 }, 'Verkoopprijs'],
  },
  {
    name: 'packages.update',
    body: { ...PACKAGE, ProductID: 5002 },
    gives: { ProductID: 5002, success: true },
    refuses: [PACKAGE, 'ProductID', 'ExternalID'],
    absent: { ...PACKAGE, ProductID: 1 },
  },
  {
    name: 'packages.delete',
    body: { ProductID: 5001 },
    gives: { id: 5001, succes: true },
    refuses: [{}, 'ProductID'],
    absent: { ProductID: 1 },
  },
  {
    name: 'packages.detail',
    in: { ID: 5002 },
    gives: holds({ ProductID: 5002, ExternalID: 30002 }),
    missing: { ID: 7001 },
  },
  {
    name: 'packages.detailExternal',
    in: { ID: 30003 },
    gives: holds({ ProductID: 5003, ExternalID: 30003 }),
    missing: { ID: 31002 },
  },
  {
    name: 'packages.allModified',
    body: { LMT: EVER },
    gives: [holds({ data: expect.any(Array) })],
    refuses: [{ LMT: 'gisteren' }, 'LMT'],
  },
  {
    name: 'recipes.create',
    body: RECIPE,
    gives: { ProductID: some, success: true },
    refuses: [{ ...RECIPE, OPK: 1.5, Gewicht: undefined }, 'Gewicht', 'OPK'],
  },
  {
    name: 'recipes.update',
    body: { ...RECIPE, ProductID: 7002 },
    gives: { ProductID: 7002, success: true },
    refuses: [RECIPE, 'ProductID'],
    absent: { ...RECIPE, ProductID: 5002 },
  },
  {
    name: 'recipes.delete',
    body: { ProductID: 7003 },
    gives: { id: 7003, succes: true },
    refuses: [{ ProductID: '7003' }, 'ProductID'],
    absent: { ProductID: 5002 },
  },
  {
    name: 'recipes.detail',
    in: { ID: 7002 },
    gives: holds({ ProductID: 7002, ExternalID: 50002 }),
    missing: { ID: 'zeven' },
  },
  {
    name: 'recipes.detailExternal',
    in: { ID: 50004 },
    gives: holds({ ProductID: 7004, ExternalID: 50004 }),
    missing: { ID: 51003 },
  },
  {
    name: 'recipes.allModified',
    body: { LMT: EVER, exportWithDeclaration: true },
    gives: [holds({ meta: expect.any(Object) })],
    refuses: [{}, 'LMT'],
  },
  {
    name: 'stock.create',
    body: { ...MUTATION, AantalRekeneenheid: 2.5 },
    gives: { id: some, success: true },
    refuses: [MUTATION, 'AantalRekeneenheid', 'AantalProducteenheid'],
  },
  {
    name: 'stock.currenttotal',
    in: { id: 7005 },
    body: { ProductID: 7005 },
    gives: { total: [holds({ Aantal: 9, AantalProductEenheid: 2.25 })], success: true },
    refuses: [{}, 'ProductID'],
  },
  { name: 'events.processevent', in: { ID: 9001 }, gives: { id: 9001, success: true }, missing: { ID: 1 } },
  {
    name: 'events.allByLMT',
    body: { EnkelEvenement: false, ...PERIOD, LMT: '2020-01-01 00:00' },
    gives: [holds({}), holds({})],
    refuses: [{ EnkelEvenement: false, ...PERIOD }, 'LMT'],
  },
  {
    name: 'events.all',
    body: { EnkelEvenement: false, ...PERIOD },
    gives: [holds({ Datum: '2026-10-02 00:00:00' }), holds({ Datum: '2026-10-11 00:00:00' })],
    refuses: [{ EnkelEvent: false, ...PERIOD }, 'EnkelEvenement', 'EnkelEvent'],
  },
  {
    name: 'events.allkassa',
    body: { EnkelEvent: false, DatumVan: '2026-10-01', DatumTot: '2027-12-31' },
    gives: expect.any(Array),
    refuses: [{ EnkelEvent: false, DatumVan: '2026-02-30', DatumTot: '2027-12-31' }, 'DatumVan'],
  },
  {
    name: 'events.get',
    in: { ID: 9002 },
    gives: holds({ PartijOmschrijving: 'Personeelsfeest De Vries Advocaten' }),
    missing: { ID: 8001 },
  },
  {
    name: 'events.create',
    body: EVENT,
    gives: { id: some, success: true },
    refuses: [{ ...EVENT, RelatieID: 99, LocatieID: 7 }, 'RelatieID', 'LocatieID'],
  },
  {
    name: 'events.update',
    body: { PartijID: 9003, AantalGasten: 88 },
    gives: { id: 9003, success: true },
    refuses: [{ PartijID: 9003, AantalGasten: 'veel' }, 'AantalGasten'],
    absent: { PartijID: 1 },
  },
  { name: 'events.uploaddocument', gives: { id: some, success: true } },
  {
    name: 'arrangements.list',
    in: { ID: 9001 },
    gives: [holds({ PartijID: 9001, ArrangementID: 1 }), holds({ ArrangementID: 8 })],
    missing: { ID: 1 },
  },
  {
    name: 'arrangements.create',
    body: { PartijID: 9001, ArrangementID: 20, Aantal: 5, Datum: '2026-10-02 00:00:00' },
    gives: { id: some, success: true },
    refuses: [
      { PartijID: 9001, ArrangementID: 21, Aantal: 5, Datum: '2026-10-02 00:00:00' },
      'ArrangementID',
    ],
  },
  {
    name: 'arrangements.update',
    body: { PartijID: 9003, ArrangementID: 3, Aantal: 6 },
    gives: { id: some, success: true },
    refuses: [{ ArrangementID: 8, Aantal: 6 }, 'PartijID'],
    absent: { PartijID: 9003, ArrangementID: 20 },
  },
  {
    name: 'arrangements.delete',
    body: { PartijID: 9005, ArrangementID: 5, DEL: true },
    gives: { succes: true },
    refuses: [{ PartijID: 9005, ArrangementID: 5 }, 'DEL'],
    absent: { PartijID: 9005, ArrangementID: 20, DEL: true },
  },
  {
    name: 'arrangements.get',
    in: { ID: 60001 },
    gives: holds({ ArrangementNaam: 'Ontvangst met koffie en gebak', PartijID: 9001 }),
    missing: { ID: 99 },
  },
  {
    name: 'trips.all',
    body: { DatumVan: '2026-10-02 00:00:00', DatumTot: '2026-10-02 23:59:59' },
    gives: [holds({ RitID: 8001 }), holds({ RitID: 8002 })],
    refuses: [{ DatumVan: '2026-10-02' }, 'DatumVan', 'DatumTot'],
  },
  { name: 'trips.allByLMT', body: { LMT: EVER }, gives: expect.any(Array), refuses: [{}, 'LMT'] },
  {
    name: 'trips.update',
    body: { RitID: 8003, Chauffeur: 'J. de Boer' },
    gives: {},
    refuses: [{ RitID: 8003, TypeVoertuigID: 1 }, 'TypeVoertuigID'],
    absent: { RitID: 1 },
  },
  { name: 'trips.delete', in: { ID: 8004 }, gives: { id: 8004, succes: true }, missing: { ID: 1 } },
  {
    name: 'invoices.file',
    in: { id: 2026001, extension: 'pdf' },
    gives: expect.stringMatching(/^%PDF-1\.4[\s\S]*%%EOF\n$/),
    missing: { id: 1, extension: 'pdf' },
  },
  { name: 'orders.sendAll', gives: { success: true, verzonden: 6 } },
  { name: 'orders.send', in: { ID: 4501 }, gives: { id: 4501, success: true }, missing: { ID: 1 } },
  {
    name: 'lookups.producttype',
    gives: expect.arrayContaining([{ ProductTypeID: 1, ProductType: 'Buffet', VerkoopCategorieID: 11 }]),
  },
  {
    name: 'lookups.productcategory',
    gives: expect.arrayContaining([holds({ ProductCategorieID: 12, ProductCategorie: 'Dranken' })]),
  },
  {
    name: 'lookups.productactiecategory',
    gives: expect.arrayContaining([{ ProductActieCategorieID: '107', Omschrijving: 'Desserts' }]),
  },
  {
    name: 'lookups.unit',
    gives: {
      data: expect.arrayContaining([{ RekenEenheidID: 1, RekenEenheid: 'kilogram', Afkorting: 'kg' }]),
    },
  },
  {
    name: 'lookups.department',
    gives: expect.arrayContaining([holds({ SubAfdelingID: 2, SubAfdeling: 'Koude keuken' })]),
  },
  {
    name: 'lookups.dropdownvalue',
    in: { id: 49 },
    gives: expect.arrayContaining([holds({ WaardeID: 4901, Waarde: 'Telling' })]),
    missing: { id: 1 },
  },
  {
    name: 'lookups.relation',
    in: { id: 5 },
    gives: holds({ RelatieID: 5, Bedrijfsnaam: 'Müller & Söhne GmbH' }),
    missing: { id: 9 },
  },
  {
    name: 'lookups.contact',
    in: { id: 8 },
    gives: holds({ ContactpersoonID: 8, Achternaam: 'Jansen' }),
    missing: { id: 9 },
  },
  {
    name: 'lookups.location',
    in: { id: 6 },
    gives: holds({ LocatieID: 6, Locatie: 'Op locatie van de klant' }),
    missing: { id: 7 },
  },
  {
    name: 'lookups.product',
    in: { id: 7002 },
    gives: holds({ ProductID: 7002, OmschrijvingIntern: 'Proefsoep' }),
    missing: { id: 1 },
  },
  { name: 'lookups.ritten', gives: expect.arrayContaining([holds({ RitID: 8001 })]) },
];

const table: readonly Endpoint[] = [...endpoints, ...lookups];

const endpointOf = ({ name }: Case): Endpoint => {
  const endpoint = table.find((candidate) => candidate.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  return endpoint;
};

const pathOf = (endpoint: Endpoint, values: Case['in'] = {}): string =>
  `/${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? 1))}`;

let url = '';

beforeAll(async () => {
  const sandbox = await createSandbox({ token: TOKEN, dialect: { types: 'plain' } });
  url = sandbox.url;
  return sandbox.close;
});

function upload(): RequestInit {
  const form = new FormData();
  form.set('PartijID', '9001');
  form.set('Submap', 'Draaiboek');
  form.set('Document', new File(['Aankomst 09.30'], 'draaiboek é.txt'));
  return { method: 'POST', body: form, headers: { authorization: `Bearer ${TOKEN}` } };
}

test('every endpoint of the table has a case', () => {
  expect(CASES.map(({ name }) => name)).toEqual(table.map(({ name }) => name));
  expect([endpoints.length, lookups.length]).toEqual([34, 11]);
});

describe.each(CASES)('$name', (given) => {
  const endpoint = endpointOf(given);
  const { method } = endpoint;

  test('asks for the token first', async () => {
    const answer = await send(url, method, pathOf(endpoint, given.in), 'geen JSON', {
      authorization: 'Bearer anders',
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ errors: expect.any(String), message: 'Unauthenticated.' });
  });

  test('answers as the interface says', async () => {
    const multipart = endpoint.sends === 'multipart';
    const answer = multipart
      ? await fetch(`${url}${pathOf(endpoint)}`, upload()).then(async (response) => ({
          status: response.status,
          body: await response.json(),
        }))
      : await send(url, method, pathOf(endpoint, given.in), given.body);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual(given.gives);
    if (endpoint.returns === undefined) expect(() => endpoint.answer.parse(answer.body)).not.toThrow();
  });

  const [refused, ...fields] = given.refuses ?? [];
  if (refused)
    test('names the fields it refuses', async () => {
      const answer = await send(url, method, pathOf(endpoint, given.in), refused);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors).sort()).toEqual(fields.sort());
      expect(answer.body.message).toContain(
        Object.values(answer.body.errors as Record<string, string[]>).flat()[0],
      );
    });

  if (endpoint.body)
    test('refuses a body that is no JSON', async () => {
      const answer = await send(url, method, pathOf(endpoint, given.in), '{"ProductID": ');
      expect(answer).toMatchObject({ status: 422, body: { errors: { body: [expect.any(String)] } } });
    });

  if (given.missing ?? given.absent)
    test('says that there is no such record', async () => {
      const answer = await send(
        url,
        method,
        pathOf(endpoint, given.missing ?? given.in),
        given.absent ?? given.body,
      );
      expect(answer).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('niet gevonden') },
      });
    });
});
