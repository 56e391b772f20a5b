import { expect, it } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { packages } from '../../src/resources/packages.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';
import { rewriteSheet, type SheetRow } from '../import/baseline/fixtures.ts';

it('a record that a colleague deleted is not made anew, and is an issue only where its row was changed', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const out = `${service.folder}/uit.xlsx`;
  await exportRecords(packages, { ...serviceOnly(options), out });
  const priced = (row: SheetRow, more: SheetRow = {}): SheetRow => ({ ...row, Verkoopprijs: 61, ...more });
  const keyed = { ProductID: null };
  let gone: SheetRow[] = [];
  await rewriteSheet(out, 'Pakketten', ([a = {}, b = {}, c = {}, d = {}, e = {}, f = {}, g = {}]) => {
    gone = [a, b, c, d, e, f];
    return [
      ...[a, priced(b), { ...c, ...keyed }, priced(d, keyed)],
      ...[priced(e, { ...keyed, '#action': 'create' }), { ...f, '#action': 'delete' }, priced(g)],
      {
        ProductID: null,
        ExternalID: 998_877,
        OmschrijvingIntern: 'Nieuw',
        ProductTypeID: 1,
        Verkoopprijs: 5,
      },
    ];
  });
  for (const { ProductID } of gone)
    await service.request('DELETE', 'api/v1/product/pakket/delete', { ProductID: Number(ProductID) });
  const done = await importWorkbook(out, { ...options, allowDelete: true });
  const found = done.rows.map(({ status, issues = [] }) =>
    [status, ...issues.map(({ code, cell }) => `${code} ${cell}`)].join(' '),
  );
  expect(found).toEqual([
    ...['skipped', 'invalid record-deleted B3', 'skipped', 'invalid record-deleted C5'],
    ...['created', 'unchanged', 'updated', 'created'],
  ]);
  // The terminal shows issues, not messages: the way out stands in them.
  expect(done.rows[1]?.issues?.[0]?.message).toMatch(
    /someone removed it since; delete the row, or empty ProductID/,
  );
  expect(done.rows[0]?.message).toMatch(/someone removed it since.*nothing was changed/);
  expect(
    (await service.records('package')).filter(({ ExternalID }) => ExternalID === gone[2]?.ExternalID),
  ).toEqual([]);
});

it('an arrangement that a colleague unlinked stays unlinked', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const out = `${service.folder}/uit.xlsx`;
  await exportRecords(arrangements, { ...serviceOnly(options), out, from: '2026-01-01', to: '2027-12-31' });
  let gone: SheetRow[] = [];
  await rewriteSheet(out, 'Arrangementen', ([a = {}, b = {}, ...others]) => {
    gone = [a, b];
    return [a, { ...b, Aantal: Number(b.Aantal) + 1 }, ...others];
  });
  for (const { PartijID, ArrangementID } of gone)
    await service.request('POST', 'api/v1/event/package/delete', {
      ...{ PartijID: Number(PartijID), ArrangementID: Number(ArrangementID), DEL: true },
    });
  const before = await service.records('link');
  const done = await importWorkbook(out, options);
  expect(done.rows.slice(0, 2).map(({ status }) => status)).toEqual(['skipped', 'invalid']);
  expect(done.counts).toMatchObject({ skipped: 1, invalid: 1, unchanged: done.counts.read - 2 });
  expect(await service.records('link')).toEqual(before);
});
