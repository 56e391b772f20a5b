import { describe, expect, it, onTestFinished } from 'vitest';
import {
  fetchInvoices,
  importWorkbook,
  refreshEvents,
  sendOrders,
  uploadDocuments,
} from '../../src/index.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../helpers/run-on-terminal.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';
import { csvOf, fileOptions, put } from '../kinds/document/fixtures.ts';
import { json, startServer } from '../service/scripted-server.ts';

const callsOf = async (service: TestService): Promise<unknown[]> =>
  (await service.records('orderCall')).map(({ InkooporderID }) => InkooporderID);
const statuses = (done: { readonly calls: readonly { readonly status: string }[] }): string[] =>
  done.calls.map(({ status }) => status);

describe('purchase orders', () => {
  it('are sent once, and again only with --again', async () => {
    const service = await openTestService();
    const options = serviceOnly(fileOptions(service));
    expect(statuses(await sendOrders([4501, 4502, 4501, 4], options))).toEqual(['done', 'done', 'failed']);
    const second = await sendOrders([4501], options);
    expect(second.calls[0]).toMatchObject({
      status: 'unchanged',
      message: expect.stringContaining('--again'),
    });
    expect(await callsOf(service)).toEqual([4501, 4502]);
    expect(statuses(await sendOrders([4501], { ...options, again: true }))).toEqual(['done']);
    // What is not there now may be there later.
    expect(statuses(await sendOrders([4], options))).toEqual(['failed']);
    expect(await callsOf(service)).toEqual([4501, 4502, 4501]);
    expect(statuses(await sendOrders('all', options))).toEqual(['done']);
    expect(statuses(await sendOrders('all', options))).toEqual(['done']);
    expect(await callsOf(service)).toEqual([4501, 4502, 4501, null, null]);
  });

  it('whose answer was lost are unknown, and not sent again without --again', async () => {
    const service = await openTestService();
    const options = { ...serviceOnly(fileOptions(service)), retries: 3 };
    await service.faults({ lostAnswer: 1 });
    expect(statuses(await sendOrders([4501], options))).toEqual(['unknown']);
    expect(statuses(await sendOrders('all', options))).toEqual(['unknown']);
    await service.faults({ lostAnswer: 0 });
    const again = await sendOrders([4501, 4502], options);
    expect(statuses(again)).toEqual(['unknown', 'done']);
    expect(again.calls[0]?.message).toMatch(/no answer is known.*--again/);
    expect(statuses(await sendOrders('all', options))).toEqual(['unknown']);
    expect(await callsOf(service)).toEqual([4501, null, 4502]);
    expect(statuses(await sendOrders('all', { ...options, again: true }))).toEqual(['done']);
  });

  it('that are sent again keep their earlier posting until the new one is settled', async () => {
    const server = await startServer(json({ message: 'verzonden' }));
    onTestFinished(() => server.stop());
    const options = serviceOnly(fileOptions({ folder: tempFolder(), url: server.baseUrl, token: 'geheim' }));
    const again = { ...options, again: true };
    expect(statuses(await sendOrders([1], options))).toEqual(['done']);
    for (const answer of [json({}, 409), json({ success: false }), json({}, 422), json({}, 404)]) {
      server.script(answer);
      expect(statuses(await sendOrders([1], again))).toEqual(['failed']);
      expect(statuses(await sendOrders([1], options))).toEqual(['unchanged']);
    }
    server.script(json({}, 401));
    await expect(sendOrders([1, 2], again)).rejects.toMatchObject({ exit: 4 });
    expect(statuses(await sendOrders([1], options))).toEqual(['unchanged']);
    // What may have gone out again is in doubt, and stays so where it certainly did not go out once more.
    server.script(json({}, 500), json({}, 409));
    expect(statuses(await sendOrders([1], again))).toEqual(['unknown']);
    expect(statuses(await sendOrders([1], again))).toEqual(['failed']);
    expect(statuses(await sendOrders([1], options))).toEqual(['unknown']);
    server.script(json({ success: true }));
    expect(statuses(await sendOrders([1], again))).toEqual(['done']);
    expect(statuses(await sendOrders([1], options))).toEqual(['unchanged']);
  });

  it.each<[string, string, string, RegExp?]>([
    ['nothing', '', 'done'],
    ['a word', 'OK', 'done', /^OK$/],
    ['a sentence that settles nothing', 'Order 1 bestaat niet', 'unknown', /\(Order 1 bestaat niet\)/],
    ['a flag that is not set', '{"id":1,"success":null}', 'unknown', /"success":null/],
    ['what was done', '{"success":true,"message":"0 errors, 2 sent"}', 'done', /2 sent/],
    [
      'its flag in the other spelling',
      '{"succes":"0","message":"geen leverancier"}',
      'failed',
      /leverancier/,
    ],
    ['an error', '{"error":"EDI down"}', 'unknown', /\(EDI down\).*--again/],
    ['an error that follows a success', '{"success":true,"errors":["regel 2"]}', 'unknown', /regel 2/],
    ['a status', '{"status":"error","message":"geen lijn"}', 'unknown', /geen lijn/],
    ['one of several', '[{"success":false},{"success":true}]', 'unknown', /false/],
    ['an error in words', 'Error: no connection with EDI', 'unknown', /no connection with EDI/],
    ['a page', '<!doctype html><html>Inloggen</html>', 'unknown'],
  ])('understand %s for an answer', async (_, body, status, says) => {
    const server = await startServer((response) => response.end(body));
    onTestFinished(() => server.stop());
    const service = { folder: tempFolder(), url: server.baseUrl, token: 'geheim' };
    const { calls } = await sendOrders([1], serviceOnly(fileOptions(service)));
    expect(calls[0]).toMatchObject({ status });
    if (says !== undefined) expect(calls[0]?.message).toMatch(says);
    // What may have been ordered is never ordered again by itself.
    if (status === 'unknown')
      expect(statuses(await sendOrders([1], serviceOnly(fileOptions(service))))).toEqual(['unknown']);
    expect(server.received).toHaveLength(1);
  });

  it('are not sent where the service is away or refuses the token, and --json says why', async () => {
    const server = await startServer(json({ success: true }), json({ message: 'Unauthenticated.' }, 401));
    onTestFinished(() => server.stop());
    const folder = tempFolder();
    const send = async (url: string) => {
      const args = ['orders', 'send', '1', '2', '3', '--yes', '--json', '--retries', '0', '--base-url', url];
      const env = { CATERSHEET_TOKEN: 't', CATERSHEET_HOME: folder };
      const { code, stdout } = await runCli(args, { cwd: folder, env });
      return { code, ...JSON.parse(stdout) };
    };
    const notSent = { status: 'not sent' };
    expect(await send('http://127.0.0.1:9')).toMatchObject({
      ...{ code: 4, requests: 1, calls: [notSent, notSent, notSent] },
      error: { exit: 4, message: expect.stringContaining('refused') },
    });
    expect(await send(server.baseUrl)).toMatchObject({
      ...{ code: 4, requests: 2, calls: [{ status: 'done' }, notSent, notSent] },
      error: { exit: 4, message: expect.stringContaining('401') },
    });
  });

  it.skipIf(!hasTerminals)('are confirmed first, on a terminal', async () => {
    const service = await openTestService();
    const env = {
      CATERSHEET_BASE_URL: service.url,
      CATERSHEET_TOKEN: service.token,
      CATERSHEET_HOME: service.folder,
    };
    const said = runOnTerminal(
      ['orders', 'send', '4501', '--no-color'],
      { wanted: '[y/N]', keys: 'n\r' },
      { cwd: service.folder, env },
    );
    expect(said.shown).toContain('Send purchase order 4501');
    expect(await callsOf(service)).toEqual([]);
    const { code, stderr } = await service.run(['orders', 'send', '4501']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await callsOf(service)).toEqual([]);
  });
});

describe('refreshing events', () => {
  it('is done when the service says so, and can be asked for again where it does not', async () => {
    const server = await startServer(json({ error: 'disk full' }), json({ id: 9001 }));
    onTestFinished(() => server.stop());
    const service = { folder: tempFolder(), url: server.baseUrl, token: 'geheim' };
    const file = csvOf(service, [['PartijID'], [9001]]);
    const { rows } = await refreshEvents(file, fileOptions(service));
    expect(rows[0]).toMatchObject({
      status: 'unknown',
      message: expect.stringMatching(/\(disk full\).*no harm/),
    });
    expect((await refreshEvents(file, fileOptions(service))).counts).toMatchObject({ updated: 1 });
  });

  it('refreshes each event of a sheet once, and says which do not exist', async () => {
    const service = await openTestService();
    const file = csvOf(service, [
      // Of an export, and the user's own.
      ['PartijID', 'AantalGasten', 'Kladje'],
      [9001, 'a'],
      [9002, 'b'],
      [9001, 'c'],
      [4, 'd'],
      ['x', 'e'],
    ]);
    const said = (await service.run(['refresh', file, '--dry-run'])).stdout;
    expect(said).toMatch(/^Columns not used: .*: Kladje$/m);
    await service.clearLog();
    const done = await refreshEvents(file, fileOptions(service));
    expect(done.rows.map(({ status }) => status)).toEqual([
      'updated',
      'updated',
      'skipped',
      'failed',
      'invalid',
    ]);
    expect((await service.log()).counts).toEqual({ 'events.processevent': 3 });
    const [event] = await service.records('event');
    expect(event).toMatchObject({
      id: 9001,
      LaatsteProductieVerversingLMT: expect.stringMatching(/^\d{4}-/),
    });
    // As often as is asked: it leaves the same.
    expect((await refreshEvents(file, fileOptions(service))).counts).toMatchObject({ updated: 2 });
  });
});

it('every endpoint of the interface is used by some command', async () => {
  const service = await openTestService();
  const options = fileOptions(service);
  const used = new Map<string, Set<string>>();
  const use = async (command: string, work: () => Promise<unknown>): Promise<void> => {
    await service.clearLog();
    await work();
    used.set(command, new Set(Object.keys((await service.log()).counts)));
  };
  await use('check', () => service.run(['check']));
  const writes = endpoints.filter(({ effect }) => effect !== 'none').map(({ name }) => name);
  const reads = endpoints.filter(({ effect }) => effect === 'none').map(({ name }) => name);
  const checked = used.get('check') ?? new Set();
  expect(reads.filter((name) => !checked.has(name))).toEqual([]);
  // What tries a service changes nothing.
  expect(writes.filter((name) => checked.has(name))).toEqual([]);

  const book = await makeWorkbook(`${service.folder}/boek.xlsx`, {
    Pakketten: [
      ['#action', 'ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
      ['', null, 600_001, 'Lunchbuffet', 1, 12.5],
      ['delete', 5002, null, null, null, null],
    ],
    Recepten: [
      [
        '#action',
        'ProductID',
        'ExternalID',
        'OmschrijvingIntern',
        'ProductCategorieID',
        'ProductEenheidWaardeID',
        'Gewicht',
        'OPK',
      ],
      ['', null, 500_001, 'Soep', 1, 201, 0.25, 10],
      ['delete', 7002, null, null, null, null, null, null],
    ],
    Evenementen: [
      [
        '#action',
        'PartijID',
        'ExternalID',
        'RelatieID',
        'ContactpersoonID',
        'Datum',
        'Starttijd',
        'Eindtijd',
        'AantalGasten',
      ],
      ['', null, 800_001, 1, 6, '2027-04-18', '2027-04-18 09:00', '2027-04-18 17:00', 55],
    ],
    Voorraadmutaties: [
      ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
      [7001, 12, '2026-03-31 07:45', 2.5, 4901, 'Telling'],
    ],
    Arrangementen: [
      ['#action', 'PartijID', 'ArrangementID', 'Aantal', 'Datum', 'OfferteOmschrijving'],
      ['', 9001, 15, 12, '2027-04-18', 'Lunch'],
      ['delete', 9002, 15, null, null, null],
    ],
    Ritten: [
      ['#action', 'RitID', 'Chauffeur'],
      ['', 8001, 'Een ander'],
      ['delete', 8002, null],
    ],
  });
  // Linked, so that it can be unlinked.
  await service.request('PUT', 'api/v1/event/package', {
    PartijID: 9002,
    ArrangementID: 15,
    Aantal: 3,
    Datum: '2027-04-18 00:00:00',
  });
  await use('import', async () => {
    const out = `${service.folder}/r.xlsx`;
    const { rows } = await importWorkbook(book, { ...options, out, allowDelete: true });
    expect(rows.filter(({ status }) => !['created', 'updated', 'deleted'].includes(status))).toEqual([]);
  });
  put(`${service.folder}/a.pdf`, 'a');
  await use('documents', () =>
    uploadDocuments(
      csvOf(service, [
        ['PartijID', 'Submap', 'Document'],
        [9001, 'Offertes', 'a.pdf'],
      ]),
      options,
    ),
  );
  const to = `${service.folder}/f`;
  await use('invoices', () => fetchInvoices(csvOf(service, [['id'], [2026001]]), { ...options, to }));
  await use('refresh', async () => {
    expect((await service.run(['refresh', '9001', '--dry-run'])).code).toBe(2);
    expect((await service.run(['refresh', '9001'])).code).toBe(0);
  });
  await use('orders send', () => sendOrders([4501], serviceOnly(options)));
  await use('orders send --all', () => sendOrders('all', serviceOnly(options)));

  const all = new Set([...used.values()].flatMap((names) => [...names]));
  expect(endpoints.map(({ name }) => name).filter((name) => !all.has(name))).toEqual([]);
  expect(endpoints).toHaveLength(34);
  expect([...(used.get('orders send') ?? [])]).toEqual(['orders.send']);
  expect([...(used.get('documents') ?? [])].sort()).toEqual(['events.get', 'events.uploaddocument']);
});
