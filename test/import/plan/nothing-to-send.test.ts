import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';

const PACKAGES = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
const COUNT = ['ProductID', 'GeteldRekeneenheid'];

test.each<[string, Record<string, (string | number)[][]>, RegExp]>([
  [
    'one that is left out beside an empty one of its kind',
    { Pakketten: [PACKAGES], 'Pakketten nieuw': [PACKAGES, [99801, 'Buffet', 1, 12]] },
    /nothing stands below the headers \(Pakketten nieuw: .*--sheet "Pakketten" --sheet "Pakketten nieuw"/,
  ],
  [
    'one of few columns',
    { Voorraadtelling: [COUNT], Koelcel: [COUNT, [7001, 3]] },
    /nothing stands below the headers \(Koelcel: .*--as stock-count --sheet "Koelcel"/,
  ],
])('a file whose rows stand on a sheet that is not imported names it: %s', async (_, sheets, message) => {
  const service = await openTestService();
  const file = await makeWorkbook(join(service.folder, 'a.xlsx'), sheets);
  await expect(importWorkbook(file, optionsFor(service, { dryRun: true }))).rejects.toThrow(message);
});
