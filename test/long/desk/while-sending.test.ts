import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGatedDesk } from '../../desk/open-desk.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';

const ROWS = 160;
const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];

test('what is told of a run while it is sent is what came of it so far, and nothing is in doubt', async () => {
  // Longer than what looks at it may take.
  const { desk, gate } = await openGatedDesk({ timeout: 600_000 });
  const lines = Array.from({ length: ROWS }, (_, at) => [71_001 + at, 'Buffet', `Buffet ${at}`, 10]);
  const file = await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
    Pakketten: [HEADERS, ...lines],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const params = { draft };
  const { run } = await desk.ask('plan', { params });
  await desk.service.faults({ latencyMs: 250 });
  // It goes on under what looks at it, and does not end before that has seen enough.
  void gate.shut(ROWS - 20);
  const { job } = await desk.ask('send', { params, body: { run, deletes: 0 } });
  // From the first moment on, also where the ledger has it as planned.
  const begun = await desk.ask('home');
  expect(begun).toMatchObject({ drafts: [], runs: [{ run, job: { id: job.id } }] });
  let looks = 0;
  let sending = 0;
  for (; ; looks++) {
    const { job: now } = await desk.ask('job', { params: { job: job.id } });
    if (now.endedAt !== null) break;
    const home = await desk.ask('home');
    expect([home.drafts, home.runs.map((one) => one.run)]).toEqual([[], [run]]);
    const shown = (await desk.ask('run', { params: { run } })).run;
    if (shown.state !== 'applying') continue;
    if (++sending === 4) gate.open();
    expect(shown.counts).toMatchObject({ unknown: 0, read: ROWS });
    for (const rows of [
      await desk.ask('runRows', { params: { run }, body: {} }),
      await desk.ask('planRows', { params, body: {} }),
    ]) {
      const { created, notSent, unknown } = rows.counts;
      expect([created + notSent, unknown]).toEqual([ROWS, 0]);
      expect(rows.rows.filter(({ status }) => status === 'unknown')).toEqual([]);
    }
    if (looks % 3 === 0) {
      const terminal = await desk.service.run(['runs', '--json'], { own: true });
      const [told] = (JSON.parse(terminal.stdout) as { runs: { counts: { unknown: number } }[] }).runs;
      const { state } = (await desk.ask('job', { params: { job: job.id } })).job;
      if (state === 'running') expect(told?.counts.unknown).toBe(0);
    }
  }
  expect(sending).toBeGreaterThanOrEqual(4);
  const { run: ended } = await desk.ask('run', { params: { run } });
  expect(ended).toMatchObject({ state: 'done', counts: { created: ROWS, unknown: 0 } });
});
