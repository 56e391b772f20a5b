import { expect, it } from 'vitest';
import { withRuns } from '../../src/api/runs.ts';
import { applyPlan, importWorkbook, planImport } from '../../src/index.ts';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { openSession } from '../../src/session/open-session.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openGatedService, openTestService, optionsFor } from '../helpers/test-service.ts';

/** What a second program is told while it waits for the ledger; then it gives up. */
async function toldWhileWaiting(file: string, options: ReturnType<typeof optionsFor>): Promise<string> {
  const enough = new AbortController();
  let told = 'nothing';
  const onWait = ({ en }: { readonly en: string }): void => {
    told = en;
    enough.abort(new Error('enough'));
  };
  await importWorkbook(file, { ...options, onWait, signal: enough.signal }).catch(() => {});
  return told;
}

it('who waits for the ledger is told of the run that is being sent, not of one that was cut off', async () => {
  const service = await openGatedService();
  const options = optionsFor(service);
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(5) });
  const { run } = await planImport(file, options);
  // A later one was killed while it was sent, another while it was planned.
  const ledger = openLedger(options.ledger);
  const { service: name = '' } = (await ledger.findRun(run)) ?? {};
  for (const [at, killed] of ['29990101-000000-aaaa', '29990101-000001-bbbb'].entries()) {
    const startedAt = `2999-01-01 00:00:0${at}`;
    await ledger.startRun({ run: killed, service: name, file: 'gekild.xlsx', startedAt });
    if (at === 0) await ledger.setRunState(killed, 'applying');
  }
  const isHalfway = service.gate.shut(1);
  const sending = applyPlan(run, { ...options, out: `${service.folder}/r.xlsx`, concurrency: 1 });
  await isHalfway;
  const told = await toldWhileWaiting(file, options);
  expect(told).toContain(`(${run}, `);
  expect(told).not.toContain('gekild');
  const shown = await withRuns({ ledger: options.ledger }, ({ list }) => list());
  expect(shown.filter(({ busy }) => busy).map((one) => one.run)).toEqual([run]);
  service.gate.open();
  expect((await sending).counts).toMatchObject({ created: 5 });
  await ledger.close();
});

it('who waits for the ledger is told of no run while the program that has it is at none yet', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(1) });
  const { run } = await importWorkbook(file, options);
  const { baseUrl, token, ledger, log } = options;
  const session = await openSession({ baseUrl, token, ledger, log }, 'wait');
  const told = await toldWhileWaiting(file, options);
  await session.close();
  expect(told).toMatch(/^Another catersheet is at work with this ledger; waiting until it is done\./);
  expect(told).not.toContain(run);
});
