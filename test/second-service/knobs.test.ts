import { describe, expect, it } from 'vitest';
import { eventBody, idOf, mutationBody, open, packageBody } from './client.ts';
import type { AnswerKnobs, ClockKnobs, ValueKnobs } from './knobs.ts';

type Asked = readonly [method: string, path: string, body?: unknown];
type Members = Record<string, unknown>;

const whole = { LMT: '2000-01-01 00:00:00', downloadResponseAsJSON: true };
const days = { EnkelEvenement: true, DatumVan: '2027-01-01', DatumTot: '2027-01-31' };
const JANUARY: Asked = ['POST', 'event/all', days];
const NEVER: Asked = ['POST', 'event/all', { ...days, DatumTot: '2026-01-31' }];
const TRIPS: Asked = ['POST', 'ritten/all', { DatumVan: '2027-01-01', DatumTot: '2027-12-31' }];
const ALL: Asked = ['POST', 'product/pakket/allModified', { LMT: whole.LMT }];
const WHOLE: Asked = ['POST', ALL[1], whole];
const ONE: Asked = ['GET', 'product/pakket/detail/1001'];
const GONE: Asked = ['GET', 'product/recept/detailExternal/9'];
const WRONG: Asked = ['PUT', 'product/pakket/create', { ProductTypeID: 1, OmschrijvingIntern: 'x' }];
const UNITS: Asked = ['GET', 'unit/all'];
const REQUIRED = 'The Verkoopprijs field is required.';
const one = (of = {}) => expect.objectContaining(of);
const some = (count: number, of = {}) => Array.from({ length: count }, () => one(of));
const next = (link: RegExp) => [one({ links: one({ next: expect.stringMatching(link) }) })];

describe('an answer', () => {
  it.each<[Partial<AnswerKnobs>, Asked, number, unknown]>([
    [{ lists: 'single when one' }, JANUARY, 200, one({ PartijID: 5001 })],
    [{ lists: 'data' }, JANUARY, 200, { data: some(1) }],
    [{ otherLists: 'data' }, TRIPS, 200, { data: some(2) }],
    [{ none: '{}' }, NEVER, 200, {}],
    [{ listCap: 1 }, TRIPS, 200, some(1)],
    [{ pageSize: 1 }, ALL, 200, next(/^http:\/\/127\.0\.0\.1:\d+\/api\/.*\?page=2$/)],
    [{ pageSize: 1, links: 'relative' }, ALL, 200, next(/^\/api\/v1\/.*\?page=2$/)],
    [{ page: 'bare', noText: '' }, ALL, 200, one({ data: some(3, { OfferteTekst: '' }) })],
    [{ whole: 'data', noNumber: 0 }, WHOLE, 200, { data: some(3, { Volume: 0 }) }],
    [{ whole: 'refused' }, WHOLE, 422, expect.anything()],
    [{ detail: 'data' }, ONE, 200, { data: one({ ProductID: 1001 }) }],
    [{ detail: 'array' }, ONE, 200, some(1, { ProductID: 1001 })],
    [{ missing: '404 html' }, GONE, 404, undefined],
    [{ missing: 'null' }, GONE, 200, null],
    [{ missing: 'null' }, ['POST', 'event', { PartijID: 9 }], 422, one({ errors: expect.anything() })],
    [{ refusal: '400' }, WRONG, 400, { error: REQUIRED }],
    [{ refusal: '200 success false' }, WRONG, 200, { success: false, message: REQUIRED }],
    [{ refusal: '200 id 0' }, WRONG, 200, { ProductID: 0, success: false }],
    [
      { ids: 'string', flags: 'string', numbers: 'fixed', extraMembers: true },
      ONE,
      200,
      one({ ProductID: '1001', Actief: '1', Verkoopprijs: '18.75', InterneVersie: 7 }),
    ],
    [
      { flags: 'number', numbers: 'string', noExternalId: '0' },
      ['GET', 'product/pakket/detail/1003'],
      200,
      one({ Actief: 1, Verkoopprijs: '49', ExternalID: '0' }),
    ],
    [{ ids: 'strings in lists' }, ONE, 200, one({ ProductID: 1001 })],
    [{ ids: 'strings in lists' }, WHOLE, 200, some(3, { ProductID: expect.any(String) })],
    [{ lookupNames: 'Dutch' }, UNITS, 200, some(3, { ID: expect.any(Number) })],
  ])('with %j is of that shape: %#', async (answers, [method, path, body], status, json) => {
    const { service, send } = open({ answers });
    const reply = await send(method, path, body);
    expect([reply.status, reply.json]).toEqual([status, json]);
    for (const { done } of service.journal.writes) expect(done).toBe('not done');
  });

  it('has another order, leaves out what is not active, and mixes types but never values, where it is told to', async () => {
    const { service, send } = open({ answers: { listOrder: 'id descending', inactiveInLists: false } });
    service.other.change('package', 1002, { Actief: false });
    service.other.change('trip', 301, { DEL: true });
    expect((await send(...WHOLE)).json.map(({ ProductID }: Members) => ProductID)).toEqual([1003, 1001]);
    expect((await send('GET', 'core/ritten/all')).json).toMatchObject([{ RitID: 302 }]);
    service.set({ answers: { ids: 'mixed', flags: 'mixed', numbers: 'mixed', order: 'mixed' } });
    const seen = new Set<string>();
    for (let n = 0; n < 30; n += 1) {
      const { json } = await send(...ONE);
      seen.add(`${typeof json.ProductID} ${typeof json.Actief}`);
      expect([Number(json.ProductID), Number(json.Verkoopprijs)]).toEqual([1001, 18.75]);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('is zipped, begins with a mark, and comes over a connection that is closed', async () => {
    const { send } = open({
      answers: { gzip: 'always', bom: true, keepAlive: 'closed', headerCase: 'upper' },
    });
    const { headers, text } = await send(...UNITS);
    expect([headers.get('content-encoding'), headers.get('connection')]).toEqual(['gzip', 'close']);
    expect(text).toMatch(/^\ufeff?\[/);
  });
});

/** A service in a time that begins on 1 March 2027 at 8:00 UTC, with one package made by then. */
async function made(clock: Partial<ClockKnobs>) {
  const { send, create, service } = open({ clock });
  const id = idOf(await create());
  const lmt = async () => (await send('GET', `product/pakket/detail/${id}`)).json.LMT;
  const since = async (LMT: string) =>
    (await send('POST', ALL[1], { ...whole, LMT })).json.map(({ ProductID }: Members) => ProductID);
  const update = (values: object) =>
    send('POST', 'product/pakket/update', packageBody({ ProductID: id, ...values }));
  return { send, service, id, lmt, since, update };
}

describe('the clock', () => {
  it.each<[Partial<ClockKnobs>, unknown]>([
    [{}, '2027-03-01 08:00:00.000'],
    [{ skewMs: 86_400_123 }, '2027-03-02 08:00:00.123'],
    [{ zone: 'Europe/Amsterdam' }, '2027-03-01 09:00:00.000'],
    [{ zone: -330 }, '2027-03-01 02:30:00.000'],
    [{ skewMs: 61_123, resolution: 'min' }, '2027-03-01 08:01:00.000'],
    [{ lmt: 'empty' }, ''],
    [{ lmt: 'absent' }, undefined],
  ])('with %j writes %s', async (clock, lmt) => {
    expect(await (await made(clock)).lmt()).toBe(lmt);
  });

  it.each([
    ['ms', '2026-03-04 10:20:30.399', '2026-03-04 10:20:30.400'],
    ['min', '2026-03-04 10:19', '2026-03-04 10:20'],
    ['day', '2026-03-03', '2026-03-04 00:00'],
  ] as const)(
    'compares no more than %s, with the moment itself or without',
    async (compareTo, before, same) => {
      const { service, since } = await made({ compareTo });
      for (const { ProductID } of service.packages.all()) service.other.remove('package', Number(ProductID));
      const own = service.add.package({ LMT: '2026-03-04 10:20:30.400' });
      expect([await since(before), await since(same)]).toEqual([[own], []]);
      service.set({ clock: { compare: 'inclusive' } });
      expect(await since(same)).toEqual([own]);
      service.set({ clock: { lmt: 'null', hiddenCompare: 'all' } });
      expect(await since('2999-01-01 00:00:00')).toEqual([own]);
    },
  );

  it.each([
    ['never', [false, false]],
    ['on change', [true, false]],
    ['always', [true, true]],
  ] as const)('moves LMT %s: with a change, and with none', async (moves, expected) => {
    const { service, lmt, update } = await made({ moves });
    const moved: boolean[] = [];
    for (const _ of expected) {
      const before = await lmt();
      service.jump(1000);
      await update({ Verkoopprijs: 2, LMT: '2020-02-02 02:02:02.020' });
      moved.push((await lmt()) !== before);
    }
    expect(moved).toEqual(expected);
    expect(await lmt()).toMatch(/^2027/);
  });
});

describe('a value', () => {
  const text = (sent: string, kept: string) =>
    [{ OmschrijvingIntern: sent }, { OmschrijvingIntern: kept }] as const;
  const price = (sent: number, kept: number) => [{ Verkoopprijs: sent }, { Verkoopprijs: kept }] as const;
  const key = (sent: number, kept?: number) => [{ ExternalID: sent }, { ExternalID: kept }] as const;
  it.each<readonly [Partial<ValueKnobs>, Members, Members]>([
    [
      { rounding: 'half up' },
      { Verkoopprijs: 10.125, Volume: 1.125 },
      { Verkoopprijs: 10.13, Volume: 1.125 },
    ],
    [{ rounding: 'half up' }, ...price(1.005, 1.01)],
    [{ rounding: 'half even' }, ...price(10.125, 10.12)],
    [{ rounding: 'half even' }, ...price(10.135, 10.14)],
    [{ rounding: 'truncate', roundedFields: ['Volume'], places: 1 }, { Volume: 1.19 }, { Volume: 1.1 }],
    [{ noise: true }, ...price(10.1, 10.100000000000001)],
    [{ floats: 'single' }, ...price(10.1, 10.100000381469727)],
    [{ integers: '32 bits' }, ...key(8712345678902, 2147483647)],
    [{ externalId: 'updated' }, ...key(5)],
    [{ zeroAsNull: true }, { Volume: 0, Offertetekst: '' }, { Volume: null, Offertetekst: '' }],
    [{ emptyAsNull: true }, { Volume: 0, Offertetekst: '' }, { Volume: 0, Offertetekst: null }],
    [{}, ...text('  A & B\r\n ', '  A & B\r\n ')],
    [{ trim: true }, ...text('  soep ', 'soep')],
    [{ foldBlanks: true }, ...text('een  twee\t drie', 'een twee drie')],
    [{ cutAt: { OmschrijvingIntern: 2 } }, ...text('🥣🥣🥣', '🥣🥣')],
    [{ escapeHtml: true, cutAt: 4 }, ...text('A & B', 'A &a')],
    [{ lineEnds: '\r\n' }, ...text('a\nb\r\nc', 'a\r\nb\r\nc')],
    [{ normalise: 'NFD' }, ...text('crème', 'cre\u0300me')],
    [{ upperCase: true }, ...text('crème', 'CRÈME')],
    [{ stripTags: true }, ...text('een <b>vette</b> soep', 'een vette soep')],
    [{ characters: 'no four bytes: ?' }, ...text('crème 🥣 €', 'crème ? €')],
    [{ characters: 'latin1: ?' }, ...text('crème 🥣 €', 'crème ? ?')],
    [{ ignored: ['Volume'] }, { Volume: 3 }, { Volume: undefined }],
  ])('with %j, of %j is kept as %j', async (values, sent, expected) => {
    const { create, service } = open({ values });
    const found = service.packages.get(idOf(await create(sent))) ?? {};
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))).toEqual(expected);
  });

  it.each<[Partial<ValueKnobs>, string]>([
    [{}, '2027-01-02 09:30:15.250'],
    [{ datetimes: 'seconds' }, '2027-01-02 09:30:15.000'],
    [{ datetimes: 'days' }, '2027-01-02 00:00:00.000'],
    [{ shiftMinutes: -600 }, '2027-01-01 23:30:15.250'],
  ])(
    'with %j that is a datetime is kept as %s, and refused where no such day exists',
    async (values, moment) => {
      const { service, send } = open({ values });
      const body = mutationBody(service.add.product(), { DatumTijd: '2027-01-02 09:30:15.250' });
      const id = idOf(await send('PUT', 'product/voorraadmutatie/create', body));
      expect(service.mutations.get(id)?.DatumTijd).toBe(moment);
      expect((await send('PUT', 'event', eventBody({ Datum: '2027-02-30 00:00:00' }))).status).toBe(422);
    },
  );

  it('that an update does not send is kept, or cleared, but for one that is never stored', async () => {
    const { service, send } = open({
      values: { externalId: { event: 'created' }, ignored: ['Opmerkingen'] },
    });
    const held = { FactuurContactPersoonID: 6002, Opmerkingen: 'let op', ExternalID: 8 };
    const event = service.add.event(held);
    await send('POST', 'event', { PartijID: event, ExternalID: 9 });
    expect(service.events.get(event)).toMatchObject(held);
    service.set({ values: { updateClears: true } });
    await send('POST', 'event', { PartijID: event });
    expect(service.events.get(event)).toMatchObject({ ...held, FactuurContactPersoonID: null });
  });
});

describe('records', () => {
  it.each([false, 409, 422] as const)('have an external id of their own, or %s', async (externalIdUnique) => {
    const { service, send, create } = open({ company: 'lookups', values: { externalIdUnique } });
    const first = idOf(await create({ ExternalID: 31 }));
    const reply = await create({ ExternalID: 31, Verkoopprijs: 2 });
    expect([reply.status, service.packages.size]).toEqual(
      externalIdUnique === false ? [200, 2] : [externalIdUnique, 1],
    );
    const again = packageBody({ ProductID: first, ExternalID: 31 });
    expect((await send('POST', 'product/pakket/update', again)).status).toBe(200);
    expect((await send('GET', 'product/pakket/detailExternal/31')).json.ProductID).toBe(first);
  });

  it.each(['ascending', 'gaps', 'random', 'reused'] as const)('have ids that are %s', async (newIds) => {
    const { create, send } = open({ company: 'lookups', values: { newIds } });
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(idOf(await create()));
    const steps = ids.slice(1).map((id, n) => id - (ids[n] ?? 0));
    expect(steps.every((step) => step === 1)).toBe(newIds === 'ascending' || newIds === 'reused');
    expect(steps.every((step) => step > 0)).toBe(newIds !== 'random');
    await send('DELETE', 'product/pakket/delete', { ProductID: ids[5] });
    expect(idOf(await create()) === ids[5]).toBe(newIds === 'reused');
  });

  it.each([
    ['second record', 200, [2, 3]],
    ['overwrites', 200, [3]],
    ['refused', 422, [2]],
  ] as const)('let a second link of one package be a %s', async (linkTwice, status, amounts) => {
    const { service, send } = open({ values: { linkTwice, linkId: 'ArrangementID' } });
    const keys = { PartijID: service.add.event(), ArrangementID: 1001, Datum: '2027-01-01' };
    expect(idOf(await send('PUT', 'event/package', { ...keys, Aantal: 2 }))).toBe(1001);
    expect((await send('PUT', 'event/package', { ...keys, Aantal: 3 })).status).toBe(status);
    expect(service.links.where({ PartijID: keys.PartijID }).map(({ Aantal }) => Aantal)).toEqual(amounts);
    await send('POST', 'event/package', { ...keys, Aantal: 9 });
    expect(service.links.where({ PartijID: keys.PartijID, Aantal: 9 })).toHaveLength(amounts.length);
  });
});
