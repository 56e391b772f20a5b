import { expect, test } from 'vitest';
import { ends, openKind, type Row } from '../open-kind.ts';

const next = 'Eindtijd next-day';
const before = 'Eindtijd end-before-begin';

/** The day, begin and end of a row; the end that is sent, null for none; what is said. */
const CASES: readonly (readonly [
  day: string,
  begin: string,
  end: string,
  sent: string | null,
  said: string,
])[] = [
  ['2027-04-23', '2027-04-23 18:00', '2027-04-24 02:00', '2027-04-24 02:00:00', ''],
  ['2027-04-23', '18:00', '2027-04-24 02:00', '2027-04-24 02:00:00', ''],
  // Last week's row, with another day.
  ['2027-04-23', '2027-04-16 18:00', '2027-04-16 23:30', '2027-04-16 23:30:00', 'Starttijd time-other-day'],
  ['2027-04-23', '18:00', '2027-04-16 23:30', null, before],
  ['2027-04-23', '2027-04-23 18:00', '2027-04-23 17:00', null, before],
  ['2027-04-23', '2027-04-23 18:00', '2027-04-25 02:00', '2027-04-25 02:00:00', ''],
  // A day that can't be read is said once.
  ['23-04-27', '18:00', '23:30', null, 'Datum date-two-digit-year'],
  ['03-03-2027 24:00', '18:00', '23:00', null, 'Datum date-expected'],
  ['2027-03-13', '18:00', '24:00', '2027-03-14 00:00:00', ''],
  ['2027-03-13', '18:00', '25:30', '2027-03-14 01:30:00', next],
  ['2027-03-13', '18:00', '02:00', '2027-03-14 02:00:00', next],
  // At most 12 hours after the begin it is the night that follows; anything later is a slip.
  ['2027-03-13', '20:00', '08:00', '2027-03-14 08:00:00', next],
  ['2027-03-13', '20:00', '08:01', null, before],
  ['2027-03-13', '10:00', '0:00', null, before],
  ['2027-03-13', '20:00', '20:00', '2027-03-13 20:00:00', ''],
  ['2027-03-13', '13-03-2027 20:00', '13-03-2027 24:00', '2027-03-14 00:00:00', ''],
  ['2027-03-13', '13-03-2027 20:00', '10:00', null, before],
  ['2027-03-13', '24:00', '02:00', null, 'Starttijd time-expected'],
  // The begin is on another day, and the end on that of the event.
  ['2027-03-13', '14-03-2027 18:00', '23:00', null, `${before} Starttijd time-other-day`],
];

const event = (at: number, [Datum, Starttijd, Eindtijd]: readonly string[], more: Row = {}): Row => ({
  ...{ ExternalID: 81_000 + at, RelatieID: 4001, ContactpersoonID: 6001 },
  ...{ Datum: Datum ?? null, Starttijd: Starttijd ?? null, Eindtijd: Eindtijd ?? null },
  ...more,
});

test('the times of an event are put on its day, told where they don’t go with it, and never end before they begin', async () => {
  const { send } = openKind('events');
  const done = await send(
    CASES.map((cells, at) => event(at, cells.slice(0, 3) as string[])),
    { dryRun: true },
  );
  expect(ends(done).map((end) => end.replace(/^\w+ ?/, ''))).toEqual(CASES.map((one) => one[4]));
  const sent = done.rows.map(({ status, changes }) =>
    status === 'invalid' ? null : changes?.find(({ field }) => field === 'Eindtijd')?.to,
  );
  expect(sent).toEqual(CASES.map((one) => one[3]));
});

test('times, which no read returns, are held to the event’s day and to what was last sent, and sent where they differ', async () => {
  const { send } = openKind('events');
  await send([event(0, ['2027-05-01', '12:00', '17:30'])]);
  const plan = async (cells: Row) => {
    const { rows } = await send([{ ExternalID: 81_000, ...cells }], { dryRun: true });
    return rows.map(({ status, issues = [] }) =>
      [status, ...issues.map(({ message }) => message)].join(' '),
    )[0];
  };
  expect(await plan({ Starttijd: '12:00' })).toBe('unchanged');
  expect(await plan({ Starttijd: '18:00', Eindtijd: '23:00' })).toBe('update');
  expect(await plan({ Eindtijd: '2027-05-01 11:00' })).toContain('it begins on');
  expect(await plan({ Starttijd: '2027-05-01 18:00' })).toContain('it ends on');
});

test('of two rows on one event, of which one moves its day and another gives times, neither is sent: on which day is not known', async () => {
  const { send, service } = openKind('events');
  await send([event(0, ['2027-05-01', '12:00', '17:30'])]);
  const { length } = service.journal.writes;
  const ExternalID = 81_000;
  const both = await send([
    { ExternalID, Datum: '2027-05-08' },
    { ExternalID, Starttijd: '18:00', Eindtijd: '22:00' },
  ]);
  expect(ends(both)).toEqual(Array(2).fill('invalid Datum value-twice'));
  expect(service.journal.writes).toHaveLength(length);
  const day = { ExternalID, Datum: '2027-05-08' };
  const said = await send([day, { ...day, Starttijd: '18:00', Eindtijd: '22:00' }]);
  expect(ends(said)).toEqual(['updated', 'updated ExternalID record-twice']);
  expect(service.journal.writes.at(-1)?.body).toMatchObject({ Starttijd: '2027-05-08 18:00:00' });
});
