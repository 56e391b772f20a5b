import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runShape } from '../../src/api/documents.ts';
import { openWorld } from '../promises/world.ts';

test('what an import gives back is the run document and nothing beside it, as a plan and as it was sent', async () => {
  const { service, folder, sheet, machine, importWorkbook } = openWorld({ company: 'lookups' });
  const id = service.add.package({ OmschrijvingIntern: 'Lunch', Verkoopprijs: 12 });
  const file = sheet([
    ['ProductID', 'Verkoopprijs', 'Vreemd'],
    [id, 13, 'x'],
    [id, 14, 'x'],
    [5, 'twaalf euro', 'x'],
    [service.add.package({ Verkoopprijs: 3 }), '1.125', 'x'],
  ]);
  const options = { ...machine(), as: 'packages', allRows: true, report: join(folder, 'r.html') } as const;
  for (const dryRun of [true, false]) {
    const document = await importWorkbook(file, { ...options, dryRun });
    expect(runShape.parse(document)).toEqual(document);
    expect(document.rows.flatMap(({ issues = [] }) => issues).length).toBeGreaterThan(3);
    expect(() => runShape.parse({ ...document, rows: [{ ...document.rows[0], extra: 1 }] })).toThrow();
  }
});
