import { describe, expect, test } from 'vitest';
import { listAnswer } from '../../src/schema/page.ts';

const record = { ProductID: 'int' } as const;

describe('a list answer', () => {
  const [one, two] = [{ ProductID: 1 }, { ProductID: 2 }];
  test.each([
    [
      [one, two],
      [one, two],
    ],
    [[one], [one]],
    [one, [one]],
    [{ data: [one, two] }, [one, two]],
    [[], []],
    [null, []],
    [{}, []],
    [[{ ProductID: '1' }], [one]],
    [[{ data: [one, two], links: {}, meta: { total: 2 } }], [one, two]],
    [{ data: { data: [one], total: 9 } }, [one]],
    [{ data: { 0: one, 2: two } }, [one, two]],
    [{ 0: one, 2: two }, [one, two]],
  ])('%j holds %j', (answer, expected) => {
    expect(listAnswer(record).parse(answer)).toMatchObject({ data: expected, missing: false });
  });

  test.each([
    ['tekst'],
    [['tekst']],
    [[one, 5]],
    [[one, null]],
    [undefined],
    [{ data: null }],
    [[{ data: null }]],
    [{ success: false }],
    [[{ succes: '0' }]],
    [[{ data: [one] }, { data: [two] }]],
  ])('%j is no list of records', (answer) => {
    expect(listAnswer(record).safeParse(answer).success).toBe(false);
  });

  const pages = { next: '/x?page=2', first: null, current: 1, last: 3, total: 5 };
  const { next, current, last, total } = pages;
  test.each([
    [{ data: [one], links: { next }, meta: { current_page: '1', last_page: 3, total: '5' } }],
    [[{ data: [one], links: { next }, meta: { current_page: 1, last_page: 3, total: 5 } }]],
    [{ data: [one], links: [], next_page_url: next, current_page: 1, last_page: 3, total: 5 }],
    [{ success: true, data: { data: [one], next_page_url: next, current_page: 1, last_page: 3, total: 5 } }],
  ])('%j tells of more pages', (answer) => {
    expect(listAnswer(record).parse(answer)).toMatchObject({
      ...{ data: [one], links: { next }, meta: { current, last, total } },
    });
  });

  test('that belongs to a record tells by success false that the record is missing; records without their id are no list', () => {
    expect(listAnswer(record, { ofRecord: true }).parse({ success: false })).toMatchObject({
      ...{ data: [], missing: true },
    });
    expect(listAnswer(record, { id: 'ProductID' }).safeParse([one, { naam: 'x' }]).success).toBe(false);
  });
});
