import { describe, expect, test } from 'vitest';
import type { SandboxDialect } from '../../src/sandbox/options.ts';
import { EVENT, EVER, type Opened, open, PACKAGE, RECIPE } from './open.ts';

const BODIES = { pakket: PACKAGE, recept: RECIPE } as const;

/** Creates with and without ExternalID, updates with it, and tells which of the requests stored it. */
async function whereKept(service: Opened, kind: 'pakket' | 'recept') {
  const [base, body] = [`/api/v1/product/${kind}`, BODIES[kind]];
  const keyed = await service.call('PUT', `${base}/create`, { ...body, ExternalID: 41001 });
  const plain = await service.call('PUT', `${base}/create`, body);
  const update = { ...body, ProductID: plain.body.ProductID, ExternalID: 41002 };
  const updated = await service.call('POST', `${base}/update`, update);
  const found = async (key: number) => (await service.call('GET', `${base}/detailExternal/${key}`)).status;
  return {
    create: keyed.status,
    update: updated.status,
    byCreate: await found(41001),
    byUpdate: await found(41002),
  };
}

describe('ExternalID', () => {
  test.each([
    ['update', 'pakket', { create: 422, update: 200, byCreate: 404, byUpdate: 200 }],
    ['update', 'recept', { create: 422, update: 200, byCreate: 404, byUpdate: 200 }],
    ['create', 'pakket', { create: 200, update: 200, byCreate: 200, byUpdate: 404 }],
    ['never', 'recept', { create: 422, update: 422, byCreate: 404, byUpdate: 404 }],
  ] as const)('kept on %s: %s', async (externalId, kind, outcome) => {
    const service = await open({ dialect: { externalId } });
    expect(await whereKept(service, kind)).toEqual(outcome);
  });

  test.each([
    ['update', 71002],
    ['create', 71001],
    ['never', null],
  ] as const)('of an event, kept on %s', async (externalId, kept) => {
    const service = await open({ dialect: { externalId, types: 'plain' } });
    const { id } = (await service.call('PUT', '/api/v1/event', { ...EVENT, ExternalID: 71001 })).body;
    await service.call('POST', '/api/v1/event', { PartijID: id, ExternalID: 71002 });
    expect((await service.call('GET', `/api/v1/event/${id}`)).body.ExternalID).toBe(kept);
  });
});

describe('a missing record', () => {
  const NONE = { status: 404, body: { message: expect.any(String) } };

  test.each([
    ['404', NONE, NONE],
    ['null', { status: 200, body: null }, NONE],
    ['empty', { status: 200, body: {} }, NONE],
    ['false', { status: 200, body: { success: false } }, { status: 200, body: { success: false } }],
  ] as const)('answers as %s', async (missing, read, write) => {
    const service = await open({ dialect: { missing } });
    for (const path of [
      'product/pakket/detail/1',
      'product/recept/detailExternal/1',
      'event/1',
      'relation/99',
    ]) {
      const { status, body } = await service.call('GET', `/api/v1/${path}`);
      expect({ status, body }).toEqual(read);
    }
    const update = await service.call('POST', '/api/v1/product/pakket/update', { ...PACKAGE, ProductID: 1 });
    expect(update).toMatchObject(write);
  });
});

describe('an event list of one', () => {
  const days = { EnkelEvenement: false, DatumVan: '2026-10-02', DatumTot: '2026-10-02' };

  test.each([
    ['list', [expect.objectContaining({ PartijID: 9001 })]],
    ['single', expect.objectContaining({ PartijID: 9001 })],
  ] as const)('answers as %s', async (listShape, shape) => {
    const service = await open({ dialect: { listShape, types: 'plain' } });
    expect((await service.call('POST', '/api/v1/event/all', days)).body).toEqual(shape);
    const more = await service.call('POST', '/api/v1/event/all', { ...days, DatumTot: '2026-10-11' });
    expect(more.body).toHaveLength(2);
  });
});

test.each([
  ['array', (body: unknown[]) => body],
  ['data', (body: { data: unknown[] }) => body.data],
  [
    'page',
    ([body]: [{ data: unknown[]; meta: { total: number } }]) => (body.meta.total === 30 ? body.data : []),
  ],
] as readonly [SandboxDialect['download'], (body: never) => unknown[]][])(
  'a whole download answers as %s',
  async (download, take) => {
    const service = await open({ dialect: { download } });
    const whole = { LMT: EVER, downloadResponseAsJSON: true };
    const { body } = await service.call('POST', '/api/v1/product/pakket/allModified', whole);
    expect(take(body as never)).toHaveLength(30);
  },
);
