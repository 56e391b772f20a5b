import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { changed, eventRows } from './fixtures.ts';

const made = async (service: TestService) =>
  (await service.records('event'))
    .filter(({ id }) => Number(id) > 9040)
    .sort((a, b) => String(a.Datum).localeCompare(String(b.Datum)));
const bookOf = (service: TestService, name: string, rows: Parameters<typeof makeWorkbook>[1][string]) =>
  makeWorkbook(`${service.folder}/${name}.xlsx`, { Evenementen: rows });

describe('a row that creates an event', () => {
  it('is created with what creates take and completed by an update, and needs nothing the second time', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const file = await bookOf(service, 'a', eventRows(1));
    await service.clearLog();
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 1 });
    const { counts } = await service.log();
    const lists = { 'events.all': 2, 'events.allByLMT': 2 };
    const reads = { ...lists, 'events.get': 3, 'lookups.relation': 1, 'lookups.contact': 1 };
    expect(counts).toEqual({ ...reads, 'events.create': 1, 'events.update': 1 });
    expect(await made(service)).toMatchObject([
      {
        ExternalID: 81_000,
        PartijOmschrijving: 'Lunch 81000',
        Starttijd: '2027-05-01 12:00:00',
        AantalGasten: 20,
      },
    ]);
    await service.clearLog();
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 1 });
    expect((await service.log()).counts).toEqual({ 'events.get': 1 });
  });

  it('is refused without what creates need', async () => {
    const service = await openTestService();
    const rows = changed(eventRows(1), 'Eindtijd', null);
    const { counts, rows: told } = await importWorkbook(
      await bookOf(service, 'a', rows),
      optionsFor(service),
    );
    expect(counts).toMatchObject({ invalid: 1 });
    expect(told[0]?.issues?.map(({ code, cell }) => [code, cell])).toEqual([['required-missing', 'G2']]);
  });
});

describe('an event that exists', () => {
  it('gets what differs and nothing else', async () => {
    const service = await openTestService();
    const options = optionsFor(service);
    const rows = eventRows(2);
    await importWorkbook(await bookOf(service, 'a', rows), options);
    const again = changed(changed(rows, 'AantalGasten', 99, 2), 'PartijOmschrijving', '#CLEAR', 2);
    expect((await importWorkbook(await bookOf(service, 'b', again), options)).counts).toMatchObject({
      unchanged: 1,
      updated: 1,
    });
    expect(await made(service)).toMatchObject([
      { AantalGasten: 20 },
      { AantalGasten: 99, PartijOmschrijving: null, RelatieID: 2 },
    ]);
  });

  it('keeps what only a create takes, and its row says so', async () => {
    const service = await openTestService();
    const rows = [
      ['PartijID', 'BronWaardeID', 'AccountmanagerID', 'FactuurContactpersoonID'],
      [9001, 413, 12, 1],
    ];
    const file = await bookOf(service, 'a', rows);
    const first = await importWorkbook(file, optionsFor(service));
    expect(first.counts).toMatchObject({ updated: 1 });
    expect(first.rows[0]?.issues).toMatchObject([{ code: 'create-only', cell: 'B2', severity: 'warning' }]);
    const second = await importWorkbook(file, optionsFor(service));
    expect(second.counts).toMatchObject({ unchanged: 1 });
    const strict = await importWorkbook(file, { ...optionsFor(service), strict: true });
    expect(strict.counts).toMatchObject({ invalid: 1 });
    expect(strict.rows[0]?.issues).toMatchObject([{ code: 'create-only', cell: 'B2', severity: 'error' }]);
  });

  it('is not deleted, even where deletes are allowed', async () => {
    const service = await openTestService();
    const rows = [
      ['PartijID', '#action'],
      [9001, 'delete'],
    ];
    const options = { ...optionsFor(service), allowDelete: true };
    const { counts, rows: told } = await importWorkbook(await bookOf(service, 'a', rows), options);
    expect(counts).toMatchObject({ invalid: 1, deleted: 0 });
    expect(told[0]?.issues?.map(({ code }) => code)).toEqual(['action-not-possible']);
  });

  it('is changed by rows in file order, created by the first of them, where the later say update', async () => {
    const service = await openTestService();
    const [header = [], row = []] = eventRows(1);
    const later = row.map((cell, at) => (header[at] === 'AantalGasten' ? 77 : cell));
    const file = await bookOf(service, 'a', [
      [...header, '#action'],
      [...row, null],
      [...later, 'update'],
      [...later, null],
    ]);
    const { counts } = await importWorkbook(file, optionsFor(service));
    expect(counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await made(service)).toMatchObject([{ AantalGasten: 77 }]);
  });
});

describe('times, which no read returns', () => {
  it('are sent once to an event of which nothing is known, then when they differ', async () => {
    const service = await openTestService();
    const header = ['PartijID', 'Starttijd', 'Eindtijd'];
    const at = (time: string) => [header, [9001, `2026-10-02 ${time}`, '2026-10-02 23:30:00']];
    const counts = async (name: string, time: string) =>
      (await importWorkbook(await bookOf(service, name, at(time)), optionsFor(service))).counts;
    expect(await counts('a', '14:00')).toMatchObject({ updated: 1 });
    expect(await counts('b', '14:00')).toMatchObject({ unchanged: 1 });
    expect(await counts('c', '15:00')).toMatchObject({ updated: 1 });
    const [event] = await service.records('event');
    expect(event).toMatchObject({ Starttijd: '2026-10-02 15:00:00', Eindtijd: '2026-10-02 23:30:00' });
  });

  it('may stand alone: they are on the event’s day, and after midnight on the next', async () => {
    const service = await openTestService();
    const bare = changed(changed(eventRows(1), 'Starttijd', '19:00'), 'Eindtijd', '01:30');
    const strict = { ...optionsFor(service), strict: true };
    expect((await importWorkbook(await bookOf(service, 'a', bare), strict)).counts).toMatchObject({
      invalid: 1,
    });
    const first = await importWorkbook(await bookOf(service, 'a', bare), optionsFor(service));
    expect(first.rows[0]?.issues?.map(({ code, severity }) => [code, severity])).toEqual([
      ['next-day', 'warning'],
    ]);
    expect(await made(service)).toMatchObject([
      { Starttijd: '2027-05-01 19:00:00', Eindtijd: '2027-05-02 01:30:00' },
    ]);
    const rows = [
      ['ExternalID', 'Starttijd'],
      [81_000, '18:00'],
    ];
    const second = await importWorkbook(await bookOf(service, 'b', rows), optionsFor(service));
    expect(second.counts).toMatchObject({ updated: 1 });
    expect(await made(service)).toMatchObject([{ Starttijd: '2027-05-01 18:00:00' }]);
  });

  it('may say 24:00, which is the end of the day, and no surprise', async () => {
    const service = await openTestService();
    const bare = changed(changed(eventRows(1), 'Starttijd', '19u'), 'Eindtijd', '24:00');
    const strict = { ...optionsFor(service), strict: true };
    const { counts } = await importWorkbook(await bookOf(service, 'a', bare), strict);
    expect(counts).toMatchObject({ created: 1 });
    expect(await made(service)).toMatchObject([
      { Starttijd: '2027-05-01 19:00:00', Eindtijd: '2027-05-02 00:00:00' },
    ]);
  });
});

describe.each(['update', 'create', 'never'] as const)('where ExternalID is stored by %s', (externalId) => {
  it('there is one event for each, also when the ledger is all that knows', async () => {
    const service = await openTestService({ dialect: { externalId } });
    const options = optionsFor(service);
    const file = await bookOf(service, 'a', eventRows(5));
    await importWorkbook(file, options);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 5 });
    const more = await bookOf(service, 'b', changed(eventRows(6), 'AantalGasten', 11));
    expect((await importWorkbook(more, options)).counts).toMatchObject({ created: 1, updated: 5 });
    expect(await made(service)).toHaveLength(6);
  });

  it('a key given to an existing event settles', async () => {
    const service = await openTestService({ dialect: { externalId } });
    const options = optionsFor(service);
    const [seeded = {}] = await service.records('event');
    const { RelatieID, ContactpersoonID, Datum, Starttijd, Eindtijd } = seeded;
    await service.request('PUT', 'api/v1/event', { RelatieID, ContactpersoonID, Datum, Starttijd, Eindtijd });
    const file = await bookOf(service, 'a', [
      ['ExternalID', 'PartijID', 'AantalGasten'],
      [99_001, 9041, 21],
    ]);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ updated: 1 });
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ unchanged: 1 });
  });
});
