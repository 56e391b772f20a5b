import { expect, it } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import {
  importSheet,
  MORNING,
  MUTATION_HEADER,
  mutate,
  mutationsOf,
  recipeIds,
  stockOf,
  workbookOf,
} from './stock-fixtures.ts';

const rowsFor = (ids: readonly number[]) => [
  MUTATION_HEADER,
  ...ids.map((id) => [id, 12, MORNING, -2, 4901, 'Bederf']),
];

it('a posting whose answer was lost is unknown, tells the totals, and is never sent again by itself', async () => {
  const service = await openTestService();
  const ids = await recipeIds(service, 3);
  for (const id of ids) await mutate(service, id, 40.5 - (await stockOf(service, id)));
  const { length } = await mutationsOf(service);
  const options = { ...optionsFor(service), retries: 0 };
  const file = await workbookOf(service, { Voorraadmutaties: rowsFor(ids) });
  const plan = await planImport(file, options);
  await service.faults({ lostAnswer: 1, onlyWrites: true });
  const first = await applyPlan(plan, options);
  await service.faults({ lostAnswer: 0 });
  expect(first.counts).toMatchObject({ unknown: 3, created: 0 });
  expect(first.rows[0]?.message).toMatch(
    new RegExp(`no answer came back.*product ${ids[0]} was 40.5 before run ${first.run}.*it is 38.5 now`),
  );
  const again = await importWorkbook(file, options);
  expect(again.counts).toMatchObject({ unknown: 3, created: 0 });
  expect(again.rows[0]?.message).toMatch(new RegExp(`^run ${first.run} .*was 40.5 .*it is 38.5 now`));
  expect(again.rows[2]?.message).toContain(`catersheet apply ${first.run} --resend "Voorraadmutaties!4"`);
  expect(await mutationsOf(service)).toHaveLength(length + 3);
});

it('an import that leaves a posting in doubt ends the program with 6', async () => {
  const service = await openTestService();
  const file = await workbookOf(service, { Voorraadmutaties: rowsFor(await recipeIds(service, 1)) });
  await service.faults({ lostAnswer: 1, onlyWrites: true });
  const { code } = await service.run(['import', file, '--yes', '--retries', '0']);
  expect(code).toBe(6);
});

it('a posting that was answered with 503 may have arrived, and is not sent by the next import', async () => {
  const service = await openTestService();
  const ids = await recipeIds(service, 2);
  await service.faults({ status503: 1, retryAfter: null, onlyWrites: true });
  const first = await importSheet(service, 'Voorraadmutaties', rowsFor(ids), { retries: 0 });
  expect(first.counts).toMatchObject({ unknown: 2 });
  await service.faults({ status503: 0 });
  const second = await importSheet(service, 'Voorraadmutaties', rowsFor(ids));
  expect(second.counts).toMatchObject({ unknown: 2, created: 0 });
});

it('noting names and totals costs one read each a product and run beside the postings, and nothing when all are posted', async () => {
  const service = await openTestService();
  const ids = await recipeIds(service, 5);
  const many = [1, 2, 3, 4, 5, 6].flatMap((times) =>
    ids.map((id) => [id, 12, MORNING, -times, 4901, 'Bederf']),
  );
  await service.clearLog();
  const done = await importSheet(service, 'Voorraadmutaties', [MUTATION_HEADER, ...many]);
  expect(done.counts).toMatchObject({ created: 30 });
  expect((await service.log()).counts).toEqual({
    'lookups.dropdownvalue': 1,
    'lookups.product': 5,
    'stock.currenttotal': 5,
    'stock.create': 30,
  });
});

it('a posting in doubt is done once the user has found it on the service, and only then', async () => {
  const service = await openTestService();
  const file = await workbookOf(service, { Voorraadmutaties: rowsFor(await recipeIds(service, 2)) });
  await service.faults({ lostAnswer: 1, onlyWrites: true });
  const { document } = await service.runJson(['import', file, '--yes', '--retries', '0']);
  await service.faults({ lostAnswer: 0 });
  const { length } = await mutationsOf(service);
  const wrong = await service.run(['apply', document.run, '--done', '99', '--yes']);
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain('Voorraadmutaties!2');
  const both = await service.run(['apply', document.run, '--resend', '2', '--done', '2', '--yes']);
  expect(both).toMatchObject({ code: 2 });
  expect(await mutationsOf(service)).toHaveLength(length);
  const done = await service.runJson(['apply', document.run, '--done', '2', '--done', '3', '--yes']);
  expect(done.document.counts).toMatchObject({ created: 2, unknown: 0 });
  expect(done.code).toBe(0);
  const again = await service.runJson(['import', file, '--yes']);
  expect(again.document.counts).toMatchObject({ unchanged: 2 });
  expect(await mutationsOf(service)).toHaveLength(length);
});
