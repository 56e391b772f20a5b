import { describe, expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { changed, eventRows } from './fixtures.ts';

const made = async (service: TestService) =>
  (await service.records('event'))
    .filter(({ id }) => Number(id) > 9040)
    .sort((a, b) => String(a.Datum).localeCompare(String(b.Datum)));
const bookOf = (service: TestService, name: string, rows: Parameters<typeof makeWorkbook>[1][string]) =>
  makeWorkbook(`${service.folder}/${name}.xlsx`, { Evenementen: rows });

it.each([3, 40])('an event that changed between plan and apply is a conflict, among %i', async (rows) => {
  const service = await openTestService();
  const options = optionsFor(service);
  const all = eventRows(rows);
  await importWorkbook(await bookOf(service, 'a', all), options);
  const [, , victim] = await made(service);
  // Lists give moments to the second, so a change within that second can't be seen.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const plan = await planImport(await bookOf(service, 'b', changed(all, 'AantalGasten', 5)), options);
  expect(plan.counts).toMatchObject({ updated: rows });
  await service.request('POST', 'api/v1/event', { PartijID: victim?.id, AantalGasten: 250 });
  const done = await applyPlan(plan, options);
  expect(done.counts).toMatchObject({ updated: rows - 1, conflict: 1 });
  expect((await made(service))[2]).toMatchObject({ AantalGasten: 250 });
});

describe('a create whose answer was lost', () => {
  it.each(['update', 'never'] as const)(
    'is found again, ExternalID stored by %s',
    async (externalId) => {
      const service = await openTestService({ dialect: { externalId }, seed: 7 });
      const options = { ...optionsFor(service), retries: 0 };
      const file = await bookOf(service, 'a', eventRows(12));
      await service.faults({ lostAnswer: 0.3, onlyWrites: true });
      const first = await importWorkbook(file, options);
      expect(first.counts).toMatchObject({ created: 12, unknown: 0 });
      await service.faults({ lostAnswer: 0 });
      expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 12 });
      expect(await made(service)).toHaveLength(12);
    },
    300_000,
  );

  it('is sent by the next import when it never arrived', async () => {
    const service = await openTestService();
    const options = { ...optionsFor(service), retries: 0 };
    const file = await bookOf(service, 'a', eventRows(2));
    const plan = await planImport(file, options);
    await service.faults({ reset: 1, onlyWrites: false });
    await applyPlan(plan, options);
    await service.faults({ reset: 0 });
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 2 });
  });
});

const keyless = (count: number) =>
  eventRows(count).map(([, ...row], index) => [index === 0 ? '#action' : 'create', ...row]);

describe('an event without a key', () => {
  it('is created once, however often it is imported', async () => {
    const service = await openTestService();
    const file = await bookOf(service, 'a', keyless(2));
    expect((await importWorkbook(file, optionsFor(service))).counts).toMatchObject({ created: 2 });
    const again = await importWorkbook(file, optionsFor(service));
    expect(again.counts).toMatchObject({ created: 0, unchanged: 2 });
    expect(again.rows[0]?.message).toMatch(/created before, in run/);
  });

  it('is completed by the next import when its update failed', async () => {
    const service = await openTestService();
    let broken = true;
    const baseUrl = await openProxy(service.url, ({ method, path }) =>
      broken && method === 'POST' && path.endsWith('api/v1/event')
        ? { status: 422, body: { message: 'bezet', errors: {} } }
        : undefined,
    );
    const options = { ...optionsFor(service), baseUrl };
    const file = await bookOf(service, 'a', keyless(2));
    expect((await importWorkbook(file, options)).counts).toMatchObject({ failed: 2 });
    broken = false;
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 0, updated: 2 });
    expect(await made(service)).toMatchObject([{ AantalGasten: 20 }, { AantalGasten: 21 }]);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 2 });
  });
});
