// A service that holds as many packages as its argument says; prints where it is.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../dist/index.js';
import { openStore } from '../../dist/sandbox/store.js';

const data = join(mkdtempSync(join(tmpdir(), 'catersheet-bench-')), 'sandbox.db');
await (await startSandbox({ data })).close();
const store = openStore(data, () => {});
store.atomic(() => {
  for (let number = 1; number <= Number(process.argv[2]) - 30; number += 1)
    store.insert('package', {
      ...{ ExternalID: 2_000_000 + number, Actief: true, ProductTypeID: 1 + (number % 3) },
      ...{ OmschrijvingIntern: `Catalogusartikel ${number}`, OmschrijvingExtern: '' },
      ...{ ProductCategorieID: 1 + (number % 12), Verkoopprijs: 5 + (number % 500) / 20 },
      ...{ OpnemenInOfferte: true, OnderdelenInOfferte: false, OfferteCategorieTonen: false },
    });
});
store.close();
const { url, token } = await startSandbox({ data, pageSize: 100 });
console.log(JSON.stringify({ url, token }));
