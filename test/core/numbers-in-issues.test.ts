import { expect, test } from 'vitest';
import { describeIssue, expectedText, issueAt } from '../../src/core/issue.ts';
import { asTyped, onPage } from '../../src/core/language.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openWorld } from '../promises/world.ts';

test.each([
  ['en', onPage, '1,234.50'],
  ['nl', onPage, '1.234,50'],
  ['en', asTyped, '1.234,50'],
] as const)(
  'what a cell is expected to hold is written as what is typed there is read (%s)',
  (language, form, number) => {
    for (const locale of ['nl', undefined] as const) {
      const finding = { code: 'number-expected', found: 'abc', ...(locale && { locale }) } as const;
      const issue = issueAt(finding, { field: 'Verkoopprijs', address: null });
      expect(expectedText(issue, language, form)).toContain(number);
      expect(describeIssue(issue, language, form)).toContain(number);
    }
  },
);

test('a cell that is not sent and what its record has are written as one kind of numbers', async () => {
  const { service, machine, folder, importWorkbook } = openWorld();
  const id = service.add.recipe({ OmschrijvingIntern: 'Linzensoep', Kostprijs: 0.9 });
  const file = await makeWorkbook(`${folder}/recepten.xlsx`, {
    Recepten: [
      ['ProductID', 'Kostprijs'],
      [id, 3.5],
    ],
  });
  const done = await importWorkbook(file, { ...machine(), dryRun: true });
  expect(done.rows[0]?.issues?.map(({ message }) => message)).toEqual([
    expect.stringMatching(/found "3,5".+the record has 0,9/),
  ]);
});
