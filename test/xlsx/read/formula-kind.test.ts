import { describe, expect, test } from 'vitest';
import { formulaKind } from '../../../src/xlsx/read/formula-kind.ts';

describe('a formula in C5 of a sheet Telling', () => {
  test.each([
    ['C5', 'circular'],
    ['$C$5+B5', 'circular'],
    ['SUM(C:C)', 'circular'],
    ['SUM(A1:D9)', 'circular'],
    ['SUM(D9:A1)/2', 'circular'],
    ['IF(A5="","",C5)', 'circular'],
    ['B5*1.03', undefined],
    ['C50+AC5+C5A', undefined],
    ['Blad2!C5', undefined],
    ['Telling!C5+B5', 'circular'],
    ["'Telling'!$C$5*2", 'circular'],
    ['SUM(telling!B2:D9)', 'circular'],
    ['SUM(5:5)', 'circular'],
    ['SUM(Telling!5:5)', 'circular'],
    ['SUM(Blad2!5:5)', undefined],
    ['IF(B5="5:5",1,2)', undefined],
    ['Voortelling!C5', undefined],
    ["'[1]Telling'!C5", undefined],
    ["'Prijzen 2027'!$C$5", undefined],
    ["SUM('Prijzen 2027'!C1:C9)", undefined],
    ['Tabel1[C5]', undefined],
    ['VLOOKUP(A5,Blad2!A:D,3,FALSE)', undefined],
    ['ROW(C5)-1', undefined],
    ['OFFSET(C5,-1,0)+1', undefined],
    ['SUM(C6:C9)', 'aggregate'],
    ['SUBTOTAL(109,C1:C4)', 'aggregate'],
    ['AGGREGATE(9,5,B2:B4)', 'aggregate'],
    ['SUM(Tabel1[Prijs])', 'aggregate'],
    ['IFERROR(INT(AVERAGE(B2:B4)),"-")', 'aggregate'],
    ["SUM('Telling'!B2:B4)", 'aggregate'],
    ['SUBTOTAL(9,B4:B4)', 'aggregate'],
    ['SUBTOTAL(9,B5:B5)', undefined],
    ['SUM(D5:F5)', undefined],
    ['SUM(Inkoop!B2:B4)', undefined],
    ['ROUND(MAX(B2:B4)+1,0)', undefined],
    ['SUM(B2:B9)', undefined],
    ['SUM(Tabel1[@Prijs])', undefined],
    ['SUM(B2:B4)/2', undefined],
  ])('%s: %s', (formula, kind) => {
    expect(formulaKind(formula, 3, 5, 'Telling')).toBe(kind);
  });

  test('is told by the name of its sheet with its signs', () => {
    expect(formulaKind("'Voorraad ''s avonds & nacht'!C5+1", 3, 5, "Voorraad 's avonds & nacht")).toBe(
      'circular',
    );
  });

  test.each(['a', 'A', '[', "'", '"a', "'a'' "])('is told in no time, however often it says %s', (part) => {
    const since = performance.now();
    expect(formulaKind(`A1!A2:A3+${part.repeat(60_000)}`, 3, 5, 'Telling')).toBeUndefined();
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});
