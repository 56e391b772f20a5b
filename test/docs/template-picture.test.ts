import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importIn } from '../../src/api/import-workbook.ts';
import { withSession } from '../../src/session/open-session.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { followPage, type Picture } from './follow-page.ts';
import { ROOT } from './papers.ts';

it('the workbook of the template’s picture is imported as it stands: its rows are asked about once, and created', async () => {
  const [before = '', after] = readFileSync(join(ROOT, 'docs/tour.md'), 'utf8').split(
    /(?<=^<!-- picture template .*$)/m,
  );
  expect(after).toBeDefined();
  const service = await openTestService();
  const file = join(service.folder, 'zomer.xlsx');
  const onPicture = async (picture: Picture): Promise<void> => copyFileSync(picture.file, file);
  await followPage(before, { onPicture, rewriting: false });
  const asked: unknown[] = [];
  const questions = {
    takeHeaders: async () => false,
    ask: async () => '',
    tell: () => {},
    createUnnamed: async (sheets: unknown) => asked.push(sheets) > 0,
  };
  const options = optionsFor(service);
  const { exit, result } = await withSession(serviceOnly(options), 'wait', (session) =>
    importIn(session, file, { out: options.out, questions }),
  );
  expect(asked).toEqual([[{ sheet: 'Pakketten', rows: 2 }]]);
  expect(result.counts).toMatchObject({ read: 2, created: 2 });
  expect(exit).toBe(0);
});
