import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../src/index.ts';
import { findHabit } from '../../src/records/value-habits.ts';
import { trips } from '../../src/resources/trips.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { type Cells, openRows, resources, rowsOf, writeRows } from './keyed-rows.ts';

/** A second service, and imports of rows into it. */
async function open(knobs: KnobChanges = {}) {
  const { service, folder, options } = await openRows(knobs);
  return {
    service,
    async importing(rows: readonly Cells[], as: object = resources.packages) {
      const before = service.journal.writes.length;
      const file = writeRows(`${folder}/a.csv`, rows);
      const { rows: done, notes = [] } = await importWorkbook(file, { ...options, as: as as never });
      return {
        ...{ notes, rows: done, writes: service.journal.writes.length - before },
        statuses: done.map(({ status }) => status),
        issues: done.map(({ issues = [] }) => issues.map(({ code, field }) => `${code} ${field}`)),
      };
    },
  };
}

const pack = (at: number, more: Cells): Cells => ({ ExternalID: 900 + at, ...rowsOf.packages(at), ...more });
const text = (Offertetekst: string): Cells[] => [pack(1, { Offertetekst })];

describe('a text that was held shorter than it was sent', () => {
  it('ends at a sign of four bytes, and the next one is sent and kept whole', async () => {
    const { service, importing } = await open({ values: { characters: 'no four bytes: cut' } });
    const { rows } = await importing(text('Taart 🍰 met room'));
    const second = await importing(text('Taart met room en aardbeien'));
    expect(second.statuses).toEqual(['updated']);
    expect(service.packages.get(rows[0]?.id ?? 0)?.Offertetekst).toBe('Taart met room en aardbeien');
  });

  it('is no habit where a colleague may have shortened that one text: another is sent', async () => {
    const { service, importing } = await open();
    // After its key.
    service.at(2, () => {
      const [one] = service.packages.where({ Offertetekst: 'Taart met room' });
      service.other.change('package', Number(one?.ProductID), { Offertetekst: 'Taart met' });
    });
    const { rows, issues } = await importing(text('Taart met room'));
    expect(issues).toEqual([[]]);
    await importing(text('Taart met aardbeien'));
    expect(service.packages.get(rows[0]?.id ?? 0)?.Offertetekst).toBe('Taart met aardbeien');
  });

  it('is the service’s doing where two texts show it, and each row says so', async () => {
    const { importing } = await open({ values: { cutAt: { Offertetekst: 9 } } });
    const rows = [pack(1, { Offertetekst: 'Taart met room' }), pack(2, { Offertetekst: 'Broodje met kaas' })];
    expect((await importing(rows)).issues).toEqual([['text-cut Offertetekst'], ['text-cut Offertetekst']]);
    const second = await importing(rows);
    expect([second.statuses, second.writes]).toEqual([['unchanged', 'unchanged'], 0]);
  });

  it('is not cut any more once the service shows a longer one', async () => {
    const { service, importing } = await open({ values: { cutAt: { Offertetekst: 9 } } });
    const rows = [pack(1, { Offertetekst: 'Taart met room' }), pack(2, { Offertetekst: 'Broodje met kaas' })];
    await importing(rows);
    service.set({ values: { cutAt: undefined } });
    service.add.package({ ExternalID: 903, Offertetekst: 'Een tekst die langer is dan dat' });
    const longer = [...rows, pack(3, { Offertetekst: 'Kort' })];
    expect((await importing(longer)).statuses).toEqual(['updated', 'updated', 'updated']);
    expect(service.packages.where({ ExternalID: 901 })).toMatchObject([{ Offertetekst: 'Taart met room' }]);
  });
});

describe('a field of which the service keeps nothing', () => {
  const KINDS: Readonly<
    Record<string, { as: object; ignored: string; row(at: number, value: number): Cells }>
  > = {
    packages: {
      as: resources.packages,
      ignored: 'Volume',
      row: (at, value) => pack(at, { Volume: value }),
    },
    recipes: {
      as: resources.recipes,
      ignored: 'MinimaalVoorraad',
      row: (at, value) => ({ ExternalID: 900 + at, ...rowsOf.recipes(at), MinimaalVoorraad: value }),
    },
    events: {
      as: resources.events,
      ignored: 'StatusID',
      row: (at, value) => ({ ExternalID: 900 + at, ...rowsOf.events(at), StatusID: value }),
    },
  };

  it.each(Object.keys(KINDS))(
    'is said once of %s, and is sent again where the user changes it',
    async (kind) => {
      const { as, ignored, row } = KINDS[kind] as (typeof KINDS)[string];
      const { service, importing } = await open({ values: { ignored: [ignored] } });
      const rows = [1, 2, 3].map((at) => row(at, 2));
      const first = await importing(rows, as);
      expect(first.notes.join()).toContain(`${ignored} is not kept`);
      expect(first.issues).toEqual(rows.map(() => [`not-kept ${ignored}`]));
      const second = await importing(rows, as);
      expect([second.statuses, second.writes, second.notes]).toEqual([rows.map(() => 'unchanged'), 0, []]);
      const changed = await importing([row(1, 3), ...rows.slice(1)], as);
      expect([changed.statuses, changed.writes]).toEqual([['updated', 'unchanged', 'unchanged'], 1]);
      expect(service.journal.writes.at(-1)?.body).toMatchObject({ [ignored]: 3 });
      const again = await importing([row(1, 3), ...rows.slice(1)], as);
      expect([again.statuses, again.writes]).toEqual([rows.map(() => 'unchanged'), 0]);
    },
  );

  it('is found out of an update of a single trip', async () => {
    const { service, importing } = await open({ values: { ignored: ['Chauffeur'] } });
    const RitID = service.add.trip({});
    await importing([{ RitID, Chauffeur: 'J. de Boer' }], trips);
    const second = await importing([{ RitID, Chauffeur: 'J. de Boer' }], trips);
    expect([second.statuses, second.writes]).toEqual([['unchanged'], 0]);
    expect((await importing([{ RitID, Chauffeur: 'P. Smit' }], trips)).statuses).toEqual(['updated']);
  });

  it('does not hide a lost create, also where nothing was seen of the field yet', async () => {
    const { service, importing } = await open({ values: { ignored: ['Volume'] } });
    const before = service.packages.size;
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 50 }, ({ method }) => method === 'PUT');
    const first = await importing([pack(1, { Volume: 2 })]);
    expect(first.statuses).toEqual(['created']);
    await service.settled();
    expect(service.packages.size - before).toBe(1);
  });

  it('is sent to a record that was not sent it yet', async () => {
    const { service, importing } = await open({ values: { ignored: ['Volume'] } });
    await importing([pack(1, { Volume: 4 })]);
    service.add.package({ ExternalID: 902 });
    expect((await importing([{ ExternalID: 902, Volume: 4 }])).statuses).toEqual(['updated']);
  });

  it('is not one that a colleague emptied: the file brings its value back', async () => {
    const { service, importing } = await open();
    const { rows } = await importing([pack(1, { Volume: 4 })]);
    service.other.change('package', rows[0]?.id ?? 0, { Volume: null });
    const second = await importing([pack(1, { Volume: 4 })]);
    expect([second.statuses, second.notes]).toEqual([['updated'], []]);
    expect(service.packages.get(rows[0]?.id ?? 0)?.Volume).toBe(4);
  });
});

describe('moments that the service shows in another zone', () => {
  const pair = (sent: string, held: string) => ({ sent: `${sent}:00`, held: `${held}:00` });
  const winter = [pair('2027-01-10 12:00', '2027-01-10 11:00'), pair('2027-02-11 00:00', '2027-02-10 23:00')];
  const summer = pair('2027-07-10 12:00', '2027-07-10 10:00');

  it('are an hour more away in summer, where that was seen', () => {
    const habit = findHabit('datetime', [...winter, summer]);
    expect(habit?.apply('2027-08-01 00:30:00')).toBe('2027-07-31 22:30:00');
    expect(habit?.apply('2027-12-01 00:30:00')).toBe('2027-11-30 23:30:00');
    expect(habit?.back('2027-07-31 22:30:00')).toBe('2027-08-01 00:30:00');
  });

  it.each([
    ['differ by another hour', [...winter, pair('2027-03-01 12:00', '2027-03-01 10:00')]],
    ['differ by some minutes', [pair('2027-01-10 12:00', '2027-01-10 11:50')]],
    ['differ by days', [pair('2027-01-10 12:00', '2027-01-12 12:00')]],
  ])('are no habit where they %s', (_, pairs) => {
    expect(findHabit('datetime', pairs)).toBeNull();
  });

  it('are no habit by one event alone, which a colleague may have moved', async () => {
    const { service, importing } = await open();
    const event = (hour: number): Cells => ({
      ...{ ExternalID: 901, ...rowsOf.events(1) },
      Datum: `2027-05-01 ${hour}:00:00`,
    });
    service.at(1, () => {
      const [one] = service.events.where({ ExternalID: 901 });
      service.other.change('event', Number(one?.PartijID), { Datum: '2027-05-01 11:00:00' });
    });
    const { rows } = await importing([event(12)], resources.events);
    expect((await importing([event(13)], resources.events)).statuses).toEqual(['updated']);
    expect(String(service.events.get(rows[0]?.id ?? 0)?.Datum)).toContain('13:00');
  });

  it('of an event stay its own day beside times without a day', async () => {
    const { importing } = await open({ values: { shiftMinutes: -60 } });
    const rows = [1, 2, 3].map((at) => ({ ExternalID: 900 + at, ...rowsOf.events(at) }));
    await importing(rows, resources.events);
    await importing(rows, resources.events);
    const days = rows.map((one: Cells) => ({
      ...{ ExternalID: String(one.ExternalID), Datum: String(one.Datum), LocatieID: 801 },
    }));
    const again = await importing(days, resources.events);
    expect([again.statuses, again.issues]).toEqual([rows.map(() => 'unchanged'), [[], [], []]]);
  });
});
