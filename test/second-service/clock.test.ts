import { describe, expect, it } from 'vitest';
import { eventBody, idOf, open, packageBody } from './client.ts';
import type { ClockKnobs } from './knobs.ts';

/** A service in a time that begins on 1 March 2027 at 8:00 UTC, with one package made by then. */
async function made(clock: Partial<ClockKnobs>) {
  const { send, create, service, time } = open({ clock });
  const id = idOf(await create());
  const lmtOf = async (product = id): Promise<string> =>
    (await send('GET', `product/pakket/detail/${product}`)).json.LMT;
  const listed = async (LMT: string) =>
    (await send('POST', 'product/pakket/allModified', { LMT })).json[0].data;
  const since = async (LMT: string): Promise<number[]> =>
    (await listed(LMT)).map(({ ProductID }: { ProductID: number }) => ProductID);
  const update = (values: object) =>
    send('POST', 'product/pakket/update', packageBody({ ProductID: id, ...values }));
  return { send, create, service, time, id, lmtOf, listed, since, update };
}

describe('the clock', () => {
  it.each<[Partial<ClockKnobs>, string]>([
    [{}, '2027-03-01 08:00:00.000'],
    [{ skewMs: 86_400_123 }, '2027-03-02 08:00:00.123'],
    [{ zone: 'Europe/Amsterdam' }, '2027-03-01 09:00:00.000'],
    [{ zone: -330 }, '2027-03-01 02:30:00.000'],
    [{ skewMs: 61_123, resolution: 's' }, '2027-03-01 08:01:01.000'],
    [{ skewMs: 61_123, resolution: 'min' }, '2027-03-01 08:01:00.000'],
    [{ fraction: 'never' }, '2027-03-01 08:00:00'],
  ])('with %j writes %s', async (clock, lmt) => {
    expect(await (await made(clock)).lmtOf()).toBe(lmt);
  });

  it('writes fractions in details alone, and jumps while the service runs', async () => {
    const { create, service, lmtOf, listed } = await made({ fraction: 'detail only' });
    expect((await listed('2027-01-01')).at(-1).LMT).toBe('2027-03-01 08:00:00');
    service.jump(-3_600_000);
    expect(await lmtOf(idOf(await create()))).toBe('2027-03-01 07:00:00.000');
  });

  it.each([
    ['ms', '2026-03-04 10:20:30.399', '2026-03-04 10:20:30.400'],
    ['s', '2026-03-04 10:20:29', '2026-03-04 10:20:30'],
    ['min', '2026-03-04 10:19', '2026-03-04 10:20'],
    ['day', '2026-03-03', '2026-03-04 00:00'],
  ] as const)(
    'compares no more than %s, with the moment itself or without it',
    async (compareTo, before, same) => {
      const { service, since, id } = await made({ compareTo });
      service.other.remove('package', id);
      for (const one of service.packages.all()) service.other.remove('package', Number(one.ProductID));
      const own = service.add.package({ LMT: '2026-03-04 10:20:30.400' });
      expect([await since(before), await since(same)]).toEqual([[own], []]);
      service.set({ clock: { compare: 'inclusive' } });
      expect(await since(same)).toEqual([own]);
    },
  );

  it.each([
    ['null', null],
    ['empty', ''],
    ['absent', undefined],
  ] as const)('shows an LMT that is %s, for all records or for those of one kind', async (lmt, shown) => {
    const { send, service, lmtOf } = await made({ lmt });
    expect(await lmtOf()).toBe(shown);
    service.set({ clock: { lmt: { event: lmt } } });
    expect(await lmtOf()).toMatch(/^2027/);
    const event = idOf(await send('PUT', 'event', eventBody()));
    expect((await send('GET', `event/${event}`)).json.LMT).toBe(shown);
  });

  it('answers all or nothing to "modified after" where it keeps no LMT at all', async () => {
    const { id, service, since } = await made({ lmt: 'absent', hiddenCompare: 'all' });
    expect(await since('2999-01-01 00:00:00')).toContain(id);
    service.set({ clock: { hiddenCompare: 'none' } });
    expect(await since('2000-01-01 00:00:00')).toEqual([]);
  });

  it.each([
    ['never', [false, false]],
    ['on change', [true, false]],
    ['always', [true, true]],
  ] as const)('moves LMT %s: with a change, and with none', async (moves, expected) => {
    const { service, lmtOf, update } = await made({ moves });
    const moved: boolean[] = [];
    for (const _ of expected) {
      const before = await lmtOf();
      service.jump(1000);
      await update({ Verkoopprijs: 2 });
      moved.push((await lmtOf()) !== before);
    }
    expect(moved).toEqual(expected);
  });

  it('stores no LMT that it is sent, and moves that of an event with its links where it is told to', async () => {
    const { send, service, lmtOf, update } = await made({ linkMovesEvent: true });
    await update({ LMT: '2020-02-02 02:02:02.020' });
    expect(await lmtOf()).toMatch(/^2027/);
    const event = service.add.event();
    await send('PUT', 'event/package', {
      PartijID: event,
      ArrangementID: 1001,
      Aantal: 1,
      Datum: '2027-01-01',
    });
    expect((await send('GET', `event/${event}`)).json.LMT).toBe('2027-03-01 08:00:00.000');
  });
});
