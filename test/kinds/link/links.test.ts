import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/sqlite-ledger.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { ends, openKind, type Row } from '../open-kind.ts';

const DAY = '2026-10-02';
const TWO = '2026-10-03';

/** An event with two of four arrangements linked to it. */
function openLinks() {
  const kind = openKind('arrangements');
  const { service } = kind;
  const PartijID = service.add.event({ Datum: DAY, ExternalID: 7001 });
  const arrangements = ['Borrel', 'Lunch', 'Diner', 'Brunch'].map((OmschrijvingIntern) =>
    service.add.package({ OmschrijvingIntern }),
  );
  for (const at of [0, 1]) service.add.link(PartijID, arrangements[at] ?? 0, { Aantal: 40, Datum: DAY });
  return {
    ...kind,
    ...{ PartijID, arrangements },
    row: (at: number, Aantal: number | string | null, more: Row = {}): Row => ({
      ...{ PartijID, ArrangementID: arrangements[at] ?? null, Aantal, Datum: DAY },
      ...more,
    }),
    /** What is linked: which arrangement, and how many. */
    held: () =>
      service.links
        .where({ PartijID })
        .map((link) => `${arrangements.indexOf(Number(link.ArrangementID))} x ${String(link.Aantal)}`)
        .toSorted(),
  };
}

const REMOVE = { '#action': 'delete' };

describe('an arrangement of an event', () => {
  test('is linked, changed and unlinked, and needs nothing the second time', async () => {
    const { send, row, held, service } = openLinks();
    const rows = [row(2, 40), row(0, 99), row(1, null, REMOVE), row(3, 40)];
    const done = await send(rows, { allowDelete: true });
    const statuses = (all: typeof done) => all.rows.map(({ status }) => status);
    expect(statuses(done)).toEqual(['created', 'updated', 'deleted', 'created']);
    expect(done.rows.slice(1, 3).map(({ label }) => label)).toEqual(['Borrel', 'Lunch']);
    expect(held()).toEqual(['0 x 99', '2 x 40', '3 x 40']);
    const { length } = service.journal.writes;
    const again = await send(rows.slice(0, 3), { allowDelete: true });
    expect(statuses(again)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(again.rows[2]?.message).toBe('already gone');
    expect(service.journal.writes).toHaveLength(length);
  });

  test('is linked anew after somebody unlinked it', async () => {
    const { send, row, held, service, PartijID } = openLinks();
    await send([row(2, 40)]);
    const [made] = service.links.where({ PartijID, Aantal: 40 }).slice(-1);
    service.other.remove('link', Number(made?.LinkID));
    expect(ends(await send([row(2, 40)]))).toEqual(['created']);
    expect(held()).toEqual(['0 x 40', '1 x 40', '2 x 40']);
  });

  test('is linked also where the service has no list of an event without any, and not on an event that is not there', async () => {
    const { send, row, service } = openLinks();
    const PartijID = service.add.event({ Datum: DAY });
    const choose = ({ endpoint, path }: { endpoint: string; path: string }) =>
      endpoint === 'link.list' &&
      path.includes(`/${PartijID}/`) &&
      service.links.where({ PartijID }).length === 0
        ? ({ kind: 'status', status: 404, when: 'before' } as const)
        : undefined;
    service.set({ failures: { choose } });
    const done = await send([row(2, 40, { PartijID }), row(2, 40, { PartijID: 7 })]);
    expect(ends(done)).toEqual(['created', 'invalid PartijID record-missing']);
    expect(service.links.where({ PartijID })).toHaveLength(1);
  });

  test('is refused with the reason on its cell', async () => {
    const { send, row, PartijID } = openLinks();
    const by = (ExternalID: number | null, more: Row = {}): Row =>
      row(2, 40, { PartijID: null, 'Event.ExternalID': ExternalID, ...more });
    const rows = [
      row(0, null, REMOVE),
      row(1, 99, { '#action': 'create' }),
      row(3, 40, { '#action': 'update' }),
      row(2, 40, { PartijID: 7 }),
      row(2, 40, { ArrangementID: null }),
      row(2, 'veel', { PartijID: null, 'Event.ExternalID': 7001 }),
      by(7999),
      by(null),
      by(7001, { PartijID: PartijID + 1 }),
    ];
    expect(ends(await send(rows))).toEqual([
      'invalid #action delete-not-allowed',
      'conflict',
      'invalid ArrangementID record-missing',
      'invalid PartijID record-missing',
      'invalid ArrangementID key-missing',
      'invalid Aantal integer-expected',
      'invalid Event.ExternalID record-missing',
      'invalid Event.ExternalID key-missing',
      'invalid Event.ExternalID keys-differ',
    ]);
  });

  test('that is on the event twice is neither changed nor deleted, as the service can’t tell them apart', async () => {
    const { send, row, held, service, PartijID, arrangements } = openLinks();
    service.add.link(PartijID, arrangements[0] ?? 0, { Aantal: 25, Datum: TWO });
    const second = { Datum: TWO };
    const changed = await send([row(0, 99), row(0, 25, second), row(0, 40)]);
    expect(ends(changed)).toEqual(['invalid ArrangementID linked-twice', 'unchanged', 'unchanged']);
    expect(changed.rows[0]?.message).toContain('is linked 2 times');
    const both = [row(0, 40, REMOVE), row(0, 25, { ...second, ...REMOVE })];
    const deleted = await send(both, { allowDelete: true });
    for (const { issues } of deleted.rows) expect(issues?.map(({ code }) => code)).toContain('linked-twice');
    expect(held()).toEqual(['0 x 25', '0 x 40', '1 x 40']);
  });
});

test('a link that someone changed, made or removed after the plan is a conflict, or done', async () => {
  const { plan, apply, row, service, PartijID, arrangements, held, time } = openLinks();
  const { run } = await plan([row(0, 99), row(1, null, REMOVE), row(2, 40), row(3, 40)], {
    allowDelete: true,
  });
  const [first, second] = service.links.where({ PartijID }).map(({ LinkID }) => Number(LinkID));
  service.other.change('link', first ?? 0, { Aantal: 7 });
  service.other.remove('link', second ?? 0);
  service.other.create('link', { PartijID, ArrangementID: arrangements[2] ?? 0, Aantal: 7, Datum: DAY });
  await time.sleep(60_000);
  const done = await apply(run);
  expect(done.rows.map(({ status }) => status)).toEqual(['conflict', 'unchanged', 'conflict', 'created']);
  expect(done.rows.slice(0, 3).map(({ message }) => message)).toEqual([
    expect.stringContaining('in the plan it was 40, is now 7'),
    'deleted after the plan was made',
    expect.stringContaining('it was created after the plan was made'),
  ]);
  expect(held()).toEqual(['0 x 7', '2 x 7', '3 x 40']);
});

test('a link that was on its way when its program was killed is waited for: it is not made twice', async () => {
  const { plan, send, row, service, own, PartijID, arrangements, held, time } = openLinks();
  const { run } = await plan([row(2, 40)]);
  const ledger = openLedger(own.ledger);
  const [of = ''] = await ledger.listServices();
  const [ArrangementID = 0, at] = [arrangements[2], '2027-03-01 08:00:00.000'];
  await ledger.updateRun(run, { state: 'applying' });
  const posting = { fingerprint: `link:${PartijID}:${ArrangementID}`, run, seq: 0, at, id: null } as const;
  await ledger.claimPosting(of, 'arrangements', { ...posting, state: 'sending' });
  await ledger.saveRow(run, 0, { progress: { done: 0, id: null, sendingSince: at } });
  await ledger.close();
  void time
    .sleep(300)
    .then(() => service.other.create('link', { PartijID, ArrangementID, Aantal: 40, Datum: DAY }));
  expect(ends(await send([row(2, 40)]))).toEqual(['unchanged']);
  expect(held()).toEqual(['0 x 40', '1 x 40', '2 x 40']);
});

describe('an event that the same workbook makes', () => {
  const EVENT = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];
  const event = (external: number, relation: number | null): (string | number | null)[] => [
    ...[external, relation, 6001, DAY, `${DAY} 12:00`, `${DAY} 14:00`],
  ];

  test('has its arrangements after it; one that can’t be sent is named, one that is refused leaves them unsent, and each is linked once', async () => {
    const { importWorkbook, own, folder, service, arrangements } = openLinks();
    const file = await makeWorkbook(`${folder}/plan.xlsx`, {
      Arrangementen: [
        ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
        ...[71_001, 71_002, 71_003].map((external) => [external, arrangements[2] ?? 0, 40, DAY]),
      ],
      Evenementen: [EVENT, event(71_001, 4001), event(71_002, null), event(71_003, 4001)],
    });
    const run = async () => {
      const { rows } = await importWorkbook(file, own);
      const links = rows.filter(({ sheet }) => sheet === 'Arrangementen');
      return { links, said: ends({ rows: links }) };
    };
    const isThird = ({ endpoint, body }: { endpoint: string; body?: unknown }): boolean =>
      endpoint === 'event.create' && service.events.where({ ExternalID: 71_001 }).length > 0 && body !== null;
    service.failNext({ kind: 'status', status: 422, when: 'before' }, isThird);
    service.failNext({ kind: 'reset', when: 'after' }, ({ endpoint }) => endpoint === 'link.create');
    const first = await run();
    expect(first.said).toEqual(['created', 'invalid Event.ExternalID parent-not-sent', 'not sent']);
    expect(first.links[1]?.message).toContain('is made by row 3 of Evenementen, which is not sent');
    expect((await run()).said).toEqual(['unchanged', first.said[1], 'created']);
    expect(service.links.where({ ArrangementID: arrangements[2] ?? 0 })).toHaveLength(2);
  });
});

test('events of a file are changed before what is linked to them, where a link moves the LMT of its event', async () => {
  const { service, folder, own, importWorkbook, arrangements } = openLinks();
  service.set({ clock: { linkMovesEvent: true } });
  const events = Array.from({ length: 12 }, () => service.add.event({ Datum: DAY, AantalGasten: 5 }));
  const file = await makeWorkbook(`${folder}/week.xlsx`, {
    Evenementen: [
      ['PartijID', 'AantalGasten', 'Opmerkingen'],
      ...events.map((id) => [id, 9, null]),
      ...events.map((id) => [id, null, 'Met terras']),
    ],
    Arrangementen: [
      ['PartijID', 'ArrangementID', 'Aantal', 'Datum'],
      ...events.map((id) => [id, arrangements[2] ?? 0, 9, DAY]),
    ],
  });
  service.failNext(
    { kind: 'status', status: 422, when: 'before' },
    ({ endpoint }) => endpoint === 'event.update',
  );
  const { counts } = await importWorkbook(file, { ...own, as: undefined });
  expect(counts).toMatchObject({ created: 12, updated: 22, conflict: 0, failed: 1, notSent: 1 });
});

test('links take a read or two of each event and one write each, and a read of each event the second time', async () => {
  const { send, service, row, asked } = openLinks();
  const arrangements = Array.from({ length: 5 }, () => service.add.package());
  const events = Array.from({ length: 10 }, () => service.add.event({ Datum: DAY }));
  const rows = events.flatMap((PartijID) =>
    arrangements.map((ArrangementID) => row(0, 10, { PartijID, ArrangementID })),
  );
  expect((await send(rows)).counts).toMatchObject({ created: 50 });
  expect(asked()).toBeLessThanOrEqual(50 + 2 * 10 + 2 * 5);
  expect((await send(rows)).counts).toMatchObject({ unchanged: 50 });
  expect(asked()).toBe(10);
});
