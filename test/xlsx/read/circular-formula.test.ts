import { describe, expect, test } from 'vitest';
import { isCircular } from '../../../src/xlsx/read/circular-formula.ts';

describe('a formula in C5 of a sheet Telling', () => {
  test.each<[boolean, readonly string[]]>([
    [
      true,
      [
        `C5|$C$5+B5|SUM(C:C)|SUM(A1:D9)|SUM(D9:A1)/2|IF(A5="","",C5)|Telling!C5+B5|'Telling'!$C$5*2`,
        'SUM(telling!B2:D9)|SUM(5:5)|SUM(Telling!5:5)',
      ],
    ],
    [
      false,
      [
        `B5*1.03|C50+AC5+C5A|Blad2!C5|SUM(Blad2!5:5)|IF(B5="5:5",1,2)|Voortelling!C5|'[1]Telling'!C5`,
        `'Prijzen 2027'!$C$5|SUM('Prijzen 2027'!C1:C9)|Tabel1[C5]|VLOOKUP(A5,Blad2!A:D,3,FALSE)|ROW(C5)-1`,
        'OFFSET(C5,-1,0)+1|SUBTOTAL(9,B5:B5)|SUM(D5:F5)|SUM(Inkoop!B2:B4)|ROUND(MAX(B2:B4)+1,0)',
        'SUM(B2:B9)|SUM(Tabel1[@Prijs])|SUM(B2:B4)/2',
      ],
    ],
  ])('is circular, %s, where it is one of %j', (circular, formulas) => {
    for (const formula of formulas.flatMap((some) => some.split('|')))
      expect([formula, isCircular(formula, 3, 5, 'Telling')]).toEqual([formula, circular]);
  });

  test('is told by the name of its sheet with its signs', () => {
    expect(isCircular("'Voorraad ''s avonds & nacht'!C5+1", 3, 5, "Voorraad 's avonds & nacht")).toBe(true);
  });

  test.each(['a', 'A', '[', "'", '"a', "'a'' "])('is told in no time, however often it says %s', (part) => {
    const since = performance.now();
    expect(isCircular(`A1!A2:A3+${part.repeat(60_000)}`, 3, 5, 'Telling')).toBe(false);
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});
