import { expect, test } from 'vitest';
import { exclusiveFor, importIn } from '../../../src/api/import-workbook.ts';
import { importLines } from '../../../src/cli/view/import-lines.ts';
import type { ImportWorkbookOptions } from '../../../src/index.ts';
import { withSession } from '../../../src/session/open-session.ts';
import { otherAddress } from '../../helpers/other-address.ts';
import { openRows, writeRows } from '../../records/keyed-rows.ts';

const linesOf = (file: string, options: ImportWorkbookOptions): Promise<string> =>
  withSession(options, exclusiveFor(options), async (session) => {
    const end = await importIn(session, file, options);
    return JSON.stringify(await importLines(end, { language: 'en', width: null }, {}, false));
  });

test('a row that was sent to another address names one way out, and one that someone changed the other', async () => {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  service.add.stock(product, 24);
  const file = writeRows(`${folder}/v.csv`, [
    {
      ProductID: product,
      WerknemerID: 12,
      DatumTijd: '2026-10-01 08:00:00',
      AantalRekeneenheid: -2,
      MutatieCategorieID: 4901,
      MutatieReden: 'Bederf',
    },
  ]);
  const given = { ...options, as: 'stock-mutations' };
  await linesOf(file, given);
  const again = await linesOf(file, { ...given, baseUrl: await otherAddress(service.url) });
  expect(again).toContain('--elsewhere same');
  expect(again).not.toContain('--on-conflict');

  const counted = writeRows(`${folder}/t.csv`, [
    {
      ProductID: product,
      WerknemerID: 12,
      DatumTijd: '2026-10-02 08:00:00',
      GeteldRekeneenheid: 9,
      MutatieCategorieID: 4901,
      MutatieReden: 'Week',
      '#status': 'failed',
      '#id': '',
    },
  ]);
  expect(await linesOf(counted, { ...options, as: 'stock-count' })).toContain('--on-conflict mine');
});
