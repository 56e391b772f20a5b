import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generalEndpoints } from '../../src/resources/command-sheets.ts';
import { eventEndpoints } from '../../src/resources/events.ts';
import { stockEndpoints } from '../../src/resources/stock.ts';
import { defineEndpoint } from '../../src/schema/endpoint.ts';
import { body, create, remove, TOKEN, update } from './open.ts';
import { type Behaviour, json, text, useServer } from './scripted-server.ts';

const { connections, open, received, script } = useServer(json({ ProductID: '5012', success: '1' }));

describe('a request', () => {
  test('carries the token and JSON, and nothing else', async () => {
    await expect(open().create()).resolves.toMatchObject({ id: 5012, success: true });
    const [request] = received;
    expect(request).toMatchObject({ method: 'PUT', url: '/api/v1/product/pakket/create' });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(String(request?.body))).toEqual(body);
  });

  test('may have a body with GET and DELETE, and keeps its connection', async () => {
    const service = open({ concurrency: 1 });
    script(json({ ProductID: 4, total: [], success: true }));
    for (const ProductID of [1, 2, 3])
      await service.send(stockEndpoints.currentTotal, { params: { id: ProductID }, body: { ProductID } });
    await service.send(remove, { body: { ProductID: 4 } });
    await service.read();
    expect(received.map(({ method, body: sent }) => [method, String(sent)])).toEqual([
      ['GET', '{"ProductID":1}'],
      ['GET', '{"ProductID":2}'],
      ['GET', '{"ProductID":3}'],
      ['DELETE', '{"ProductID":4}'],
      ['GET', ''],
    ]);
    expect(received.at(-1)?.headers).not.toHaveProperty('content-type');
    expect(connections()).toBe(1);
  });

  test('sends a document as multipart with its name and bytes, again after a 429', async () => {
    script(json({}, 429), json({ id: 1, success: true }));
    const Document = new File([Buffer.from([0, 255, 10, 13])], 'plattegrond zaal.pdf', {
      type: 'application/pdf',
    });
    await open().send(eventEndpoints.upload, { body: { PartijID: 9001, Submap: 'Offertes', Document } });
    for (const { headers, body: sent } of received) {
      const form = await new Response(new Uint8Array(sent), {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      expect(Object.fromEntries([...form].filter(([name]) => name !== 'Document'))).toEqual({
        PartijID: '9001',
        Submap: 'Offertes',
      });
      const file = form.get('Document') as File;
      expect([file.name, file.type, ...new Uint8Array(await file.arrayBuffer())]).toEqual([
        'plattegrond zaal.pdf',
        'application/pdf',
        0,
        255,
        10,
        13,
      ]);
      expect(headers['content-length']).toBe(String(sent.length));
    }
    expect(received).toHaveLength(2);
  });

  test.each([
    [
      'a required field is missing',
      create,
      { ProductTypeID: 1, OmschrijvingIntern: 'Lunch' },
      'Verkoopprijs',
    ],
    ['a field of the wrong type', create, { ...body, Verkoopprijs: '14,50' }, 'Verkoopprijs'],
    ['an unknown field', create, { ...body, Kleur: 'rood' }, 'Kleur'],
    ['no key at all', update, body, 'ProductID or ExternalID'],
    ['no body', create, undefined, 'packages.create'],
  ])('is not sent when %s: a fault of the program', async (_, endpoint, wrong, named) => {
    const sending = open().send(endpoint, { body: wrong as never });
    await expect(sending).rejects.toThrow(TypeError);
    await expect(sending).rejects.toThrow(named);
    expect(received).toHaveLength(0);
  });
});

describe('an answer', () => {
  const record = { ProductID: 5, OmschrijvingIntern: 'Crème brûlée' };
  const bytes = JSON.stringify(record);
  test.each<[string, Behaviour]>([
    ['JSON under text/html', text(bytes, 200, { 'content-type': 'text/html' })],
    ['JSON without a type', text(bytes)],
    ['JSON after a byte order mark', text(`\ufeff${bytes}`)],
    ['JSON after blank lines', text(`\r\n\n ${bytes}`)],
    ['JSON in the bytes of old Windows programs', text(Buffer.from(bytes, 'latin1'))],
    ['gzip that was not asked for', text(gzipSync(bytes), 200, { 'content-encoding': 'gzip' })],
    ['brotli that was not asked for', text(brotliCompressSync(bytes), 200, { 'content-encoding': 'br' })],
    ['a status 201', json(record, 201)],
    [
      'an answer in pieces',
      (response) => {
        response.write(bytes.slice(0, 9));
        setTimeout(() => response.end(bytes.slice(9)), 5);
      },
    ],
    [
      'an answer that ends with its connection',
      (_response, _received, socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${bytes}`),
    ],
  ])('is understood as %s', async (_, behaviour) => {
    script(behaviour);
    await expect(open({ retries: 0 }).read()).resolves.toMatchObject(record);
  });

  test('is neither a record nor none for a read when it is empty, and leaves a write in doubt', async () => {
    script(text(''));
    const service = open();
    await expect(service.read()).rejects.toMatchObject({ kind: 'malformed' });
    const written = service.update();
    await expect(written).rejects.toMatchObject({ kind: 'lost', mayHaveTakenEffect: true });
  });

  test('is read byte for byte when it is a file', async () => {
    const pdf = Buffer.from('%PDF-1.7\n\u00ff\u0000<html>', 'latin1');
    script(text(pdf, 200, { 'content-type': 'application/pdf' }));
    const file = await open().send(generalEndpoints.invoiceFile, { params: { id: 1, extension: 'pdf' } });
    expect(Buffer.from(file.bytes)).toEqual(pdf);
    expect(file.words).toBeNull();
    expect(received[0]?.headers.accept).toBe('*/*');
  });

  test('is no file when it is a page in place of one', async () => {
    script(text('<!doctype html><title>Log in</title>'));
    await expect(
      open().send(generalEndpoints.invoiceFile, { params: { id: 1, extension: 'pdf' } }),
    ).rejects.toMatchObject({ kind: 'malformed', words: 'Log in' });
  });

  test('of a wrong shape is refused by the names of its members, without their values', async () => {
    const count = defineEndpoint({
      name: 'count',
      section: '',
      method: 'GET',
      path: 'count',
      effect: 'none',
      answer: z.object({ Aantal: z.int() }),
    });
    script(json({ Aantal: 'geheim' }));
    const error = await open()
      .send(count)
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      kind: 'malformed',
      attempts: 1,
      reason: expect.stringContaining('Aantal'),
    });
    expect(String(error)).not.toContain('geheim');
  });
});

describe('an answer over the size limit', () => {
  const endless =
    (status: number): Behaviour =>
    (response) => {
      response.writeHead(status);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      };
      response.on('drain', more);
      more();
    };
  test.each<[string, Behaviour]>([
    ['announced', text(Buffer.alloc(200_001, 32))],
    ['endless', endless(200)],
    ['inflating', text(gzipSync(Buffer.alloc(50_000_000, 32)), 200, { 'content-encoding': 'gzip' })],
  ])('is refused while it comes, and its connection closed: %s', async (_, behaviour) => {
    script(behaviour);
    const service = open({ maxAnswerBytes: 200_000, concurrency: 1 });
    await expect(service.read()).rejects.toMatchObject({
      kind: 'too-large',
      attempts: 1,
      mayHaveTakenEffect: false,
    });
    await expect(service.create()).rejects.toMatchObject({
      kind: 'too-large',
      attempts: 1,
      mayHaveTakenEffect: true,
    });
    script(json({ ProductID: 5 }));
    await expect(service.read()).resolves.toMatchObject({ ProductID: 5 });
  });
});

describe('connections', () => {
  test('that the service closed while idle cost a create nothing', async () => {
    const service = open({ concurrency: 1 });
    for (let round = 0; round < 2; round += 1) {
      const closed = new Promise<void>((resolve) => {
        script((response, _received, socket) => {
          socket.once('close', () => resolve());
          response.end('{"ProductID": 1}');
          setTimeout(() => socket.destroy(), 2);
        });
      });
      await service.create();
      const before = connections();
      await closed;
      // The other side hears of it at the next look at what came, which is before this.
      for (let looks = 0; looks < 3; looks++) await new Promise((next) => setImmediate(next));
      script(json({ ProductID: 2 }));
      await service.create();
      expect(connections()).toBe(before + 1);
    }
  });
});
