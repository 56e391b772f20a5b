import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

async function open(pageSize = 50) {
  const service = await startSecondService({ answers: { pageSize } });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const rows = (price: number, keys: readonly number[]): string => {
    const lines = keys.map((key) => `${key};Pakket ${key};1;${price}`);
    writeFileSync(
      `${folder}/rijen.csv`,
      ['ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', ...lines].join('\r\n'),
    );
    return `${folder}/rijen.csv`;
  };
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), as: packages };
  return { service, rows, options };
}

it.each([1, 2, 3, 8])(
  'two records with one ExternalID are named, and neither is changed, in a file of %i rows',
  async (count) => {
    const { service, rows, options } = await open();
    const [one, two] = [1, 2].map(() => service.add.package({ ExternalID: 9_001 }));
    const keys = Array.from({ length: count }, (_, at) => 9_001 + at);
    const {
      rows: [first],
    } = await importWorkbook(rows(5, keys), options);
    expect(first).toMatchObject({ status: 'conflict' });
    expect(first?.message).toContain(String(one));
    expect(first?.message).toContain(String(two));
    expect(service.packages.where({ ExternalID: 9_001 }).map(({ Verkoopprijs }) => Verkoopprijs)).toEqual([
      12.5, 12.5,
    ]);
  },
);

it('where the list is long, the ledger tells of a second record with the ExternalID that it gave out', async () => {
  const { service, rows, options } = await open(2);
  for (let at = 0; at < 20; at++) service.add.package();
  const made = await importWorkbook(rows(5, [9_001]), options);
  service.set({ values: { sharedExternalId: 'last' } });
  const other = service.add.package({ ExternalID: 9_001 });
  const {
    rows: [row],
  } = await importWorkbook(rows(6, [9_001]), options);
  expect(row).toMatchObject({ status: 'conflict' });
  for (const id of [made.rows[0]?.id, other]) expect(row?.message).toContain(String(id));
});
