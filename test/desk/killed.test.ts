import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openGatedService } from '../helpers/test-service.ts';
import { recipeIds, stockOf } from '../kinds/posting/stock-fixtures.ts';
import { startProgram } from './own-program.ts';

const ROWS = 24;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0] as number | null;
}

test.skipIf(!hasProgram)(
  'a program that is killed while it sends a count finds the run again, and nothing is posted twice',
  async () => {
    const service = await openGatedService();
    const ids = await recipeIds(service, ROWS);
    const before = await Promise.all(ids.map((id) => stockOf(service, id)));
    const headers = [
      'ProductID',
      'GeteldRekeneenheid',
      'WerknemerID',
      'DatumTijd',
      'MutatieCategorieID',
      'MutatieReden',
    ];
    const file = await makeWorkbook(join(service.folder, 'telling.xlsx'), {
      Voorraadtelling: [
        headers,
        ...ids.map((id, at) => [id, (before[at] ?? 0) + 3, 12, '2026-11-20 08:00:00', 4901, 'Telling']),
      ],
    });
    const first = await startProgram(service);
    const draft = await first.bring(file);
    const params = { draft };
    expect((await first.planned(draft)).state).toBe('done');
    const plan = await first.ask('plan', { params });
    expect(plan.counts).toMatchObject({ read: ROWS, created: ROWS });
    const isHalfway = service.gate.shut(6, { held: 'answers' });
    await first.ask('send', { params, body: { run: plan.run, deletes: 0 } });
    await isHalfway;
    await ended(first.child, 'SIGKILL');
    service.gate.open();

    const second = await startProgram(service);
    const home = await second.ask('home');
    expect(home.runs).toMatchObject([
      { run: plan.run, state: 'interrupted', open: true, draft, file: 'telling.xlsx' },
    ]);
    const gone = await second.ended((await second.ask('goOn', { params: { run: plan.run }, body: {} })).job);
    expect(gone.state).toBe('done');
    const { run } = await second.ask('run', { params: { run: plan.run } });
    const { created = 0, unknown = 0 } = run.counts ?? {};
    // What was out when the program was killed, and left no trace, is never sent again by itself.
    expect(created + unknown).toBe(ROWS);
    const after = await Promise.all(ids.map((id) => stockOf(service, id)));
    const added = after.map((stock, at) => stock - (before[at] ?? 0));
    expect(added.filter((one) => one === 3).length).toBeGreaterThanOrEqual(created);
    expect(added.every((one) => one === 3 || one === 0)).toBe(true);
    expect(await ended(second.child, 'SIGTERM')).toBe(0);
  },
);
