import { expect, it } from 'vitest';
import { idOf, open } from './client.ts';
import type { AnswerKnobs } from './knobs.ts';

type Asked = readonly [method: string, path: string, body?: unknown];

const days = (from: string, to: string) => ({ EnkelEvenement: true, DatumVan: from, DatumTot: to });
const JANUARY: Asked = ['POST', 'event/all', days('2027-01-01', '2027-01-31')];
const NEVER: Asked = ['POST', 'event/all', days('1999-01-01', '1999-01-31')];
const TRIPS: Asked = ['POST', 'ritten/all', { DatumVan: '2027-01-01', DatumTot: '2027-01-31' }];
const ALL: Asked = ['POST', 'product/pakket/allModified', { LMT: '2000-01-01 00:00:00' }];
const WHOLE: Asked = ['POST', ALL[1], { LMT: '2000-01-01 00:00:00', downloadResponseAsJSON: true }];
const ONE: Asked = ['GET', 'product/pakket/detail/1001'];
const GONE: Asked = ['GET', 'product/recept/detailExternal/9'];
const WRONG: Asked = ['PUT', 'product/pakket/create', { ProductTypeID: 1, OmschrijvingIntern: 'x' }];
const some = (count: number, of = {}) => Array.from({ length: count }, () => expect.objectContaining(of));
const EVENT = expect.objectContaining({ PartijID: 5001 });
const next = (link: RegExp) => [
  expect.objectContaining({ links: expect.objectContaining({ next: expect.stringMatching(link) }) }),
];

it.each<[Partial<AnswerKnobs>, Asked, number, unknown]>([
  [{}, JANUARY, 200, [EVENT]],
  [{ lists: 'single when one' }, JANUARY, 200, EVENT],
  [{ lists: 'data' }, JANUARY, 200, { data: [EVENT] }],
  [{ lists: 'data' }, TRIPS, 200, some(1)],
  [{ otherLists: 'data' }, TRIPS, 200, { data: some(1) }],
  [{ none: 'empty' }, NEVER, 200, []],
  [{ none: 'null' }, NEVER, 200, null],
  [{ none: '{}' }, NEVER, 200, {}],
  [{ none: '404' }, NEVER, 404, { message: 'Not Found.' }],
  [{ listCap: 1 }, ['POST', 'event/all', days('2027-01-01', '2027-12-31')], 200, some(1)],
  [{ pageSize: 1 }, ALL, 200, next(/^http:\/\/127\.0\.0\.1:\d+\/api\/.*\?page=2$/)],
  [{ pageSize: 1, links: 'relative' }, ALL, 200, next(/^\/api\/v1\/product\/pakket\/allModified\?page=2$/)],
  [{ pageSize: 1, links: 'other host' }, ALL, 200, next(/^http:\/\/app\.intern:8080\/api/)],
  [{ pageSize: 1, links: 'other scheme' }, ALL, 200, next(/^https:/)],
  [
    { page: 'bare', noNumber: 0, noText: '' },
    ALL,
    200,
    expect.objectContaining({ data: some(3, { Volume: 0, OfferteTekst: '' }) }),
  ],
  [{}, WHOLE, 200, some(3)],
  [{ whole: 'data' }, WHOLE, 200, { data: some(3) }],
  [{ whole: 'array with data' }, WHOLE, 200, [{ data: some(3) }]],
  [{ whole: 'refused' }, WHOLE, 422, expect.anything()],
  [{ detail: 'data' }, ONE, 200, { data: expect.objectContaining({ ProductID: 1001 }) }],
  [{ detail: 'array' }, ONE, 200, some(1, { ProductID: 1001 })],
  [{ missing: '404 json' }, GONE, 404, { message: 'Not Found.' }],
  [{ missing: '404 html' }, GONE, 404, undefined],
  [{ missing: 'null' }, GONE, 200, null],
  [{ missing: '[]' }, GONE, 200, []],
  [
    { refusal: '422' },
    WRONG,
    422,
    { message: 'The given data was invalid.', errors: { Verkoopprijs: expect.any(Array) } },
  ],
  [{ refusal: '400' }, WRONG, 400, { error: 'The Verkoopprijs field is required.' }],
  [
    { refusal: '200 success false' },
    WRONG,
    200,
    { success: false, message: 'The Verkoopprijs field is required.' },
  ],
  [{ refusal: '200 id 0' }, WRONG, 200, { ProductID: 0, success: false }],
  [
    { missing: 'null' },
    ['POST', 'event', { PartijID: 9 }],
    422,
    expect.objectContaining({ errors: { PartijID: expect.any(Array) } }),
  ],
  [
    {},
    ONE,
    200,
    expect.objectContaining({ ProductID: 1001, Actief: true, Verkoopprijs: 18.75, ExternalID: 101 }),
  ],
  [
    { ids: 'string', flags: 'string', numbers: 'fixed' },
    ONE,
    200,
    expect.objectContaining({ ProductID: '1001', Actief: '1', Verkoopprijs: '18.75' }),
  ],
  [
    { flags: 'number', numbers: 'string', noExternalId: '0' },
    ['GET', 'product/pakket/detail/1003'],
    200,
    expect.objectContaining({ Actief: 1, Verkoopprijs: '49', ExternalID: '0' }),
  ],
  [
    { ids: 'strings in lists', numbers: 'strings in lists' },
    ONE,
    200,
    expect.objectContaining({ ProductID: 1001, Verkoopprijs: 18.75 }),
  ],
  [
    { ids: 'strings in lists', numbers: 'strings in lists' },
    WHOLE,
    200,
    some(3, { ProductID: expect.any(String), Verkoopprijs: expect.any(String) }),
  ],
  [{ dates: 'seconds' }, JANUARY, 200, some(1, { Datum: '2027-01-08 00:00:00' })],
  [
    { dates: 'detail fraction' },
    ['GET', 'event/5001'],
    200,
    expect.objectContaining({ Datum: '2027-01-08 00:00:00.000' }),
  ],
  [{}, ['GET', 'unit/all'], 200, some(3, { EenheidID: expect.any(Number), Eenheid: expect.any(String) })],
  [
    { lookupNames: 'Dutch' },
    ['GET', 'unit/all'],
    200,
    some(3, { ID: expect.any(Number), Omschrijving: expect.any(String) }),
  ],
  [{ extraMembers: true }, ONE, 200, expect.objectContaining({ InterneVersie: 7 })],
])('with %j the answer is of that shape: %#', async (answers, [method, path, body], status, json) => {
  const { service, send } = open({ answers });
  const reply = await send(method, path, body);
  expect([reply.status, reply.json]).toEqual([status, json]);
  for (const { done } of service.journal.writes) expect(done).toBe('not done');
});

it('a list is in another order, and without what is not active, where the knobs say so', async () => {
  const { service, send } = open({ answers: { listOrder: 'id descending', inactiveInLists: false } });
  service.other.change('package', 1002, { Actief: false });
  service.other.change('trip', 301, { DEL: true });
  expect((await send(...ALL)).json[0].data.map((one: { ProductID: number }) => one.ProductID)).toEqual([
    1003, 1001,
  ]);
  expect((await send('GET', 'core/ritten/all')).json).toMatchObject([{ RitID: 302 }]);
});

it('types that are mixed change from answer to answer, and values never', async () => {
  const { send } = open({ answers: { ids: 'mixed', flags: 'mixed', numbers: 'mixed', order: 'mixed' } });
  const seen = new Set<string>();
  for (let n = 0; n < 30; n += 1) {
    const { json } = await send(...ONE);
    seen.add(`${typeof json.ProductID} ${typeof json.Actief}`);
    expect([Number(json.ProductID), Number(json.Verkoopprijs)]).toEqual([1001, 18.75]);
  }
  expect(seen.size).toBeGreaterThan(3);
});

it('a write says its success as it is told, and a link its own id or that of its package', async () => {
  const { service, send, create } = open({
    answers: { success: 'true', ids: 'string' },
    values: { linkId: 'ArrangementID' },
  });
  expect((await create()).json).toEqual({ ProductID: expect.any(String), success: 'true' });
  const link = { PartijID: service.add.event(), ArrangementID: 1001, Aantal: 2, Datum: '2027-01-01' };
  expect(idOf(await send('PUT', 'event/package', link))).toBe(1001);
});

it('bytes are zipped, begin with a mark, name no charset, and come over a connection that is closed', async () => {
  const { send, service } = open({
    answers: { gzip: 'always', bom: true, charset: 'none', keepAlive: 'closed', headerCase: 'upper' },
  });
  const { headers, text } = await send('GET', 'unit/all');
  expect(['content-encoding', 'content-type', 'connection'].map((name) => headers.get(name))).toEqual([
    ...['gzip', 'application/json', 'close'],
  ]);
  expect(text).toMatch(/^\ufeff?\[/);
  service.set({ answers: { keepAlive: 'silently closed', headerCase: 'lower' } });
  for (let n = 0; n < 3; n += 1)
    expect((await send('GET', 'unit/all')).headers.get('connection')).toBe('keep-alive');
});
