import { describe, expect, test } from 'vitest';
import { firstPage } from '../../src/service/pages.ts';
import { list } from './open.ts';
import { type Behaviour, json, useServer } from './scripted-server.ts';

const { baseUrl, open, received, script } = useServer();

const body = { LMT: '2027-01-01 00:00:00' };

interface Book {
  readonly total: number;
  readonly size: number;
  /** What stands before `?page=`. */
  readonly address?: string;
  /** Changes a page before it is sent. */
  readonly edit?: (page: object, number: number) => unknown;
}

const pageOf = (url: string): number => Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);

/** Answers any page of a list of records 1, 2, 3, … */
function book({ total, size, address, edit = (page) => [page] }: Book): Behaviour {
  return (response, received, socket) => {
    const number = pageOf(received.url);
    const last = Math.max(1, Math.ceil(total / size));
    const base = address ?? `${baseUrl()}${received.url.split('?')[0]}`;
    const link = (page: number) => (page < 1 || page > last ? null : `${base}?page=${page}`);
    const from = (number - 1) * size;
    const data = upTo(Math.max(0, Math.min(size, total - from))).map((at) => ({ ProductID: from + at }));
    const links = { first: link(1), last: link(last), prev: link(number - 1), next: link(number + 1) };
    const meta = { current_page: number, last_page: last, per_page: String(size), total };
    json(edit({ data, links, meta }, number))(response, received, socket);
  };
}

/** Pages that each have records of their own and a link that was not there before; `meta` of each page. */
function endless(meta: (page: number) => object | undefined): Behaviour {
  let count = 0;
  return (...request) => {
    count += 1;
    const data = Array.from({ length: 10 }, (_, index) => ({ ProductID: 10 * count + index }));
    json([{ data, links: { next: `${baseUrl()}/more?c=${count}` }, meta: meta(count) }])(...request);
  };
}

async function readAll(behaviour: Behaviour, concurrency = 3) {
  script(behaviour);
  const service = open();
  const ids: number[] = [];
  try {
    const run = (await firstPage(service, list, body)).all(concurrency);
    for await (const page of run) ids.push(...page.data.map((record) => record.ProductID as number));
    return { ids, tally: run.tally };
  } catch (error) {
    throw Object.assign(error as Error, { ids });
  } finally {
    await service.close();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const missing =
  (page: number, answer: Behaviour, status: number): Behaviour =>
  (...request) =>
    (pageOf(request[1].url) === page ? json({}, status) : answer)(...request);
const thirty = { total: 30, size: 10 };

test.each([0, 1, 10, 11, 95])(
  'a list of %i records by 10 comes whole and in order, each page asked for once',
  async (total) => {
    const { ids, tally } = await readAll(book({ total, size: 10 }));
    const pages = Math.max(1, Math.ceil(total / 10));
    expect([ids, received.length]).toEqual([upTo(total), pages]);
    expect(tally).toMatchObject({ complete: true, records: total, total, pages });
    for (const { method, body: sent } of received)
      expect([method, String(sent)]).toEqual(['POST', JSON.stringify(body)]);
  },
);

test.each<[string, () => Behaviour, boolean?]>([
  ['in one download', () => json(upTo(30).map((ProductID) => ({ ProductID })))],
  ['by counts without links', () => book({ ...thirty, edit: (page) => [{ ...page, links: null }] })],
  ['by links without counts', () => book({ ...thirty, edit: (page) => ({ ...page, meta: null }) })],
  [
    'by links with other parameters',
    () =>
      book({
        ...thirty,
        edit: (page, at) => [
          { ...page, links: { next: at < 3 ? `/api/v1/x?per_page=10&page=${at + 1}&sort=a` : null } },
        ],
      }),
  ],
  [
    'by links without numbers',
    () => (response, received, socket) => {
      const write = response.end.bind(response);
      response.end = ((text: string) => write(text.replaceAll('?page=', '?cursor='))) as never;
      const url = received.url.replace('cursor=', 'page=');
      book({ ...thirty, edit: (page) => ({ ...page, meta: null }) })(response, { ...received, url }, socket);
    },
  ],
  [
    'to its new end, though it grew while it was read, which is not complete',
    () =>
      (...request) =>
        book(pageOf(request[1].url) === 1 ? { total: 20, size: 10 } : thirty)(...request),
    false,
  ],
])('a list is read whole %s', async (_, behaviour, complete = true) => {
  const { ids, tally } = await readAll(behaviour(), 1);
  expect([ids, tally.complete]).toEqual([upTo(30), complete]);
});

test('pages are asked for side by side, with no more requests than allowed, and none once their reader stops', async () => {
  let [busy, most] = [0, 0];
  script((...request) => {
    most = Math.max(most, ++busy);
    setTimeout(() => {
      busy -= 1;
      book({ total: 200, size: 5 })(...request);
    }, 2);
  });
  const service = open();
  const first = await firstPage(service, list, body);
  for await (const page of first.all(3)) if (page.meta.current === 8) break;
  await service.close();
  expect(most).toBe(3);
  expect(received.length).toBeLessThan(14);
});

describe('a list that says that more pages follow', () => {
  const none = (page: object) => ({ ...page, data: [] });
  const same = (page: object) => ({ ...page, data: [{ ProductID: 1 }, { ProductID: 2 }] });
  const byLinks = (page: object, number: number) => ({
    ...page,
    links: { next: `${baseUrl()}/more?page=${number + 1}` },
    meta: { last_page: 90_000, total: 1_000_000 },
  });
  test.each<[string, Book['edit'], number[], RegExp]>([
    ['no records', (page, at) => [at > 3 ? none(page) : page], upTo(30), /page after page/],
    [
      'no records by links',
      (page, at) => [byLinks(at > 3 ? none(page) : page, at)],
      upTo(30),
      /page after page/,
    ],
    ['the same', (page) => [same(page)], [1, 2], /page after page/],
    ['the same by links', (page, at) => [byLinks(same(page), at)], [1, 2], /page after page/],
  ])('ends with what came where they hold %s, and is not complete', async (_, edit, came, why) => {
    const { ids, tally } = await readAll(book({ total: 900_000, size: 10, ...(edit && { edit }) }));
    expect([[...new Set(ids)], tally.complete]).toEqual([came, false]);
    expect(tally.shortage()?.en).toMatch(why);
    expect(received.length).toBeLessThan(15);
  });

  test('is read on over a few pages without records, and is short then', async () => {
    const edit = (page: object, at: number) => [at > 2 && at < 7 ? none(page) : page];
    const { ids, tally } = await readAll(book({ total: 100, size: 10, edit }));
    expect(ids).toHaveLength(60);
    expect([tally.complete, tally.shortage()]).toEqual([false, expect.anything()]);
  });
});

describe('a list is refused', () => {
  test.each<[string, () => Behaviour, object, number]>([
    ...['http://evil.example/list', 'http://127.0.0.1:1/list', 'https://127.0.0.1/list'].map(
      (address): [string, () => Behaviour, object, number] => [
        `for a link to ${address}, before anything is sent there`,
        () => book({ ...thirty, address }),
        { exit: 4, message: expect.stringContaining(new URL(address).origin) },
        1,
      ],
    ),
    [
      'for the same page under every number',
      () => (response, received, socket) =>
        book(thirty)(response, { ...received, url: received.url.split('?')[0] ?? '' }, socket),
      { kind: 'malformed', message: expect.stringContaining('page 1 came where page 2') },
      4,
    ],
    [
      'for a page that fails, at its turn',
      () => missing(3, book(thirty), 403),
      { kind: 'refused', ids: upTo(20) },
      3,
    ],
    [
      'for a page that is missing, at its turn',
      () => missing(3, book({ ...thirty, edit: (page) => [{ ...page, meta: null }] }), 404),
      { kind: 'malformed', message: expect.stringMatching(/breaks off: its page 3 .*404/) },
      3,
    ],
    [
      'for links in a circle',
      () => json([{ data: [{ ProductID: 1 }], links: { next: '/again' } }]),
      { kind: 'malformed', message: expect.stringContaining('circle') },
      3,
    ],
    ...[
      { current_page: 1, last_page: 1e9, total: 20, per_page: '10' },
      { current_page: 1, last_page: 1e9, total: 1e11, per_page: '100' },
    ].map((meta): [string, () => Behaviour, object, number] => [
      `for a number of pages that no list has, before the next is asked for: ${JSON.stringify(meta)}`,
      () => book({ total: 20, size: 10, edit: (page) => [{ ...page, meta }] }),
      { kind: 'malformed', message: expect.stringContaining('1000000000 pages') },
      1,
    ]),
    ...[
      (page: number) => ({ last_page: page + 5 }),
      (page: number) => ({ last_page: 2 * page, total: 20 * page }),
    ].map((meta): [string, () => Behaviour, object, number] => [
      `for pages without end, whatever they count: ${JSON.stringify([meta(1), meta(2)])}`,
      () => endless(meta),
      { kind: 'malformed', message: expect.stringContaining('does not end') },
      108,
    ]),
  ])('%s', async (_, behaviour, told, most) => {
    await expect(readAll(behaviour())).rejects.toMatchObject(told);
    expect(received.length).toBeLessThanOrEqual(most);
  });
});
