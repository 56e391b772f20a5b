import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/core/value.ts';
import { sameValue } from '../../src/records/existing-record.ts';
import { changedBy } from '../../src/records/plan-on-baseline.ts';

describe('who changed a field since the workbook was written', () => {
  it.each<[ReturnType<typeof changedBy>, mine: Value, base: Value, theirs: Value | undefined]>([
    ['nobody', 10, 10, 10],
    ['nobody', 'Soep', 'Soep', 'Soep'],
    ['nobody', null, null, null],
    // An accent as a sign of its own: the two look alike.
    ['nobody', 'Kipsate\u0301', 'Kipsat\u00e9', 'Kipsate\u0301'],
    ['user', 'Kipsate', 'Kipsat\u00e9', 'Kipsate\u0301'],
    ['nobody', 0.3, 0.1 + 0.2, 0.3],
    ['user', 12, 10, 10],
    ['user', null, 10, 10],
    ['user', 10, null, null],
    ['user', false, true, true],
    ['service', 10, 10, 12],
    ['service', null, null, 12],
    ['service', 10, 10, null],
    ['user', 12, 10, 12],
    ['user', null, 10, null],
    ['user', 12, null, 12],
    ['apart', 12, 10, 11],
    ['apart', null, 10, 11],
    ['apart', 12, 10, null],
    ['apart', 12, null, 11],
    // A cleared flag comes back as false from some services.
    ['nobody', null, null, false],
    ['nobody', false, false, null],
    ['user', null, true, false],
    // The service does not tell: nobody else is known to have changed it.
    ['nobody', 10, 10, undefined],
    ['user', 12, 10, undefined],
  ])('is %s for sheet %s, base %s, service %s', (by, mine, base, theirs) => {
    expect(changedBy({ mine, base, theirs }, sameValue)).toBe(by);
  });
});
