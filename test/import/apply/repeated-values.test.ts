import { expect, it, onTestFinished } from 'vitest';
import { applyPlan, importWorkbook, planImport, readRun } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import type { Received } from '../../second-service/types.ts';

type Cells = readonly (string | number | null)[];

async function open() {
  const service = await startSecondService({ company: 'lookups' });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const options = { ...optionsFor({ folder, url: service.url, token: service.token }), allowDelete: true };
  const file = (rows: readonly Cells[]) =>
    makeWorkbook(`${folder}/a.xlsx`, {
      Pakketten: [['#action', 'ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'], ...rows],
    });
  const id = service.add.package({ ExternalID: 700_001, OmschrijvingIntern: 'Was', Verkoopprijs: 12.5 });
  return { service, options, file, id };
}

const statuses = (rows: readonly { readonly row: number; readonly status: string }[]) =>
  rows.map(({ row, status }) => `${row} ${status}`);
const isWrite = ({ endpoint }: Pick<Received, 'endpoint'>): boolean =>
  /^package\.(create|update|delete)$/.test(endpoint);
const REFUSED = { kind: 'status', status: 422, when: 'before' } as const;

const TWICE: readonly Cells[] = [
  [null, 700_001, null, 'Nieuw', 20],
  [null, 700_001, null, 'Nieuw', null],
];
const MADE: readonly Cells[] = [
  ['create', 700_009, 1, 'Nieuw', 20],
  [null, 700_009, null, 'Nieuw', null],
];
const DELETED: readonly Cells[] = [
  ['delete', 700_001, null, null, null],
  ['delete', 700_001, null, null, null],
];

it.each([
  ['changes', TWICE],
  ['makes', MADE],
  ['deletes', DELETED],
])(
  'a row that repeats what an earlier one %s is not said to be there when that one fails',
  async (_, rows) => {
    const { service, options, file } = await open();
    service.failNext(REFUSED, isWrite);
    const { rows: said, counts } = await importWorkbook(await file(rows), options);
    expect(statuses(said)).toEqual(['2 failed', '3 not sent']);
    expect(said[1]?.message).toContain('Pakketten!2');
    expect(counts).toMatchObject({ failed: 1, notSent: 1, unchanged: 0 });
  },
);

it.each([
  ['changes', TWICE, 'updated'],
  ['makes', MADE, 'created'],
  ['deletes', DELETED, 'deleted'],
])('a row that repeats what an earlier one %s is unchanged when that one is done', async (_, rows, done) => {
  const { service, options, file } = await open();
  const { rows: said } = await importWorkbook(await file(rows), options);
  expect(statuses(said)).toEqual([`2 ${done}`, '3 unchanged']);
  const sent = service.journal.requests.filter(isWrite);
  expect(sent.filter(({ endpoint }) => endpoint !== 'package.update' || done === 'updated')).toHaveLength(1);
});

it('a row that repeats what a conflict was to write is not said to be there', async () => {
  const { service, options, file, id } = await open();
  const { allowDelete: _, ...applying } = options;
  const { run } = await planImport(await file(TWICE), options);
  service.other.change('package', id, { OmschrijvingIntern: 'Van een ander' });
  const { rows } = await applyPlan(run, applying);
  expect(statuses(rows)).toEqual(['2 conflict', '3 not sent']);
});

it('a row that says what the record held before all rows stays unchanged', async () => {
  const { service, options, file } = await open();
  service.failNext(REFUSED, isWrite);
  const rows: readonly Cells[] = [
    [null, 700_001, null, null, 20],
    [null, 700_001, null, 'Was', null],
  ];
  const { rows: said } = await importWorkbook(await file(rows), options);
  expect(statuses(said)).toEqual(['2 failed', '3 unchanged']);
});

it('a row that repeats another is not sent while its run is interrupted, and settled when it goes on', async () => {
  const { service, options, file } = await open();
  const stop = new AbortController();
  service.at(isWrite, () => stop.abort(), { side: 'before' });
  const { allowDelete: _, ...more } = options;
  const { run } = await planImport(await file(TWICE), options);
  await expect(applyPlan(run, { ...more, signal: stop.signal })).rejects.toThrow();
  const now = await readRun(run, { ledger: options.ledger, lang: 'en' });
  expect(statuses(now.rows)).toContain('3 not sent');
  const { rows } = await applyPlan(run, more);
  expect(statuses(rows)).toEqual(['2 updated', '3 unchanged']);
});
