import { describe, expect, test } from 'vitest';
import { formulaKind } from '../../../src/xlsx/read/formula-kind.ts';

describe('a formula in C5', () => {
  test.each([
    ['C5', 'circular'],
    ['C5*1.03', 'circular'],
    ['$C$5+B5', 'circular'],
    ['SUM(C:C)', 'circular'],
    ['SUM(A1:D9)', 'circular'],
    ['SUM(C2:C5)', 'circular'],
    ['SUM(D9:A1)/2', 'circular'],
    ['IF(A5="","",C5)', 'circular'],
    ['B5*1.03', undefined],
    ['C4+C6', undefined],
    ['C50+AC5+C5A', undefined],
    ['Blad2!C5', undefined],
    ["'Prijzen 2027'!$C$5", undefined],
    ["SUM('Prijzen 2027'!C1:C9)", undefined],
    ['[1]Blad1!C5', undefined],
    ['Tabel1[C5]', undefined],
    ['"C5"&B5', undefined],
    ['IF(B5="a:b",1,2)', undefined],
    ['VLOOKUP(A5,Blad2!A:D,3,FALSE)', undefined],
    ['SUM(A5:B5)', undefined],
    ['ROW(C5)-1', undefined],
    ['OFFSET(C5,-1,0)+1', undefined],
    ['LOG10(B5)', undefined],
    ['SUM(C6:C9)', 'aggregate'],
    ['SUBTOTAL(109,C1:C4)', 'aggregate'],
  ])('%s: %s', (formula, kind) => {
    expect(formulaKind(formula, 3, 5)).toBe(kind);
  });
});
