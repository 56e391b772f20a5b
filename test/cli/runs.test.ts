import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openGatedService, openTestService } from '../helpers/test-service.ts';
import { MUTATION_HEADER } from '../kinds/stock/stock-fixtures.ts';
import { newPackages } from '../promises/world.ts';

test.skipIf(!hasProgram)(
  'a real program that was killed while it sent goes on with apply, and every record is there once',
  async () => {
    const service = await openGatedService();
    const file = await makeWorkbook(join(service.folder, 'a.xlsx'), { Pakketten: packageRows(20) });
    const isHalfway = service.gate.shut(8, { held: 'answers' });
    let kill = (_: NodeJS.Signals): void => {};
    const onStart = (send: typeof kill): void => {
      kill = send;
    };
    const running = service.run(['import', file, '--yes', '--out', 'r.xlsx'], { onStart });
    await isHalfway;
    kill('SIGKILL');
    expect((await running).code).toBeNull();
    service.gate.open();
    const { runs } = JSON.parse((await service.run(['runs', '--json'])).stdout);
    expect(runs).toMatchObject([{ state: 'interrupted', busy: false }]);
    const { code, document } = await service.runJson(['apply', runs[0].run, '--yes', '--out', 'r.xlsx']);
    expect([code, document.counts]).toMatchObject([0, { read: 20, created: 20, unknown: 0, failed: 0 }]);
    const added = (await service.records('package')).filter(
      ({ ExternalID }) => Number(ExternalID) >= 600_000,
    );
    expect(new Set(added.map(({ ExternalID }) => ExternalID)).size).toBe(20);
    expect(added).toHaveLength(20);
    const again = await service.run(['apply', runs[0].run]);
    expect([again.code, again.stdout + again.stderr]).toEqual([
      0,
      expect.stringContaining('nothing of it is left to send'),
    ]);
  },
);

test('a plan is sent once as it was shown, and never to another service', async () => {
  const [service, other] = [await openTestService(), await openTestService()];
  const file = join(service.folder, 'a.csv');
  writeFileSync(
    file,
    newPackages(3)
      .map((row) => row.join(';'))
      .join('\n'),
  );
  const plan = await service.runJson(['import', file, '--as', 'packages', '--dry-run']);
  const apply = ['apply', plan.document.run, '--yes'];
  const env = { CATERSHEET_BASE_URL: other.url, CATERSHEET_TOKEN: other.token };
  const elsewhere = await service.run(apply, { env });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('not for')]);
  expect((await service.runJson(apply)).document.counts).toMatchObject({ created: 3 });
  await service.clearLog();
  expect((await service.runJson(apply)).document.counts).toMatchObject({ created: 3 });
  expect((await service.log()).requests).toEqual([]);
});

test('a run with a row in doubt ends with 6, also where it is applied again, and says how to settle it', async () => {
  const service = await openTestService({ faults: { lostAnswer: 1, onlyWrites: true } });
  const [recipe] = await service.records('recipe');
  const row = [recipe?.id, 12, '2026-10-01 08:00:00', 2, 4901, 'Bederf'];
  writeFileSync(join(service.folder, 'a.csv'), `${MUTATION_HEADER.join(';')}\n${row.join(';')}`);
  const first = await service.runJson('import a.csv --as stock-mutations --yes --retries 0'.split(' '));
  const again = await service.run(['apply', first.document.run]);
  expect([first.code, again.code, again.stdout]).toEqual([6, 6, expect.stringContaining('--resend')]);
});
