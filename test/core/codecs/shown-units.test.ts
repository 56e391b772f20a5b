import { describe, expect, test } from 'vitest';
import { unitsIn } from '../../../src/core/codecs/shown-cell.ts';

describe('the units that a number format shows', () => {
  test.each([
    ['0.00" kg"', ['kg']],
    ['0\\ \\g', ['g']],
    ['General" Kg."', ['kg']],
    ['"€" 0.00" per gram"', ['g']],
    ['[>=1]0.00" kg";0" gram"', ['kg', 'g']],
    ['0.0"l";-0.0"ml"', ['l', 'ml']],
    ['0.00\\ [$kg]', ['kg']],
    // Other words are none.
    ['"€" 0.00" p.p."', []],
    ['[=1]0" stuk";0" stuks"', []],
    ['0" m2"', []],
    ['0" m³"', []],
    ['#,##0.00', []],
    ['0_g*m', []],
    // Letters of dates and times.
    ['d-m-yyyy h:mm', []],
    ['d" min "m', []],
  ])('of %s are %j', (format, names) => {
    expect(unitsIn(format).map(({ name }) => name)).toEqual(names);
  });
});
