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

describe('a row with a value in a column without a header', () => {
  test.each<[string, string[], string[]]>([
    [
      'a decimal comma between commas',
      ['ExternalID,OmschrijvingIntern,Verkoopprijs', '911,Tomatensoep,12,50', '912,Uiensoep,13'],
      ['D2 cell-beyond-header'],
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
    ['between two headers', ['ExternalID;;Verkoopprijs', '1;9;5', '2;;6'], ['B2 cell-beyond-header']],
    ['under a header that means nothing here', ['ExternalID;Verkoopprijs;Notitie', '1;5;let op'], []],
  ])('has an issue, in a CSV as in a workbook: %s', async (_, lines, issues) => {
    expect(issuesIn(await csvOf(...lines))).toEqual(issues);
    // What stands between the quotes and separators of the CSV.
    const grid = lines.map((line) => line.split(/[;,]/).map((text) => text.replaceAll('"', '') || null));
    expect(issuesIn(await layoutOf(bookOf(grid)))).toEqual(issues);
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
    [
      'with an action of its own',
      [`#action;${HEADERS}`, 'create;geen;Soep;n.t.b.;geen', 'create;2;Soep;13;1', 'create;3;Soep;14;1'],
    ],
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
