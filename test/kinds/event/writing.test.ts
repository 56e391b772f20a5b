import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { type Kitchen, openKitchen } from '../../helpers/kitchen.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { changed, eventRows, optionsFor } from './stand.ts';

const made = async (kitchen: Kitchen) =>
  (await kitchen.records('event'))
    .filter(({ id }) => Number(id) > 9040)
    .sort((a, b) => String(a.Datum).localeCompare(String(b.Datum)));
const bookOf = (kitchen: Kitchen, name: string, rows: Parameters<typeof makeWorkbook>[1][string]) =>
  makeWorkbook(`${kitchen.folder}/${name}.xlsx`, { Evenementen: rows });

describe('a row that creates an event', () => {
  it('is created with what creates take and completed by an update, and needs nothing the second time', async () => {
    const kitchen = await openKitchen();
    const options = optionsFor(kitchen);
    const file = await bookOf(kitchen, 'a', eventRows(1));
    await kitchen.clearLog();
    expect((await importWorkbook(file, options)).counts).toMatchObject({ created: 1 });
    const { counts } = await kitchen.log();
    expect(counts).toEqual({ 'events.all': 1, 'events.create': 1, 'events.update': 1, 'events.get': 1 });
    expect(await made(kitchen)).toMatchObject([
      {
        ExternalID: 81_000,
        PartijOmschrijving: 'Lunch 81000',
        Starttijd: '2027-05-01 12:00:00',
        AantalGasten: 20,
      },
    ]);
    await kitchen.clearLog();
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 1 });
    expect((await kitchen.log()).counts).toEqual({ 'events.get': 1 });
  });

  it('is refused without what creates need', async () => {
    const kitchen = await openKitchen();
    const rows = changed(eventRows(1), 'Eindtijd', null);
    const { counts, rows: told } = await importWorkbook(
      await bookOf(kitchen, 'a', rows),
      optionsFor(kitchen),
    );
    expect(counts).toMatchObject({ invalid: 1 });
    expect(told[0]?.issues?.map(({ code, cell }) => [code, cell])).toEqual([['required-missing', 'G2']]);
  });
});

describe('an event that exists', () => {
  it('gets what differs and nothing else', async () => {
    const kitchen = await openKitchen();
    const options = optionsFor(kitchen);
    const rows = eventRows(2);
    await importWorkbook(await bookOf(kitchen, 'a', rows), options);
    const again = changed(changed(rows, 'AantalGasten', 99, 2), 'PartijOmschrijving', '#CLEAR', 2);
    expect((await importWorkbook(await bookOf(kitchen, 'b', again), options)).counts).toMatchObject({
      unchanged: 1,
      updated: 1,
    });
    expect(await made(kitchen)).toMatchObject([
      { AantalGasten: 20 },
      { AantalGasten: 99, PartijOmschrijving: null, RelatieID: 2 },
    ]);
  });

  it('keeps what only a create takes, and its row says so', async () => {
    const kitchen = await openKitchen();
    const rows = [
      ['PartijID', 'BronWaardeID', 'AccountmanagerID', 'FactuurContactpersoonID'],
      [9001, 413, 12, 5],
    ];
    const file = await bookOf(kitchen, 'a', rows);
    const first = await importWorkbook(file, optionsFor(kitchen));
    expect(first.counts).toMatchObject({ updated: 1 });
    expect(first.rows[0]?.issues).toMatchObject([{ code: 'create-only', cell: 'B2', severity: 'warning' }]);
    const second = await importWorkbook(file, optionsFor(kitchen));
    expect(second.counts).toMatchObject({ unchanged: 1 });
    const strict = await importWorkbook(file, { ...optionsFor(kitchen), strict: true });
    expect(strict.counts).toMatchObject({ invalid: 1 });
    expect(strict.rows[0]?.issues).toMatchObject([{ code: 'create-only', cell: 'B2', severity: 'error' }]);
  });

  it('is not deleted, even where deletes are allowed', async () => {
    const kitchen = await openKitchen();
    const rows = [
      ['PartijID', '#action'],
      [9001, 'delete'],
    ];
    const options = { ...optionsFor(kitchen), allowDelete: true };
    const { counts, rows: told } = await importWorkbook(await bookOf(kitchen, 'a', rows), options);
    expect(counts).toMatchObject({ invalid: 1, deleted: 0 });
    expect(told[0]?.issues?.map(({ code }) => code)).toEqual(['action-not-possible']);
  });

  it('is changed by rows in file order, created by the first of them', async () => {
    const kitchen = await openKitchen();
    const [header = [], row = []] = eventRows(1);
    const later = row.map((cell, at) => (header[at] === 'AantalGasten' ? 77 : cell));
    const file = await bookOf(kitchen, 'a', [header, row, later, later]);
    const { counts } = await importWorkbook(file, optionsFor(kitchen));
    expect(counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(await made(kitchen)).toMatchObject([{ AantalGasten: 77 }]);
  });
});

describe('times, which no read returns', () => {
  it('are sent once to an event of which nothing is known, then when they differ', async () => {
    const kitchen = await openKitchen();
    const header = ['PartijID', 'Starttijd', 'Eindtijd'];
    const at = (time: string) => [header, [9001, `2026-10-02 ${time}`, '2026-10-02 23:30:00']];
    const counts = async (name: string, time: string) =>
      (await importWorkbook(await bookOf(kitchen, name, at(time)), optionsFor(kitchen))).counts;
    expect(await counts('a', '14:00')).toMatchObject({ updated: 1 });
    expect(await counts('b', '14:00')).toMatchObject({ unchanged: 1 });
    expect(await counts('c', '15:00')).toMatchObject({ updated: 1 });
    const [event] = await kitchen.records('event');
    expect(event).toMatchObject({ Starttijd: '2026-10-02 15:00:00', Eindtijd: '2026-10-02 23:30:00' });
  });

  it('may stand alone: they are on the event’s day, and after midnight on the next', async () => {
    const kitchen = await openKitchen();
    const bare = changed(changed(eventRows(1), 'Starttijd', '19:00'), 'Eindtijd', '01:30');
    const strict = { ...optionsFor(kitchen), strict: true };
    expect((await importWorkbook(await bookOf(kitchen, 'a', bare), strict)).counts).toMatchObject({
      invalid: 1,
    });
    const first = await importWorkbook(await bookOf(kitchen, 'a', bare), optionsFor(kitchen));
    expect(first.rows[0]?.issues?.map(({ code, severity }) => [code, severity])).toEqual([
      ['next-day', 'warning'],
    ]);
    expect(await made(kitchen)).toMatchObject([
      { Starttijd: '2027-05-01 19:00:00', Eindtijd: '2027-05-02 01:30:00' },
    ]);
    const rows = [
      ['ExternalID', 'Starttijd'],
      [81_000, '18:00'],
    ];
    const second = await importWorkbook(await bookOf(kitchen, 'b', rows), optionsFor(kitchen));
    expect(second.counts).toMatchObject({ updated: 1 });
    expect(await made(kitchen)).toMatchObject([{ Starttijd: '2027-05-01 18:00:00' }]);
  });

  it('may say 24:00, which is the end of the day, and no surprise', async () => {
    const kitchen = await openKitchen();
    const bare = changed(changed(eventRows(1), 'Starttijd', '19u'), 'Eindtijd', '24:00');
    const strict = { ...optionsFor(kitchen), strict: true };
    const { counts } = await importWorkbook(await bookOf(kitchen, 'a', bare), strict);
    expect(counts).toMatchObject({ created: 1 });
    expect(await made(kitchen)).toMatchObject([
      { Starttijd: '2027-05-01 19:00:00', Eindtijd: '2027-05-02 00:00:00' },
    ]);
  });
});

describe.each(['update', 'create', 'never'] as const)('where ExternalID is stored by %s', (externalId) => {
  it('there is one event for each, also when the ledger is all that knows', async () => {
    const kitchen = await openKitchen({ dialect: { externalId } });
    const options = optionsFor(kitchen);
    const file = await bookOf(kitchen, 'a', eventRows(5));
    await importWorkbook(file, options);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ unchanged: 5 });
    const more = await bookOf(kitchen, 'b', changed(eventRows(6), 'AantalGasten', 11));
    expect((await importWorkbook(more, options)).counts).toMatchObject({ created: 1, updated: 5 });
    expect(await made(kitchen)).toHaveLength(6);
  });

  it('a key given to an existing event settles', async () => {
    const kitchen = await openKitchen({ dialect: { externalId } });
    const options = optionsFor(kitchen);
    const [seeded = {}] = await kitchen.records('event');
    const { RelatieID, ContactpersoonID, Datum, Starttijd, Eindtijd } = seeded;
    await kitchen.request('PUT', 'api/v1/event', { RelatieID, ContactpersoonID, Datum, Starttijd, Eindtijd });
    const file = await bookOf(kitchen, 'a', [
      ['ExternalID', 'PartijID', 'AantalGasten'],
      [99_001, 9041, 21],
    ]);
    expect((await importWorkbook(file, options)).counts).toMatchObject({ updated: 1 });
    const again = await importWorkbook(file, options);
    expect(again.counts).toMatchObject({ unchanged: 1 });
  });
});
