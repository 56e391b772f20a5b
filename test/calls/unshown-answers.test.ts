import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook, sendOrders } from '../../src/index.ts';
import { trips } from '../../src/resources/trips.ts';
import { type Reshaped, startReshaping } from '../answers/reshaping-service.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** A service that does what it is asked, and answers requests of one kind in a way of its own. */
async function open(path: RegExp, answer: Reshaped) {
  const second = await startSecondService();
  const service = await startReshaping(second.url);
  onTestFinished(async () => {
    service.close();
    await second.close();
  });
  service.reshape = (asked) =>
    path.test(`${asked.method} ${asked.path}`) ? { status: 200, ...answer } : undefined;
  const folder = tempFolder();
  const options = optionsFor({ folder, url: service.url, token: second.token });
  return { second, service, folder, options: { ...options, doubt: 0.3, locale: 'en' as const } };
}

const DELETE = /^DELETE .*\/ritten\/\d+$/;
const SEND = /^GET .*purchaseorder\/send/;

/** Bodies of a 2xx that do not speak of a failure. */
const DONE: readonly [string, Reshaped][] = [
  ['a text', { text: 'Rit verwijderd' }],
  ['a text that says nothing', { text: 'dank je wel' }],
  ['no body', { text: '' }],
  ['204', { status: 204, text: '' }],
  ['null', { json: null }],
  ['true', { json: true }],
  ['1', { json: 1 }],
  ['[]', { json: [] }],
  ['{}', { json: {} }],
  ['a number of records', { json: { affected: 1 } }],
  ['XML', { text: '<?xml version="1.0"?><antwoord>akkoord</antwoord>' }],
  ['a status in another word', { json: { status: 'pending' } }],
];

it.each(DONE)('a delete of a trip that answers %s is done, and sent once', async (_, answer) => {
  const { second, service, folder, options } = await open(DELETE, answer);
  const trip = second.add.trip({ Datum: '2027-01-08' });
  const file = `${folder}/ritten.csv`;
  writeFileSync(file, ['#action;RitID;Datum', `delete;${trip};2027-01-08`].join('\r\n'));
  const done = await importWorkbook(file, { ...options, as: trips, allowDelete: true });
  expect(done.rows.map(({ status, message }) => [status, message ?? null])).toEqual([['deleted', null]]);
  expect(service.asked.filter((one) => DELETE.test(one))).toHaveLength(1);
  expect(second.trips.get(trip)).toBeUndefined();
});

it.each<[string, Reshaped, string]>([
  ['success false', { json: { success: false, message: 'vergrendeld' } }, 'failed'],
  ['an error', { json: { error: 'database weg' } }, 'failed'],
  ['a text about an error', { text: 'Fout: rit niet gevonden' }, 'failed'],
  ['a page', { text: '<!DOCTYPE html><html><body>Inloggen</body></html>' }, 'failed'],
])('a delete of a trip that answers %s, and did nothing, is not done', async (_, answer, status) => {
  const { second, folder, options } = await open(DELETE, answer);
  for (let at = 0; at < 10; at++)
    second.failNext(
      { kind: 'answer', when: 'before', status: 200, body: {} },
      ({ method }) => method === 'DELETE',
    );
  const trip = second.add.trip({ Datum: '2027-01-08' });
  const file = `${folder}/ritten.csv`;
  writeFileSync(file, ['#action;RitID;Datum', `delete;${trip};2027-01-08`].join('\r\n'));
  const done = await importWorkbook(file, { ...options, as: trips, allowDelete: true, retries: 0 });
  expect(done.rows[0]?.status).toBe(status);
  expect(second.trips.get(trip)).toBeDefined();
});

it.each(DONE)('a purchase order that answers %s is sent, and not sent again', async (_, answer) => {
  const { second, options } = await open(SEND, answer);
  const send = async () => (await sendOrders([4501], serviceOnly(options))).calls.map(({ status }) => status);
  expect(await send()).toEqual(['done']);
  expect(await send()).toEqual(['unchanged']);
  expect(second.orders.all()).toHaveLength(1);
});

it.each<[string, Reshaped]>([
  ['no body', { text: '' }],
  ['{}', { json: {} }],
  ['a text that says nothing', { text: 'dank je wel' }],
])('with the dialect’s orders strict, a purchase order that answers %s stays unknown', async (_, answer) => {
  const { second, options } = await open(SEND, answer);
  const strict = { ...serviceOnly(options), dialect: { orders: 'strict' as const } };
  const send = async () => (await sendOrders([4501], strict)).calls.map(({ status }) => status);
  expect(await send()).toEqual(['unknown']);
  expect(await send()).toEqual(['unknown']);
  expect(second.orders.all()).toHaveLength(1);
});

it.each<[string, Reshaped, string]>([
  ['success false', { json: { success: false, message: 'geen leverancier' } }, 'failed'],
  ['an error', { json: { error: 'EDI down' } }, 'unknown'],
  ['a text about an error', { text: 'Error: no connection with EDI' }, 'unknown'],
  ['that nothing was sent', { json: { message: 'No orders were sent' } }, 'unknown'],
  ['a count of none', { json: { sent: 0 } }, 'unknown'],
  ['a flag that is not set', { json: { id: 1, success: null } }, 'unknown'],
  ['a page', { text: '<html><head><title>Log in</title></head></html>' }, 'unknown'],
])('a purchase order that answers %s is never taken for sent', async (_, answer, status) => {
  const { options } = await open(SEND, answer);
  const { calls } = await sendOrders([4501], serviceOnly(options));
  expect(calls.map((call) => call.status)).toEqual([status]);
});
