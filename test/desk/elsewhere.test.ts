import { expect, test } from 'vitest';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTwo } from './two-services.ts';

test.skipIf(!hasProgram)(
  'a plan of another service says which one it is, and is neither sent nor corrected',
  async () => {
    const { desk, use, params, service } = await openTwo();
    const here = await desk.ask('plan', { params });
    expect(here).toMatchObject({ here: true, service: { profile: 'keuken', kind: 'real' } });
    await use('winkel');
    const plan = await desk.ask('plan', { params });
    expect(plan).toMatchObject({ here: false, service: { profile: 'keuken', address: `${service.url}/` } });
    expect((await desk.ask('run', { params: { run: plan.run } })).plan).toMatchObject({ here: false });
    const corrections = [{ sheet: 'Pakketten', row: 3, column: 4, text: '14,50' }];
    for (const asked of [
      desk.fetch('send', { params, body: { run: plan.run, deletes: 0 } }),
      desk.fetch('correct', { params, body: { corrections } }),
      desk.fetch('goOn', { params: { run: plan.run }, body: {} }),
    ]) {
      const refused = await asked;
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        {
          message: expect.stringContaining('another service (keuken)'),
          next: expect.stringContaining('keuken'),
        },
      ]);
    }
    await use(null);
    const alone = await desk.fetch('send', { params, body: { run: plan.run, deletes: 0 } });
    expect(alone.status).toBe(409);
    await use('winkel');
    await desk.planned(params.draft);
    expect(await desk.ask('plan', { params })).toMatchObject({ here: true, service: { profile: 'winkel' } });
  },
);
