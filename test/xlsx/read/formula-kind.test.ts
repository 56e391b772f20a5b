import { describe, expect, test } from 'vitest';
import { type FormulaKind, formulaKind } from '../../../src/xlsx/read/formula-kind.ts';

describe('a formula in C5 of a sheet Telling', () => {
  test.each<[FormulaKind | undefined, readonly string[]]>([
    [
      'circular',
      [
        `C5|$C$5+B5|SUM(C:C)|SUM(A1:D9)|SUM(D9:A1)/2|IF(A5="","",C5)|Telling!C5+B5|'Telling'!$C$5*2`,
        'SUM(telling!B2:D9)|SUM(5:5)|SUM(Telling!5:5)',
      ],
    ],
    [
      undefined,
      [
        `B5*1.03|C50+AC5+C5A|Blad2!C5|SUM(Blad2!5:5)|IF(B5="5:5",1,2)|Voortelling!C5|'[1]Telling'!C5`,
        `'Prijzen 2027'!$C$5|SUM('Prijzen 2027'!C1:C9)|Tabel1[C5]|VLOOKUP(A5,Blad2!A:D,3,FALSE)|ROW(C5)-1`,
        'OFFSET(C5,-1,0)+1|SUBTOTAL(9,B5:B5)|SUM(D5:F5)|SUM(Inkoop!B2:B4)|ROUND(MAX(B2:B4)+1,0)',
        'SUM(B2:B9)|SUM(Tabel1[@Prijs])|SUM(B2:B4)/2',
      ],
    ],
    [
      'aggregate',
      [
        'SUM(C6:C9)|SUBTOTAL(109,C1:C4)|AGGREGATE(9,5,B2:B4)|SUM(Tabel1[Prijs])',
        `IFERROR(INT(AVERAGE(B2:B4)),"-")|SUM('Telling'!B2:B4)|SUBTOTAL(9,B4:B4)`,
      ],
    ],
  ])('is %s where it is one of %j', (kind, formulas) => {
    for (const formula of formulas.flatMap((some) => some.split('|')))
      expect([formula, formulaKind(formula, 3, 5, 'Telling')]).toEqual([formula, kind]);
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
