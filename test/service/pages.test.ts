import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import type { RecordPage } from '../../src/schema/page.ts';
import { firstPage } from '../../src/service/pages.ts';
import { open } from './open.ts';
import { type Behaviour, json, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const { list } = packages.requests;
const body = { LMT: '2027-01-01 00:00:00' };

interface Book {
  readonly total: number;
  readonly size: number;
  /** What stands before `?page=`. */
  readonly address?: string;
  /** Changes a page before it is sent. */
  readonly edit?: (page: Record<string, never>, number: number) => unknown;
}

/** Answers any page of a list of records 1, 2, 3, … */
function book({ total, size, address, edit = (page) => [page] }: Book): Behaviour {
  return (response, received, socket) => {
    const number = Number(new URL(received.url, 'http://x').searchParams.get('page') ?? 1);
    const last = Math.max(1, Math.ceil(total / size));
    const base = address ?? `${server.baseUrl}${received.url.split('?')[0]}`;
    const link = (page: number) => (page < 1 || page > last ? null : `${base}?page=${page}`);
    const from = (number - 1) * size;
    const data = Array.from({ length: Math.max(0, Math.min(size, total - from)) }, (_, i) => ({
      ProductID: from + i + 1,
    }));
    const links = { first: link(1), last: link(last), prev: link(number - 1), next: link(number + 1) };
    const meta = { current_page: number, last_page: last, per_page: String(size), total };
    json(edit({ data, links, meta } as never, number))(response, received, socket);
  };
}

async function readAll(
  options: NonNullable<Parameters<typeof firstPage>[3]> & { concurrency?: number } = {},
) {
  const service = open(server.baseUrl);
  try {
    const first = await firstPage(service, list, body, options);
    const run = first.all(options.concurrency ?? 3);
    const read: RecordPage[] = [];
    for await (const page of run) read.push(page);
    const ids = read.flatMap((page) => page.data.map((record) => record.ProductID as number));
    return { ids, tally: run.tally, service };
  } finally {
    await service.close();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const urls = () => server.received.map(({ url }) => url.split('allModified')[1]);

describe('a list in pages', () => {
  test.each([
    [0, 10],
    [1, 10],
    [10, 10],
    [11, 10],
    [95, 10],
  ])('of %i records by %i comes whole and in order, each page asked for once', async (total, size) => {
    server.script(book({ total, size }));
    const { ids, tally } = await readAll();
    expect(ids).toEqual(upTo(total));
    const count = Math.max(1, Math.ceil(total / size));
    expect(tally).toMatchObject({ complete: true, records: total, total, pages: count });
    expect(server.received).toHaveLength(count);
    expect(new Set(server.received.map((request) => String(request.body)))).toEqual(
      new Set([JSON.stringify(body)]),
    );
    expect(new Set(server.received.map((request) => request.method))).toEqual(new Set(['POST']));
  });

  test('is read side by side, with no more requests than allowed', async () => {
    let busy = 0;
    let most = 0;
    const answer = book({ total: 100, size: 5 });
    server.script((...request) => {
      busy += 1;
      most = Math.max(most, busy);
      setTimeout(() => {
        busy -= 1;
        answer(...request);
      }, 5);
    });
    expect((await readAll({ concurrency: 3 })).ids).toEqual(upTo(100));
    expect(most).toBe(3);
  });

  test('is asked for no more pages once its reader stops', async () => {
    server.script(book({ total: 1000, size: 10 }));
    const service = open(server.baseUrl);
    const first = await firstPage(service, list, body);
    for await (const page of first.all(3)) if (page.meta.current === 2) break;
    await service.close();
    expect(server.received.length).toBeLessThan(8);
  });

  test('stops at the first page that fails, at its turn', async () => {
    const answer = book({ total: 50, size: 10 });
    server.script((...request) =>
      request[1].url.endsWith('page=3') ? json({}, 403)(...request) : answer(...request),
    );
    const service = open(server.baseUrl);
    const first = await firstPage(service, list, body);
    const read: (number | null)[] = [];
    const reading = async () => {
      for await (const page of first.all(4)) read.push(page.meta.current);
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'refused' });
    expect(read).toEqual([1, 2]);
    await service.close();
  });
});

describe('a list in another shape', () => {
  test('is one page when it is a whole download', async () => {
    server.script(json(upTo(7).map((ProductID) => ({ ProductID }))));
    const { ids, tally } = await readAll();
    expect(ids).toEqual(upTo(7));
    expect(tally).toMatchObject({ complete: true, pages: 1, total: null });
  });

  test('is read one by one by links without numbers', async () => {
    const answer = book({ total: 30, size: 10 });
    server.script((response, received, socket) => {
      const cursor = new URL(received.url, 'http://x').searchParams.get('cursor') ?? '1';
      const rewritten = { ...received, url: `${received.url.split('?')[0]}?page=${cursor}` };
      const write = response.end.bind(response);
      response.end = ((text: string) => write(text.replaceAll('?page=', '?cursor='))) as never;
      answer(response, rewritten, socket);
    });
    expect((await readAll()).ids).toEqual(upTo(30));
    expect(urls()).toEqual(['', '?cursor=2', '?cursor=3']);
  });

  test('is read whole by counts without links', async () => {
    server.script(book({ total: 30, size: 10, edit: (page) => [{ ...page, links: null }] }));
    expect((await readAll()).ids).toEqual(upTo(30));
  });

  test('is read by links in the header alone', async () => {
    server.script((response, received, socket) => {
      const page = Number(new URL(received.url, 'http://x').searchParams.get('page') ?? 1);
      const path = received.url.split('?')[0];
      const next = `<${path}?page=1>; rel="first", <${path}?page=${page + 1}>; title="x"; rel="next last"`;
      if (page < 3) response.setHeader('link', next);
      json([{ ProductID: page }])(response, received, socket);
    });
    expect((await readAll()).ids).toEqual(upTo(3));
  });

  test('is read by links without counts', async () => {
    server.script(book({ total: 30, size: 10, edit: (page) => ({ ...page, meta: null }) }));
    const { ids, tally } = await readAll();
    expect(ids).toEqual(upTo(30));
    expect(tally).toMatchObject({ total: null, complete: true });
  });

  test('keeps the other parameters of its links', async () => {
    server.script(
      book({
        total: 30,
        size: 10,
        edit: (page, number) => [
          { ...page, links: { next: number < 3 ? `?per_page=10&page=${number + 1}&sort=a` : null } },
        ],
      }),
    );
    const service = open(`${server.baseUrl}/api/v1/product/pakket/allModified`);
    await (await firstPage(service, list, body)).all(2)[Symbol.asyncIterator]().next();
    await service.close();
    await readAll();
    expect(server.received.at(-1)?.url).toMatch(/\?per_page=10&page=3&sort=a$/);
  });
});

describe('a list that changes while it is read', () => {
  test('is read to its new end when it grows', async () => {
    const answer = book({ total: 40, size: 10 });
    const before = book({ total: 30, size: 10 });
    server.script((...request) =>
      (request[1].url.endsWith('page=2') || !request[1].url.includes('page=') ? before : answer)(...request),
    );
    const { ids, tally } = await readAll({ concurrency: 1 });
    expect(ids).toEqual(upTo(40));
    expect(tally.complete).toBe(false);
  });

  test('is not complete when fewer records came than it says', async () => {
    server.script(
      book({ total: 30, size: 10, edit: (page, number) => [number === 2 ? { ...page, data: [] } : page] }),
    );
    const { tally } = await readAll();
    expect(tally).toMatchObject({ complete: false, records: 20, total: 30 });
  });
});

describe('a list that says that more pages follow', () => {
  const none = (page: object) => ({ ...page, data: [] });
  const first = (page: object) => ({ ...page, data: [{ ProductID: 1 }, { ProductID: 2 }] });
  const byLinks = (page: object, number: number) => ({
    ...page,
    links: { next: `${server.baseUrl}/more?page=${number + 1}` },
    meta: { last_page: 90_000, total: 1_000_000 },
  });
  test.each<[string, (page: object, number: number) => unknown, number[], RegExp]>([
    [
      'no records by number',
      (page, at) => [at > 3 ? none(page) : page],
      upTo(30),
      /after its page 3 only pages/,
    ],
    [
      'no records by links',
      (page, at) => [byLinks(at > 3 ? none(page) : page, at)],
      upTo(30),
      /after its page 3 only/,
    ],
    ['the same by number', (page) => [first(page)], [1, 2], /the same records again/],
    ['the same by links', (page, at) => [byLinks(first(page), at)], [1, 2], /the same records again/],
  ])('ends with what came where they hold %s, and is not complete', async (_, edit, came, why) => {
    server.script(book({ total: 900_000, size: 10, edit }));
    const { ids, tally } = await readAll();
    expect([...new Set(ids)]).toEqual(came);
    expect(tally.complete).toBe(false);
    expect(tally.shortage()?.en).toMatch(why);
    expect(server.received.length).toBeLessThan(15);
  });

  test('is read on over a few pages without records', async () => {
    server.script(book({ total: 100, size: 10, edit: (page, at) => [at > 2 && at < 7 ? none(page) : page] }));
    const { ids, tally } = await readAll();
    expect(ids).toHaveLength(60);
    expect(tally.shortage()).not.toBeNull();
  });
});

describe('a list is refused', () => {
  test.each([
    ['another host', 'http://evil.example/list'],
    ['another port', 'http://127.0.0.1:1/list'],
    ['another scheme', 'https://127.0.0.1/list'],
  ])('for a link to %s, before anything is sent there', async (_, address) => {
    server.script(book({ total: 30, size: 10, address }));
    await expect(readAll()).rejects.toMatchObject({
      exit: 4,
      message: expect.stringContaining(new URL(address).origin),
    });
    expect(server.received).toHaveLength(1);
  });

  test('for the same page under every number', async () => {
    const answer = book({ total: 30, size: 10 });
    server.script((response, received, socket) =>
      answer(response, { ...received, url: received.url.split('?')[0] ?? '' }, socket),
    );
    await expect(readAll()).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('page 1 came where page 2'),
    });
  });

  test.each([
    ['by number', {}],
    ['by links', { meta: null }],
  ])('for a page that is missing at its turn, %s', async (_, without) => {
    const answer = book({ total: 30, size: 10, edit: (page) => [{ ...page, ...without }] });
    server.script((...request) =>
      request[1].url.endsWith('page=3') ? json({}, 404)(...request) : answer(...request),
    );
    await expect(readAll()).rejects.toMatchObject({
      ...{ kind: 'malformed', status: 404, message: expect.stringMatching(/breaks off: its page 3 .*404/) },
    });
  });

  test('for links in a circle', async () => {
    let ProductID = 0;
    const data = () => [{ ProductID: ++ProductID }];
    server.script((...request) =>
      json([{ data: data(), links: { next: `${server.baseUrl}/again` } }])(...request),
    );
    await expect(readAll()).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('circle'),
    });
    expect(server.received).toHaveLength(2);
  });

  // Each page has records of its own, and a link that was not there before.
  test.each<[string, (page: number) => object, number]>([
    ['that say they are one', () => ({ last_page: 1 }), 103],
    ['whose last one moves on with each', (page) => ({ last_page: page + 5 }), 108],
    ['whose total grows with each', (page) => ({ total: 20 * page, per_page: '10' }), 104],
    ['whose counts grow with each', (page) => ({ last_page: 2 * page, total: 20 * page }), 104],
  ])('for pages without end %s', async (_, meta, most) => {
    let count = 0;
    server.script((...request) => {
      count += 1;
      const data = Array.from({ length: 10 }, (_, index) => ({ ProductID: 10 * count + index }));
      json([{ data, links: { next: `${server.baseUrl}/more?c=${count}` }, meta: meta(count) }])(...request);
    });
    await expect(readAll()).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('does not end'),
    });
    expect(server.received.length).toBeLessThanOrEqual(most);
  });

  test('that tells no counts for a page that comes again under another link, and ended by an empty one', async () => {
    let count = 0;
    const pages = (...ids: number[]) => {
      server.script((...request) => {
        const data = [{ ProductID: ids[count++] ?? ids.at(-1) }].filter((one) => one.ProductID !== 0);
        json([{ data, links: { next: `${server.baseUrl}/more?c=${count}` } }])(...request);
      });
    };
    pages(1, 2, 3, 1);
    const repeats = { kind: 'malformed', message: expect.stringContaining('again and again') };
    await expect(readAll()).rejects.toMatchObject(repeats);
    expect(server.received).toHaveLength(4);
    count = 0;
    pages(1, 2, 3, 0);
    expect((await readAll()).ids).toEqual([1, 2, 3]);
  });

  test.each([
    ['its records leave no room for', { current_page: 1, last_page: 1e9, total: 20, per_page: '10' }],
    ['nobody could read', { current_page: 1, last_page: 1e9 }],
    ['no list has', { current_page: 1, last_page: 1e9, total: 1e11, per_page: '100' }],
  ])('for a number of pages that %s, before the next is asked for', async (_, meta) => {
    server.script(book({ total: 20, size: 10, edit: (page) => [{ ...page, meta }] }));
    await expect(readAll()).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('1000000000 pages'),
    });
    expect(server.received).toHaveLength(1);
  });
});
