import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
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
  ])('is checked: %s', async (_, lines, issues) => {
    expect(issuesIn(await csvOf(...lines))).toEqual(issues);
  });

  test('is an issue in no workbook: there it may be a note beside the table', async () => {
    const layout = await layoutOf(
      bookOf([
        ['ExternalID', 'Verkoopprijs'],
        [1, 5, null, 'bellen'],
      ]),
    );
    expect(issuesIn(layout)).toEqual([]);
  });
});

describe('a row below the headers of a CSV, where all is text, is no explanation', () => {
  const HEADERS = 'ExternalID;OmschrijvingIntern;Verkoopprijs;Volume';
  test.each<[string, string[]]>([
    ['in the numbers of another locale', [HEADERS, ';Tomatensoep;12.50;1.5', ';Uiensoep;13;2']],
    [
      'with an id and a price that nobody can read',
      [HEADERS, 'K-30001;Soep;€ 12.x;1', '30002;Soep;12,50;2', '30003;Soep;12,50;2'],
    ],
    ['with ids of letters and digits', [HEADERS, 'K-30001;Soep;12.50 euro;', '30002;Soep;13;']],
    [
      'with an action of its own',
      [`#action;${HEADERS}`, 'create;geen;Soep;n.t.b.;geen', 'create;2;Soep;13;1', 'create;3;Soep;14;1'],
    ],
    ['with a key of its own', [`#key;${HEADERS}`, 'k1;geen;Soep;n.t.b.;geen', 'k2;2;Soep;13;1']],
  ])('as in %s', async (_, lines) => {
    const layout = await csvOf(...lines);
    expect(layout.passedOver).toEqual({});
    expect(layout.records).toHaveLength(lines.length - 1);
  });

  test('but is one when it holds words about the columns', async () => {
    const layout = await csvOf(HEADERS, 'geheel getal;tekst;€;liter', '30001;Soep;12,50;1');
    expect(layout.passedOver).toEqual({ explanation: [2] });
  });
});
