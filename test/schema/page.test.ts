import { describe, expect, test } from 'vitest';
import { listAnswer } from '../../src/schema/page.ts';

const page = listAnswer(
  { ProductID: 'int', LMT: 'datetime' },
  {
    id: 'ProductID',
    inPages: true,
  },
);
const BASE = 'https://systeem.example/api/v1/product/pakket/allModified';

describe('a page (interface 4.3)', () => {
  const links = { first: `${BASE}?page=1`, last: `${BASE}?page=3`, prev: null, next: `${BASE}?page=2` };
  const meta = { current_page: 1, from: 1, last_page: 3, path: BASE, per_page: '50', to: 50, total: 120 };

  test('is read as the interface shows it: a list of one page', () => {
    expect(page.parse([{ data: [{ ProductID: '7' }, { ProductID: 8 }], links, meta }])).toStrictEqual({
      data: [{ ProductID: 7 }, { ProductID: 8 }],
      links: { next: links.next, first: links.first },
      meta: { current: 1, last: 3, perPage: 50, total: 120, more: false },
      missing: false,
    });
  });

  test.each([
    ['without the outer list', { data: [{ ProductID: 7 }], links, meta }],
    ['with a single record for a list', [{ data: { ProductID: 7 }, links, meta }]],
    ['with numbers for keys, as PHP leaves records out', [{ data: { 4: { ProductID: 7 } }, links, meta }]],
  ])('is also read %s', (_, answer) => {
    expect(page.parse(answer)).toStrictEqual({
      data: [{ ProductID: 7 }],
      links: { next: links.next, first: links.first },
      meta: { current: 1, last: 3, perPage: 50, total: 120, more: false },
      missing: false,
    });
  });

  const nowhere = {
    links: { next: null, first: null },
    meta: { current: null, last: null, perPage: null, total: null, more: false },
    missing: false,
  };

  test.each([
    ['a whole download as a list', [{ ProductID: 7 }], [{ ProductID: 7 }]],
    ['a whole download in data', { data: [{ ProductID: 7 }] }, [{ ProductID: 7 }]],
    ['a whole download in data in a list', [{ data: [{ ProductID: 7 }] }], [{ ProductID: 7 }]],
    ['nothing modified, as a list', [], []],
    ['null for links and meta', [{ data: [], links: null, meta: null }], []],
    ['nothing modified, as an object', [{ data: {} }], []],
  ])('is also understood as %s', (_, answer, data) => {
    expect(page.parse(answer)).toStrictEqual({ data, ...nowhere });
  });

  test.each<[object, boolean]>([
    [{ has_more: true }, true],
    [{ meta: { next_cursor: 'abc' } }, true],
    [{ has_more: false, next_cursor: null, nextCursor: '' }, false],
  ])('with %j beside it tells whether more follows: %j', (beside, more) => {
    expect(page.parse({ data: [], ...beside }).meta.more).toBe(more);
  });

  // Taken for an empty list, any of these would make every row of the sheet look new.
  test.each([
    [null],
    [undefined],
    [''],
    ['<html>'],
    [{}],
    [{ success: false }],
    [{ data: null }],
    [[{ data: null }]],
    [{ success: false, data: [] }],
    [{ message: 'Unauthenticated.', errors: 'Unauthenticated.' }],
    [{ links, meta }],
    [[{}]],
    [[{ success: false, message: 'Fout' }]],
    [{ data: 'tekst' }],
    [{ data: [null] }],
    [{ data: { message: 'Fout' } }],
    [{ data: { 0: { ProductID: 7 }, som: { ProductID: 8 } } }],
    [{ data: { 0: { ProductID: 7 }, 1: 'tekst' } }],
    [[{ ProductID: 7 }, null]],
    // Of two pages in one answer, one would be lost.
    [[{ data: [{ ProductID: 7 }] }, { data: [{ ProductID: 8 }] }]],
  ])('%j is no page', (answer) => {
    expect(page.safeParse(answer).success).toBe(false);
  });
});
