import { describe, expect, test } from 'vitest';
import { ordersIn } from '../../src/api/calls.ts';
import { callsDocument } from '../../src/api/make-documents.ts';
import type { OptionsOf } from '../../src/index.ts';
import { withSession } from '../../src/session/open-session.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { ends, openKind } from '../kinds/open-kind.ts';
import type { Failure } from '../second-service/knobs.ts';

const answer = (body: unknown, status = 200, when: 'before' | 'after' = 'before'): Failure => ({
  ...{ kind: 'answer', when, status, body },
});
const PAGE: Failure = { kind: 'login page', when: 'before' };
const LOST: Failure = { kind: 'reset', when: 'after' };

/** A program that sends purchase orders; answers what became of each, and what was said of the first. */
function openOrders() {
  const { service, time, own } = openKind('packages');
  const send = async (ids: readonly number[] | 'all', options: OptionsOf<'sendOrders'> = {}) => {
    const given = { ...serviceOnly(own), retries: 0, ...options };
    const { calls } = await withSession(
      given,
      'wait',
      async (session) => {
        const result = await ordersIn(session, ids === 'all' ? ids : ids.map(String), given);
        return callsDocument(result, 'en');
      },
      { time, connect: service.connect },
    );
    return { said: calls.map(({ status }) => status), message: calls[0]?.message };
  };
  /** What the next requests for orders come to, one after the other. */
  const next = (...failures: readonly Failure[]): void => {
    for (const failure of failures)
      service.failNext(failure, ({ endpoint }) => endpoint?.startsWith('edi.') === true);
  };
  return {
    ...{ service, send, next },
    sent: () => service.orders.all().map(({ Inkooporder }) => Inkooporder),
  };
}

describe('purchase orders', () => {
  test('are sent once, and again only with --again or as all that the service has', async () => {
    const { send, sent } = openOrders();
    expect((await send([4501, 4502, 4501])).said).toEqual(['done', 'done']);
    const second = await send([4501]);
    expect([second.said, second.message]).toEqual([['unchanged'], expect.stringContaining('--again')]);
    expect((await send([4501], { again: true })).said).toEqual(['done']);
    for (let times = 0; times < 2; times++) expect((await send('all')).said).toEqual(['done']);
    expect(sent()).toEqual([4501, 4502, 4501, null, null]);
  });

  test('whose answer was lost are unknown, and not sent again without --again', async () => {
    const { send, sent, next } = openOrders();
    next(LOST, LOST);
    expect([(await send([4501])).said, (await send('all')).said]).toEqual([['unknown'], ['unknown']]);
    const again = await send([4501, 4502]);
    expect(again.said).toEqual(['unknown', 'done']);
    expect(again.message).toMatch(/no answer is known.*--again/);
    expect((await send('all')).said).toEqual(['unknown']);
    expect(sent()).toEqual([4501, null, 4502]);
    expect((await send('all', { again: true })).said).toEqual(['done']);
  });

  test('that are sent again keep their earlier posting until the new one is settled', async () => {
    const { send, next } = openOrders();
    await send([1]);
    const again = { again: true };
    for (const failure of [answer({}, 409), answer({ success: false }), answer({}, 422), answer({}, 404)]) {
      next(failure);
      expect((await send([1], again)).said).toEqual(['failed']);
      expect((await send([1])).said).toEqual(['unchanged']);
    }
    // What may have gone out again is in doubt, and stays so where it certainly did not go out once more.
    next(answer({}, 500), answer({}, 409));
    expect((await send([1], again)).said).toEqual(['unknown']);
    expect((await send([1], again)).said).toEqual(['failed']);
    expect((await send([1])).said).toEqual(['unknown']);
    expect((await send([1], again)).said).toEqual(['done']);
    expect((await send([1])).said).toEqual(['unchanged']);
  });

  test.each<[unknown, string, RegExp?]>([
    ['', 'done'],
    [null, 'done'],
    [true, 'done'],
    [[], 'done'],
    [{}, 'done'],
    [{ affected: 1 }, 'done'],
    [{ status: 'pending' }, 'done'],
    ['OK', 'done', /^OK$/],
    [{ success: true, message: '0 errors, 2 sent' }, 'done', /2 sent/],
    [{ success: false, message: 'geen leverancier' }, 'failed', /leverancier/],
    [{ succes: '0', message: 'geen leverancier' }, 'failed', /leverancier/],
    ['Order 1 bestaat niet', 'unknown', /\(Order 1 bestaat niet\)/],
    [{ id: 1, success: null }, 'unknown', /"success":null/],
    [{ error: 'EDI down' }, 'unknown', /\(EDI down\).*--again/],
    [{ success: true, errors: ['regel 2'] }, 'unknown', /regel 2/],
    [{ status: 'error', message: 'geen lijn' }, 'unknown', /geen lijn/],
    [[{ success: false }, { success: true }], 'unknown', /false/],
    ['Error: no connection with EDI', 'unknown', /no connection with EDI/],
    [{ message: 'No orders were sent' }, 'unknown'],
    [{ sent: 0 }, 'unknown'],
    [PAGE, 'unknown'],
  ])('with the answer %j are %s', async (body, status, says = /(?:)/) => {
    const { service, send, next } = openOrders();
    next(body === PAGE ? PAGE : answer(body));
    const { said, message } = await send([1]);
    expect([said, message ?? '']).toEqual([[status], expect.stringMatching(says)]);
    // What may have been ordered is never ordered again by itself.
    if (status !== 'failed') await send([1]);
    expect(service.journal.of('edi.send')).toHaveLength(1);
  });

  test('are not sent once the token is refused, and none of them is said to be', async () => {
    const { service, send, next } = openOrders();
    next(answer({ message: 'Unauthenticated.' }, 401));
    expect((await send([1, 2])).said).toEqual(['not sent', 'not sent']);
    expect(service.journal.of('edi.send')).toHaveLength(1);
    expect((await send([1, 2])).said).toEqual(['done', 'done']);
  });

  test('are not sent where nobody is there to confirm', async () => {
    const home = tempFolder();
    const env = { CATERSHEET_TOKEN: 't', CATERSHEET_HOME: home, CATERSHEET_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await runCli(['orders', 'send', '4501'], { cwd: home, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
  });
});

describe('a delete of a trip', () => {
  const remove = async (failure: Failure, isRefused = false) => {
    const { service, send } = openKind('trips');
    const RitID = service.add.trip({ Datum: '2027-01-08' });
    let times = 0;
    service.set({
      failures: {
        choose: ({ method }) => (method === 'DELETE' && (times++ === 0 || isRefused) ? failure : undefined),
      },
    });
    const rows = [{ RitID, Datum: '2027-01-08', '#action': 'delete' }];
    const done = await send(rows, { allowDelete: true, retries: 0 });
    return [done.rows[0]?.status, service.trips.get(RitID) !== undefined, service.journal.writes.length];
  };

  test.each(['Rit verwijderd', '', null, true, 1, [], {}, { affected: 1 }, { status: 'pending' }])(
    'that was done is done, and sent once, whatever its answer says: %j',
    async (body) => {
      expect(await remove(answer(body, 200, 'after'))).toEqual(['deleted', false, 1]);
    },
  );

  test.each([
    { success: false, message: 'vergrendeld' },
    { error: 'database weg' },
    'Fout: rit niet gevonden',
    PAGE,
  ])('that was not done, with the answer %j, is not said to be', async (body) => {
    const [status, isThere] = await remove(body === PAGE ? PAGE : answer(body), true);
    expect([status, isThere]).toEqual(['failed', true]);
  });
});

test('events are refreshed once each, as often as is asked, and what came in place of an answer is said', async () => {
  const { service, command } = openKind('refreshes');
  const [one, two] = [service.add.event(), service.add.event()];
  const rows = [one, two, one, 4, 'x'].map((PartijID) => ({ PartijID }));
  service.failNext(answer({ error: 'disk full' }), ({ endpoint }) => endpoint === 'event.process');
  const first = await command('refreshes', rows, undefined, { concurrency: 1, retries: 0 });
  expect(ends(first)).toEqual([
    ...[
      'unknown',
      'updated',
      'skipped',
      expect.stringMatching(/^(failed|invalid)/),
      expect.stringMatching('invalid'),
    ],
  ]);
  expect(first.rows[0]?.message).toMatch(/\(disk full\).*no harm/);
  expect(ends(await command('refreshes', rows)).slice(0, 3)).toEqual(['updated', 'updated', 'skipped']);
});
