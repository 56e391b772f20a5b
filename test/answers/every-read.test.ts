import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemTime } from '../../src/core/time.ts';
import { fileIn } from '../../src/kinds/download.ts';
import { readPlaces, sumOf } from '../../src/kinds/stock/products.ts';
import { endpoints, lookups } from '../../src/resources/registry.ts';
import { stockCount } from '../../src/resources/stock.ts';
import type { AnswerRecord, FileAnswer } from '../../src/schema/answer.ts';
import type { Endpoint } from '../../src/schema/endpoint.ts';
import type { Lookup } from '../../src/schema/field.ts';
import type { RecordPage } from '../../src/schema/page.ts';
import { lookupList, readEntries } from '../../src/service/lookups.ts';
import { firstPage, listRecords } from '../../src/service/pages.ts';
import { RequestError } from '../../src/service/request-error.ts';
import { openService, type Service } from '../../src/service/service.ts';
import { type SecondService, startSecondService } from '../second-service/second-service.ts';
import { SHAPES } from './answer-shapes.ts';
import { type ReshapingService, startReshaping } from './reshaping-service.ts';

/**
 * Every read endpoint of the interface answers in every shape of the table, from a service that is not the
 * sandbox. What the program reads of it is what it reads of the plain answer, or nothing at all: it refuses the
 * answer, which stops the work or marks its row, or takes it for what it says, that there is nothing.
 */

let second: SecondService;
let behind: ReshapingService;
let service: Service;
const ids = { soup: 0, event: 0, lunch: 0 };

beforeAll(async () => {
  second = await startSecondService();
  const soup = second.add.recipe({ OmschrijvingIntern: 'Linzensoep' });
  second.add.stock(soup, 24);
  const event = second.add.event({ PartijOmschrijving: 'Personeelsfeest', Datum: '2027-03-04' });
  const lunch = second.add.package({ OmschrijvingIntern: 'Lunch', ExternalID: 555 });
  second.add.link(event, lunch, { Aantal: 40, Datum: '2027-03-04' });
  Object.assign(ids, { soup, event, lunch });
  behind = await startReshaping(second.url);
  const log = pino({ level: 'silent' });
  service = openService({
    time: systemTime,
    ...{ baseUrl: behind.url, token: second.token, allowHttp: true, concurrency: 4, rate: undefined },
    ...{ timeout: 5000, retries: 0, log },
  });
});

afterAll(async () => {
  await service.close();
  behind.close();
  await second.close();
});

const DAYS = { DatumVan: '2027-01-01', DatumTot: '2027-12-31' };
const MOMENTS = { DatumVan: '2027-01-01 00:00:00', DatumTot: '2027-12-31 00:00:00' };
const ONCE = { LMT: '1970-01-01 00:00:00' };

type Read = (endpoint: Endpoint) => Promise<unknown>;

const sent =
  (params: () => Record<string, number>): Read =>
  (endpoint) =>
    service.send(endpoint, { params: params() });
const paged: Read = async (endpoint) => {
  const pages = await firstPage(service, endpoint as Endpoint<unknown, RecordPage>, ONCE);
  const records: AnswerRecord[] = [];
  for await (const { data } of pages.all(1)) records.push(...data);
  return records;
};
const listed =
  (body?: unknown, params: () => Record<string, number> = () => ({})): Read =>
  (endpoint) =>
    listRecords(service, endpoint as Endpoint<unknown, RecordPage>, {
      params: params(),
      ...(body === undefined ? {} : { body }),
    });
const looked =
  (name: string, dropdown?: number): Read =>
  async (endpoint) => {
    const lookup: Lookup = {
      name,
      endpoint: endpoint as never,
      ...(dropdown === undefined ? {} : { dropdown }),
    };
    const found = await lookupList(service, lookup);
    if (!('entries' in found)) throw new Refused(found.unreadable.en);
    return found.entries;
  };
/** A record of which the name alone is taken. */
const named =
  (name: string, id: number, label?: string): Read =>
  async (endpoint) => {
    const record = (await service.send(endpoint, { params: { id } })) as AnswerRecord | null;
    if (record === null) return null;
    const read = readEntries([record], name, label === undefined ? {} : { label });
    if (!('entries' in read) || read.entries.length === 0) throw new Refused('no name');
    return read.entries;
  };
const file: Read = async (endpoint) => {
  const answer = (await service.send(endpoint, { params: { id: '12', extension: 'pdf' } })) as FileAnswer;
  const found = fileIn(answer.bytes, 'pdf');
  if (found === null) throw new Refused('no file');
  return Buffer.from(found).toString('latin1');
};
const totalled: Read = async () => {
  const context = { service, resource: stockCount, resources: [] } as never;
  const places = await readPlaces(context, ids.soup, true);
  return (
    places &&
    Object.fromEntries(
      stockCount.amounts.map(({ total, unit }) => [total, sumOf(places, total, unit)?.toString() ?? null]),
    )
  );
};

/** What is not understood, where that is said in another way than by failing. */
class Refused extends Error {}

const packageId = () => ({ ID: ids.lunch });
const recipeId = () => ({ ID: ids.soup });
const eventId = () => ({ ID: ids.event });

/** How each endpoint that only reads is read, as the program does it. */
const READS: Readonly<Record<string, Read>> = {
  'packages.detail': sent(packageId),
  'packages.detailExternal': sent(() => ({ ID: 555 })),
  'packages.allModified': paged,
  'recipes.detail': sent(recipeId),
  'recipes.detailExternal': sent(recipeId),
  'recipes.allModified': paged,
  'stock.currenttotal': totalled,
  'events.all': listed({ EnkelEvenement: false, ...DAYS }),
  'events.allByLMT': listed({ EnkelEvenement: false, ...DAYS, LMT: '1970-01-01 00:00' }),
  'events.allkassa': listed({ EnkelEvent: false, ...DAYS }),
  'events.get': sent(eventId),
  'arrangements.list': listed(undefined, eventId),
  'trips.all': listed(MOMENTS),
  'trips.allByLMT': listed(ONCE),
  'invoices.file': file,
  'lookups.producttype': looked('producttype'),
  'lookups.productcategory': looked('productcategory'),
  'lookups.productactiecategory': looked('productactiecategory'),
  'lookups.unit': looked('unit'),
  'lookups.department': looked('department'),
  'lookups.dropdownvalue': looked('mutatiecategorie', 49),
  'lookups.relation': named('relatie', 4001, 'Bedrijfsnaam'),
  'lookups.contact': named('contactpersoon', 6001, 'Achternaam'),
  'lookups.location': named('locatie', 801),
  'lookups.product': named('product', 5, 'OmschrijvingIntern'),
  'lookups.ritten': looked('rit'),
};

/** Its answer isn't shown, and no work of the program takes anything from it. */
const TAKEN_NOWHERE = ['arrangements.get'];

/** Plain answers that the service behind does not give; a text as it is. */
const PLAIN: Readonly<Record<string, unknown>> = {
  'invoices.file': Buffer.from('%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n').toString('base64'),
  'lookups.product': { ProductID: 5, OmschrijvingIntern: 'Bloem', Actief: true },
  'lookups.ritten': [
    { RitID: 1, Omschrijving: 'Heen' },
    { RitID: 2, Omschrijving: 'Terug' },
  ],
  'recipes.detailExternal': {
    ProductID: 5,
    OmschrijvingIntern: 'Soep',
    ExternalID: 9,
    PerStukWeergeven: true,
  },
};

const reads = [...endpoints, ...lookups].filter(({ effect }) => effect === 'none');

const asText = (given: unknown) => (typeof given === 'string' ? { text: given } : { json: given });

type Outcome = { readonly read: unknown } | { readonly refused: string };

async function outcomeOf(endpoint: Endpoint): Promise<Outcome> {
  try {
    return { read: await READS[endpoint.name]?.(endpoint) };
  } catch (error) {
    if (error instanceof RequestError) return { refused: error.reason };
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

const isEmpty = (read: unknown): boolean =>
  read === null || (Array.isArray(read) && read.length === 0) || isDeepStrictEqual(read, NO_STOCK);
const NO_STOCK = { Aantal: '0', AantalProductEenheid: '0' };

/** Whether all that was read of the plain answer was read of this one, whatever more there is. */
function holds(plain: unknown, read: unknown): boolean {
  if (Array.isArray(plain))
    return (
      Array.isArray(read) && read.length === plain.length && plain.every((one, at) => holds(one, read[at]))
    );
  if (typeof plain === 'object' && plain !== null)
    return (
      typeof read === 'object' &&
      read !== null &&
      Object.entries(plain).every(([name, value]) => holds(value, (read as AnswerRecord)[name]))
    );
  return plain === read || said(plain) === said(read);
}

/** A member of which the type is not told stays as it came. */
const said = (value: unknown): string => (typeof value === 'boolean' ? String(Number(value)) : String(value));

describe('what the program reads of an answer in another shape', () => {
  it('is tried for every endpoint that only reads', () => {
    const names = reads.map(({ name }) => name).toSorted();
    expect([...Object.keys(READS), ...TAKEN_NOWHERE].toSorted()).toEqual(names);
  });

  it.each(Object.keys(READS))('is the same of %s, or nothing', async (name) => {
    const endpoint = reads.find((one) => one.name === name) as Endpoint;
    const given = PLAIN[name];
    behind.reshape = () => (given === undefined ? undefined : { status: 200, ...asText(given) });
    const plain = await outcomeOf(endpoint);
    if ('refused' in plain) throw new Error(`the plain answer is refused: ${plain.refused}`);
    expect(isEmpty(plain.read)).toBe(false);
    const taken: string[] = [];
    for (const { name: shape, of, none, first } of SHAPES) {
      behind.reshape = (_, came) => ({ status: 200, ...of(given ?? came) });
      const outcome = await outcomeOf(endpoint);
      const expected = first && Array.isArray(plain.read) ? plain.read.slice(0, 1) : plain.read;
      if ('refused' in outcome) expect(outcome.refused, shape).not.toBe('');
      else if (!holds(expected, outcome.read) && !(none && isEmpty(outcome.read)))
        taken.push(`${shape}: ${JSON.stringify(outcome.read)?.slice(0, 200)}`);
    }
    expect(taken).toEqual([]);
  });
});
