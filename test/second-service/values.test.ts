import { describe, expect, it } from 'vitest';
import { eventBody, idOf, mutationBody, open, packageBody } from './client.ts';
import { round } from './habits.ts';
import type { ValueKnobs } from './knobs.ts';

/** What is kept of a package that is sent to a service of these habits. */
async function kept(values: Partial<ValueKnobs>, sent: Record<string, unknown>) {
  const { create, service } = open({ values });
  return service.packages.get(idOf(await create(sent))) ?? {};
}

it.each([
  [10.125, 'half up', 10.13],
  [10.125, 'half even', 10.12],
  [10.135, 'half even', 10.14],
  [1.005, 'half up', 1.01],
  [10.129, 'truncate', 10.12],
  [-2.555, 'half up', -2.56],
  [0.999, 'half up', 1],
] as const)('%s is rounded %s to %s', (value, mode, rounded) => {
  expect(round(value, 2, mode)).toBe(rounded);
});

const text = (sent: string, expected: string) =>
  [{ OmschrijvingIntern: sent }, { OmschrijvingIntern: expected }] as const;
it.each<readonly [Partial<ValueKnobs>, Record<string, unknown>, Record<string, unknown>]>([
  [{ rounding: 'half up' }, { Verkoopprijs: 10.125, Volume: 1.125 }, { Verkoopprijs: 10.13, Volume: 1.125 }],
  [
    { rounding: 'truncate', roundedFields: ['Volume'], places: 1 },
    { Verkoopprijs: 10.125, Volume: 1.19 },
    { Verkoopprijs: 10.125, Volume: 1.1 },
  ],
  [{ noise: true }, { Verkoopprijs: 10.1 }, { Verkoopprijs: 10.100000000000001 }],
  [{ floats: 'single' }, { Verkoopprijs: 10.1 }, { Verkoopprijs: 10.100000381469727 }],
  [{}, { ExternalID: 8712345678902 }, { ExternalID: 8712345678902 }],
  [{ integers: '32 bits' }, { ExternalID: 8712345678902 }, { ExternalID: 2147483647 }],
  [{}, { Volume: 0, Offertetekst: '' }, { Volume: 0, Offertetekst: '' }],
  [
    { zeroAsNull: true, emptyAsNull: true },
    { Volume: 0, Offertetekst: '' },
    { Volume: null, Offertetekst: null },
  ],
  [{}, ...text('  A & B\r\n ', '  A & B\r\n ')],
  [{ trim: true }, ...text('  soep ', 'soep')],
  [{ foldBlanks: true }, ...text('een  twee\t drie', 'een twee drie')],
  [{ cutAt: { OmschrijvingIntern: 2 } }, ...text('🥣🥣🥣', '🥣🥣')],
  [{ cutAt: { Offertetekst: 2 } }, ...text('soepen', 'soepen')],
  [{ escapeHtml: true }, ...text(`A & B <"x"> 'y'`, 'A &amp; B &lt;&quot;x&quot;&gt; &#039;y&#039;')],
  [{ escapeHtml: true, cutAt: 4 }, ...text('A & B', 'A &a')],
  [{ lineEnds: '\r\n' }, ...text('a\nb\r\nc', 'a\r\nb\r\nc')],
  [{ normalise: 'NFD' }, ...text('crème', 'cre\u0300me')],
  [{ upperCase: true }, ...text('crème', 'CRÈME')],
  [{ stripTags: true }, ...text('een <b>vette</b> soep', 'een vette soep')],
  [{ characters: 'no four bytes: ?' }, ...text('crème 🥣 €', 'crème ? €')],
  [{ characters: 'no four bytes: cut' }, ...text('crème 🥣 €', 'crème ')],
  [{ characters: 'latin1: ?' }, ...text('crème 🥣 €', 'crème ? ?')],
  [{ ignored: ['Volume', 'recipe.Verkoopprijs'] }, { Volume: 3 }, { Volume: undefined, Verkoopprijs: 9.95 }],
])('with %j, of %j is kept %j', async (habits, sent, expected) => {
  const found = await kept(habits, sent);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))).toEqual(expected);
});

it.each<[Partial<ValueKnobs>, string]>([
  [{}, '2027-01-02 09:30:15.250'],
  [{ datetimes: 'seconds' }, '2027-01-02 09:30:15.000'],
  [{ datetimes: 'days' }, '2027-01-02 00:00:00.000'],
  [{ datetimes: { DatumTijd: 'minutes' } }, '2027-01-02 09:30:00.000'],
  [{ datetimes: { Datum: 'days' } }, '2027-01-02 09:30:15.250'],
  [{ shiftMinutes: -600 }, '2027-01-01 23:30:15.250'],
])('with %j a datetime is kept as %s, and one that does not exist is refused', async (values, moment) => {
  const { service, send } = open({ values });
  const body = mutationBody(service.add.product(), { DatumTijd: '2027-01-02 09:30:15.250' });
  const id = idOf(await send('PUT', 'product/voorraadmutatie/create', body));
  expect(service.mutations.get(id)?.DatumTijd).toBe(moment);
  expect((await send('PUT', 'event', eventBody({ Datum: '2027-02-30 00:00:00' }))).status).toBe(422);
});

describe('fields', () => {
  it('that an update does not send are kept, or cleared, but for those that are never stored', async () => {
    const { service, send } = open({ values: { externalId: 'created', ignored: ['Opmerkingen'] } });
    const event = service.add.event({ FactuurContactPersoonID: 6002, Opmerkingen: 'let op', ExternalID: 8 });
    await send('POST', 'event', { PartijID: event });
    expect(service.events.get(event)).toMatchObject({ FactuurContactPersoonID: 6002, ExternalID: 8 });
    service.set({ values: { updateClears: true } });
    await send('POST', 'event', { PartijID: event });
    const left = { FactuurContactPersoonID: null, Opmerkingen: 'let op', ExternalID: 8, PartijID: event };
    expect(service.events.get(event)).toMatchObject(left);
  });

  it('that are required may be missing, and those that name a record name any, where the service does not look', async () => {
    const { service, send } = open();
    const [empty, body] = [['PUT', 'product/pakket/create', {}] as const, eventBody({ RelatieID: 12345 })];
    expect([(await send(...empty)).status, (await send('PUT', 'event', body)).status]).toEqual([422, 200]);
    service.set({ values: { required: false, checkReferences: true } });
    expect((await send(...empty)).json.success).toBe(true);
    expect((await send('PUT', 'event', body)).json.errors).toHaveProperty('RelatieID');
    expect((await send('PUT', 'event', eventBody({ RelatieID: 4000000001 }))).status).toBe(200);
  });
});

describe('external ids', () => {
  it.each([
    ['kept', 5, 6],
    ['created', 5, 5],
    ['updated', undefined, 6],
    ['never', undefined, undefined],
  ] as const)(
    'that are %s are %s after a create with 5 and %s after an update with 6',
    async (externalId, first, second) => {
      const { service, send } = open({ values: { externalId: { event: externalId } } });
      const id = idOf(await send('PUT', 'event', eventBody({ ExternalID: 5 })));
      expect(service.events.get(id)?.ExternalID).toBe(first);
      await send('POST', 'event', { PartijID: id, ExternalID: 6 });
      expect(service.events.get(id)?.ExternalID).toBe(second);
    },
  );

  it.each([
    [false, 200],
    [409, 409],
    [422, 422],
    ['updates', 200],
  ] as const)(
    'that another record has, where they are unique by %s, are answered with %s',
    async (externalIdUnique, status) => {
      const { service, send, create } = open({
        company: 'lookups',
        values: { externalIdUnique, sharedExternalId: 'last' },
      });
      const first = idOf(await create({ ExternalID: 31 }));
      const reply = await create({ ExternalID: 31, Verkoopprijs: 2 });
      expect([reply.status, service.packages.size]).toEqual([status, externalIdUnique === false ? 2 : 1]);
      if (status === 200) expect(idOf(reply) === first).toBe(externalIdUnique === 'updates');
      expect(
        (await send('POST', 'product/pakket/update', packageBody({ ProductID: first, ExternalID: 31 })))
          .status,
      ).toBe(200);
      const found = (await send('GET', 'product/pakket/detailExternal/31')).json.ProductID;
      expect(found).toBe(externalIdUnique === false ? idOf(reply) : first);
    },
  );
});

describe('ids, links and deletes', () => {
  it.each(['ascending', 'gaps', 'random', 'reused'] as const)(
    'give new ids in a way that is %s',
    async (newIds) => {
      const { create, send } = open({ company: 'lookups', values: { newIds } });
      const ids: number[] = [];
      for (let n = 0; n < 6; n += 1) ids.push(idOf(await create()));
      const isRow = ids.every((id, n) => n === 0 || id === (ids[n - 1] ?? 0) + 1);
      expect([new Set(ids).size, isRow]).toEqual([6, newIds === 'ascending' || newIds === 'reused']);
      expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? 0))).toBe(newIds !== 'random');
      await send('DELETE', 'product/pakket/delete', { ProductID: ids[5] });
      expect(idOf(await create()) === ids[5]).toBe(newIds === 'reused');
    },
  );

  it.each([
    ['second record', 200, [2, 3]],
    ['overwrites', 200, [3]],
    ['refused', 422, [2]],
  ] as const)('let a second link of one package be a %s', async (linkTwice, status, amounts) => {
    const { service, send } = open({ values: { linkTwice } });
    const keys = { PartijID: service.add.event(), ArrangementID: 1001, Datum: '2027-01-01' };
    await send('PUT', 'event/package', { ...keys, Aantal: 2 });
    expect((await send('PUT', 'event/package', { ...keys, Aantal: 3 })).status).toBe(status);
    expect(service.links.where({ PartijID: keys.PartijID }).map(({ Aantal }) => Aantal)).toEqual(amounts);
    await send('POST', 'event/package', { ...keys, Aantal: 9 });
    expect(service.links.where({ PartijID: keys.PartijID, Aantal: 9 })).toHaveLength(amounts.length);
  });

  it('keep what was deleted with a flag', async () => {
    const { service, send } = open({ values: { deletes: 'flagged' } });
    await send('DELETE', 'product/pakket/delete', { ProductID: 1001 });
    await send('DELETE', 'ritten/301');
    expect([service.packages.get(1001)?.Actief, service.trips.get(301)?.DEL]).toEqual([false, true]);
  });
});
