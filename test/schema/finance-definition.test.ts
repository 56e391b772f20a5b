import { describe, expect, test } from 'vitest';
import { finance } from '../../src/resources/finance.ts';
import { defineFinance, type FinanceDefinition } from '../../src/schema/finance-definition.ts';

const { events, lines } = finance;
const column = {
  header: { en: 'New', nl: 'Nieuw' },
  type: 'text',
  help: { en: 'New', nl: 'Nieuw' },
} as const;

describe('a finance export is refused when', () => {
  const cases: readonly (readonly [why: string, finance: FinanceDefinition, told: RegExp])[] = [
    [
      'a column is of a member that no event has',
      { ...finance, events: { ...events, columns: [...events.columns, { ...column, member: 'Zaal' }] } },
      /has Zaal on Events, which no record there has/,
    ],
    [
      'its price is no member',
      { ...finance, lines: { ...lines, price: 'Verkoopprijs' } },
      /has Verkoopprijs on Arrangements/,
    ],
  ];

  test.each(cases)('%s', (_, definition, told) => {
    expect(() => defineFinance(definition)).toThrow(TypeError);
    expect(() => defineFinance(definition)).toThrow(told);
  });
});

test('the finance export is taken as it is', () => {
  expect(defineFinance(finance)).toBe(finance);
});
