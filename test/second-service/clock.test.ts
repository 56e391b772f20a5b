import { afterEach, describe, expect, it } from 'vitest';
import { call, eventBody, idOf, packageBody } from './client.ts';
import type { KnobChanges } from './knobs.ts';
import { type SecondService, startSecondService } from './second-service.ts';

let service: SecondService;

afterEach(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

async function created(knobs: KnobChanges): Promise<number> {
  service = await startSecondService(knobs);
  return idOf(await call(service, 'PUT', 'product/pakket/create', packageBody()));
}

async function lmtOf(id: number): Promise<string> {
  return (await call(service, 'GET', `product/pakket/detail/${id}`)).json.LMT;
}

async function modifiedSince(LMT: string): Promise<number[]> {
  const reply = await call(service, 'POST', 'product/pakket/allModified', { LMT });
  return reply.json[0].data.map((record: { ProductID: number }) => record.ProductID);
}

function fromNow(lmt: string): number {
  return Date.parse(`${lmt.replace(' ', 'T')}Z`) - Date.now();
}

describe('the clock', () => {
  it.each([-300 * 86_400_000, -660_000, 86_400_000])(
    'is %s ms beside ours where it is skewed',
    async (skewMs) => {
      const lmt = await lmtOf(await created({ clock: { skewMs } }));
      expect(Math.abs(fromNow(lmt) - skewMs)).toBeLessThan(60_000);
    },
  );

  it('writes the time of Amsterdam, or of an offset, in place of UTC', async () => {
    const lmt = await lmtOf(await created({ clock: { zone: 'Europe/Amsterdam' } }));
    const wall = new Date().toLocaleString('sv-SE', { timeZone: 'Europe/Amsterdam' });
    const apart = Date.parse(`${wall.replace(' ', 'T')}Z`) - Date.parse(`${lmt.replace(' ', 'T')}Z`);
    expect(Math.abs(apart)).toBeLessThan(60_000);
    service.set({ clock: { zone: -330 } });
    const id = idOf(await call(service, 'PUT', 'product/pakket/create', packageBody()));
    expect(Math.abs(fromNow(await lmtOf(id)) + 330 * 60_000)).toBeLessThan(60_000);
  });

  it('keeps seconds or minutes alone, and writes fractions or none', async () => {
    const id = await created({ clock: { resolution: 's' } });
    expect(await lmtOf(id)).toMatch(/:\d\d\.000$/);
    service.set({ clock: { fraction: 'never' } });
    expect(await lmtOf(id)).toMatch(/ \d\d:\d\d:\d\d$/);
    service.set({ clock: { resolution: 'min', fraction: 'detail only' } });
    const second = idOf(await call(service, 'PUT', 'product/pakket/create', packageBody()));
    expect(await lmtOf(second)).toMatch(/ \d\d:\d\d:00\.000$/);
    const list = await call(service, 'POST', 'product/pakket/allModified', { LMT: '2000-01-01 00:00:00' });
    expect(list.json[0].data.at(-1).LMT).toMatch(/ \d\d:\d\d:00$/);
  });

  it('jumps while the service runs', async () => {
    await created({});
    service.jump(-3_600_000);
    const id = idOf(await call(service, 'PUT', 'product/pakket/create', packageBody()));
    expect(Math.abs(fromNow(await lmtOf(id)) + 3_600_000)).toBeLessThan(60_000);
  });

  it('compares in its own time, with the moment itself or without it', async () => {
    const id = await created({ clock: { skewMs: -300 * 86_400_000, resolution: 's' } });
    const lmt = await lmtOf(id);
    expect(await modifiedSince(lmt)).toEqual([]);
    service.set({ clock: { compare: 'inclusive' } });
    expect(await modifiedSince(lmt)).toEqual([id]);
    expect(await modifiedSince(new Date().toISOString())).toEqual([]);
  });

  it.each([
    ['ms', '2026-03-04 10:20:30.399', '2026-03-04 10:20:30.400'],
    ['s', '2026-03-04 10:20:29', '2026-03-04 10:20:30'],
    ['min', '2026-03-04 10:19', '2026-03-04 10:20'],
    ['day', '2026-03-03', '2026-03-04 00:00'],
  ] as const)('compares no more than %s', async (compareTo, before, same) => {
    service = await startSecondService({ company: 'none', clock: { compareTo } });
    const id = service.add.package({ LMT: '2026-03-04 10:20:30.400' });
    expect([await modifiedSince(before), await modifiedSince(same)]).toEqual([[id], []]);
  });

  it.each([
    ['null', null],
    ['empty', ''],
    ['absent', undefined],
  ] as const)('shows an LMT that is %s, for all records or for those of one kind', async (lmt, shown) => {
    const id = await created({ clock: { lmt } });
    expect(await lmtOf(id)).toBe(shown);
    service.set({ clock: { lmt: { event: lmt } } });
    expect(await lmtOf(id)).toMatch(/^\d{4}/);
    const event = idOf(await call(service, 'PUT', 'event', eventBody()));
    expect((await call(service, 'GET', `event/${event}`)).json.LMT).toBe(shown);
  });

  it('answers all or nothing to "modified after" where it keeps no LMT at all', async () => {
    const id = await created({ clock: { lmt: 'absent', hiddenCompare: 'all' } });
    expect(await modifiedSince('2999-01-01 00:00:00')).toContain(id);
    service.set({ clock: { hiddenCompare: 'none' } });
    expect(await modifiedSince('2000-01-01 00:00:00')).toEqual([]);
  });

  it('leaves LMT alone at an update where it never moves, or moves with a change alone', async () => {
    const id = await created({ clock: { moves: 'never' } });
    const before = await lmtOf(id);
    service.jump(5000);
    await call(service, 'POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 1 }));
    expect(await lmtOf(id)).toBe(before);
    service.set({ clock: { moves: 'always' } });
    await call(service, 'POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 2 }));
    const moved = await lmtOf(id);
    expect(moved > before).toBe(true);
    service.set({ clock: { moves: 'on change' } });
    service.jump(5000);
    await call(service, 'POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 2 }));
    expect(await lmtOf(id)).toBe(moved);
    await call(service, 'POST', 'product/pakket/update', packageBody({ ProductID: id, Verkoopprijs: 3 }));
    expect((await lmtOf(id)) > moved).toBe(true);
  });

  it('stores the LMT it is sent only where it is told to', async () => {
    const id = await created({});
    const body = packageBody({ ProductID: id, LMT: '2020-02-02 02:02:02.020' });
    await call(service, 'POST', 'product/pakket/update', body);
    expect(await lmtOf(id)).not.toMatch(/^2020/);
    service.set({ clock: { lmtFromBody: true } });
    await call(service, 'POST', 'product/pakket/update', body);
    expect(await lmtOf(id)).toBe('2020-02-02 02:02:02.020');
  });

  it("moves an event's LMT with its links and its refreshes where it is told to", async () => {
    service = await startSecondService({ clock: { linkMovesEvent: true, refreshMovesLmt: true } });
    const event = service.add.event();
    const lmt = async () => (await call(service, 'GET', `event/${event}`)).json.LMT as string;
    const first = await lmt();
    const link = { PartijID: event, ArrangementID: 1001, Aantal: 1, Datum: '2027-01-01' };
    await call(service, 'PUT', 'event/package', link);
    const second = await lmt();
    service.jump(1000);
    await call(service, 'GET', `event/${event}/processevent`);
    expect([first < second, second < (await lmt())]).toEqual([true, true]);
  });
});
