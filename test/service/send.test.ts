import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { stockEndpoints } from '../../src/resources/stock-mutations.ts';
import { open, TOKEN } from './open.ts';
import { json, reset, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };

describe('a request as the service receives it', () => {
  test('carries the token, JSON and nothing else', async () => {
    server.script(json({ ProductID: '5012', success: '1' }));
    const service = open(server.baseUrl);
    await expect(service.send(packages.requests.create, { body })).resolves.toMatchObject({
      id: 5012,
      success: true,
    });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'PUT', url: '/api/v1/product/pakket/create' });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(String(request?.body))).toEqual(body);
    await service.close();
  });

  test('a GET with a body arrives with its body, on a connection that is kept', async () => {
    server.script(json({ total: [], success: true }));
    const service = open(server.baseUrl, { concurrency: 1 });
    for (const ProductID of [1, 2, 3])
      await service.send(stockEndpoints.currentTotal, { params: { id: ProductID }, body: { ProductID } });
    expect(server.received.map((r) => [r.method, r.url, String(r.body)])).toContainEqual([
      'GET',
      '/api/v1/product/voorraadmutatie/currenttotal/2',
      '{"ProductID":2}',
    ]);
    expect(server.connections).toBe(1);
    await service.close();
  });

  test('a read is repeated after a reset, a create is not', async () => {
    server.script(reset, json({ ProductID: 1 }));
    const service = open(server.baseUrl);
    await expect(service.send(packages.requests.findById, { params: { ID: 1 } })).resolves.toMatchObject({
      ProductID: 1,
    });
    server.script(reset, json({ ProductID: 1 }));
    await expect(service.send(packages.requests.create, { body })).rejects.toMatchObject({
      kind: 'lost',
      mayHaveTakenEffect: true,
      attempts: 1,
    });
    expect(server.received).toHaveLength(3);
    await service.close();
  });
});
