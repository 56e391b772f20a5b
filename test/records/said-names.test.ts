import { describe, expect, test } from 'vitest';
import { type Cell, openWorld } from '../promises/world.ts';

/** An event of a customer, with a package and a trip, and what is told of a row about it. */
function open() {
  const { service, machine, sheet, importWorkbook } = openWorld();
  const event = service.add.event({
    PartijOmschrijving: 'Jubileum Van Oord',
    Datum: '2027-03-03',
    RelatieID: 4001,
  });
  const linked = service.add.package({ OmschrijvingIntern: 'Walking dinner', Verkoopprijs: 15 });
  const free = service.add.package({ OmschrijvingIntern: 'Stamppotbuffet', Verkoopprijs: 15 });
  service.add.link(event, linked, { Aantal: 40, Datum: '2027-03-03' });
  const [trip] = service.trips.all();
  const told = async (as: string, rows: readonly (readonly Cell[])[]) => {
    const { length } = service.journal.requests;
    const done = await importWorkbook(sheet(rows), { ...machine(), as, dryRun: true });
    const issues = done.rows
      .flatMap(({ issues: own = [] }) => own)
      .filter(({ code }) => code === 'record-of-another');
    const asked = service.journal.requests.slice(length).map(({ path }) => path);
    return { issues: issues.map(({ field, message }) => `${field}: ${message}`), asked };
  };
  return { service, event, linked, free, trip: Number(trip?.RitID), tripEvent: Number(trip?.PartijID), told };
}

const OTHER = 'Qwxyz';

describe('a row with the name of another record than its id names is warned of', () => {
  test('the customer of an event that is there, whether that changes or not', async () => {
    const { event, told } = open();
    const { issues } = await told('events', [
      ['PartijID', 'Bedrijfsnaam', 'AantalGasten'],
      [event, OTHER, 31],
    ]);
    expect(issues).toEqual([expect.stringMatching(/^Bedrijfsnaam: .*RelatieID 4001 is "/)]);
  });

  test('the event of an arrangement, new and there', async () => {
    const { event, linked, free, told } = open();
    const header = ['PartijID', 'PartijOmschrijving', 'ArrangementID', 'Aantal', 'Datum'];
    for (const id of [linked, free]) {
      const other = await told('arrangements', [header, [event, OTHER, id, 41, '2027-03-03']]);
      expect(other.issues).toEqual([expect.stringMatching(/^PartijOmschrijving: .*"Jubileum Van Oord"/)]);
      const own = await told('arrangements', [header, [event, 'jubileum', id, 41, '2027-03-03']]);
      expect(own.issues).toEqual([]);
    }
  });

  test('the event of an arrangement that the row names by its ExternalID', async () => {
    const { service, free, told } = open();
    const event = service.add.event({ ExternalID: 70_023, PartijOmschrijving: 'Ledendag' });
    const { issues } = await told('arrangements', [
      ['Event.ExternalID', 'PartijOmschrijving', 'ArrangementID', 'Aantal', 'Datum'],
      [70_023, OTHER, free, 5, '2027-03-03'],
    ]);
    expect(issues).toEqual([
      expect.stringContaining(`PartijOmschrijving: B2 PartijOmschrijving: “${OTHER}”`),
    ]);
    expect(issues[0]).toContain(`PartijID ${event} is "Ledendag"`);
  });

  test('the arrangement of a new link, whose name another event tells', async () => {
    const { service, event, linked, told } = open();
    const next = service.add.event({ PartijOmschrijving: 'Diner', Datum: '2027-03-04' });
    const rows = (name: string) => [
      ['PartijID', 'ArrangementID', 'ArrangementNaam', 'Aantal', 'Datum'],
      [event, linked, 'Walking dinner', 40, '2027-03-03'],
      [next, linked, name, 41, '2027-03-04'],
    ];
    const other = await told('arrangements', rows(OTHER));
    expect(other.issues).toEqual([expect.stringMatching(/^ArrangementNaam: .*"Walking dinner"/)]);
    expect((await told('arrangements', rows('Dinner'))).issues).toEqual([]);
  });

  test('the event of a trip, which is asked for where the row says its name alone', async () => {
    const { trip, tripEvent, told } = open();
    const path = new RegExp(`event/${tripEvent}$`);
    const other = await told('trips', [
      ['RitID', 'PartijOmschrijving', 'Chauffeur'],
      [trip, OTHER, 'Joost'],
    ]);
    expect(other.issues).toEqual([
      expect.stringMatching(new RegExp(`^PartijOmschrijving: .*PartijID ${tripEvent}`)),
    ]);
    expect(other.asked.filter((one) => path.test(one))).toHaveLength(1);
    const none = await told('trips', [
      ['RitID', 'PartijOmschrijving', 'Chauffeur'],
      [trip, null, 'Joost'],
    ]);
    expect([none.issues, none.asked.some((one) => path.test(one))]).toEqual([[], false]);
  });
});
