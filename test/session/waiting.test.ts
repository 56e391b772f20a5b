import { expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/sqlite-ledger.ts';
import { openSession } from '../../src/session/open-session.ts';
import { openKind } from '../kinds/open-kind.ts';

const ROWS = [{ ExternalID: 901, OmschrijvingIntern: 'Lunch', ProductTypeID: 1, Verkoopprijs: '10,25' }];

/** What a second program is told while it waits for the ledger; then it gives up. */
async function toldWhileWaiting({ send }: ReturnType<typeof openKind>): Promise<string> {
  const enough = new AbortController();
  let told = 'nothing';
  const onWait = ({ en }: { readonly en: string }): void => {
    told = en;
    enough.abort(new Error('enough'));
  };
  await send(ROWS, { onWait, signal: enough.signal }).catch(() => {});
  return told;
}

it('who waits for the ledger is told of the run that is being sent, not of one that was cut off, and of none while there is none', async () => {
  const kind = openKind('packages', { speed: { beforeMs: 5000 } });
  const { plan, apply, own, time, service } = kind;
  const { run } = await plan(ROWS);
  // A later one was killed while it was sent, another while it was planned.
  const ledger = openLedger(own.ledger);
  const { service: name = '' } = (await ledger.findRun(run)) ?? {};
  for (const [at, killed] of ['29990101-000000-aaaa', '29990101-000001-bbbb'].entries()) {
    const startedAt = `2999-01-01 00:00:0${at}`;
    await ledger.startRun({ run: killed, service: name, file: 'gekild.xlsx', startedAt });
    if (at === 0) await ledger.updateRun(killed, { state: 'applying' });
  }
  await ledger.close();
  let told = '';
  service.at(
    ({ endpoint }) => endpoint === 'package.create',
    async () => {
      told = await toldWhileWaiting(kind);
    },
  );
  expect((await apply(run)).counts).toMatchObject({ created: 1 });
  expect(told).toContain(`(${run}, `);
  const { baseUrl, token, ledger: file, log } = own;
  const session = await openSession({ baseUrl, token, ledger: file, log }, 'wait', {
    time,
    connect: service.connect,
  });
  expect(await toldWhileWaiting(kind)).toMatch(
    /^Another catersheet is at work with this ledger; waiting until it is done \(stop: Ctrl-C\)\./,
  );
  await session.close();
});
