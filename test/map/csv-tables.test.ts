import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { bookOf, type Layout, layoutOf } from './layout-of.ts';

/** A CSV of packages, read from a real file. */
async function csvOf(...lines: readonly string[]): Promise<Layout> {
  const file = join(tempFolder(), 'Pakketten.csv');
  writeFileSync(file, lines.join('\r\n'));
  return await layoutOf(await readWorkbook(file));
}

const issuesIn = ({ records }: Layout): string[] =>
  records.flatMap(({ issues }) => issues.map(({ address, code }) => `${address} ${code}`));

describe('a row of a CSV with more values than there are headers', () => {
  test.each<[string, string[], string[]]>([
    [
      'a decimal comma between commas',
      ['ExternalID,OmschrijvingIntern,Verkoopprijs', '911,Tomatensoep,12,50', '912,Uiensoep,13'],
      ['D2 cell-beyond-header'],
    ],
    [
      'row names that no header stands above',
      ['"ExternalID";"Verkoopprijs"', '"1";30001;12,5', '"2";30002;13,5'],
      ['C2 cell-beyond-header', 'C3 cell-beyond-header'],
    ],
    [
      'a separator in a text, twice',
      ['ExternalID;OmschrijvingIntern;OmschrijvingExtern', '1;Soep; met room; en bieslook;Soep'],
      ['D2 cell-beyond-header'],
    ],
    [
      'in a result that is imported again',
      ['ExternalID;Verkoopprijs;;#status;#id', '1;5;9;created;7', '2;5;;created;8'],
      ['C2 cell-beyond-header'],
    ],
    ['blank cells behind the last header', ['ExternalID;Verkoopprijs', '1;5;;', '2;6; ; '], []],
    ['under a header that means nothing here', ['ExternalID;Verkoopprijs;Notitie', '1;5;let op'], []],
    ['fewer values', ['ExternalID;Verkoopprijs;Volume', '1;5', '2'], []],
  ])('%s', async (_, lines, issues) => {
    expect(issuesIn(await csvOf(...lines))).toEqual(issues);
  });

  test('a note beside the table of a workbook is none of our business', async () => {
    const layout = await layoutOf(
      bookOf([
        ['ExternalID', 'Verkoopprijs'],
        [1, 5, null, 'bellen'],
      ]),
    );
    expect(issuesIn(layout)).toEqual([]);
  });
});
