import { describe, expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openProxy } from '../../helpers/proxy.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';

type Cell = string | number | null;

const QUARTER = 'fixtures/samples/planning-kwartaal.xlsx';
const EVENTS = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];
const LINKS = ['#action', 'PartijID', 'Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'];
const DAY = '2026-10-02';

const event = (external: number, relation: number | null = 1): Cell[] => [
  external,
  relation,
  1,
  DAY,
  `${DAY} 12:00`,
  `${DAY} 14:00`,
];

function workbook(
  service: TestService,
  events: readonly Cell[][],
  links: readonly Cell[][],
): Promise<string> {
  const Evenementen = [EVENTS, ...events];
  const Arrangementen = [LINKS, ...links];
  return makeWorkbook(
    `${service.folder}/plan.xlsx`,
    events.length === 0 ? { Arrangementen } : { Arrangementen, Evenementen },
  );
}

/** What became of the links: the issue's cell and code, or the status. */
function outcomes({ rows }: Awaited<ReturnType<typeof importWorkbook>>): (string | undefined)[] {
  const links = rows.filter(({ sheet }) => sheet === 'Arrangementen');
  return links.map(({ issues, status }) => issues?.map(({ cell, code }) => `${cell} ${code}`)[0] ?? status);
}

it('a quarter with its arrangements is made at once, and nothing is sent the second time', async () => {
  const service = await openTestService();
  await service.clearLog();
  const first = await importWorkbook(QUARTER, optionsFor(service));
  expect(first.sheets.map(({ resource, counts }) => [resource, counts.read, counts.created])).toEqual([
    ['events', 60, 60],
    ['arrangements', 118, 118],
  ]);
  // An event that is still to be made has no list to read; what the service puts into a link to each arrangement is seen once.
  const kinds = new Set((await service.records('link')).map(({ ArrangementID }) => ArrangementID));
  expect((await service.log()).counts['arrangements.list']).toBeLessThanOrEqual(kinds.size);
  await service.clearLog();
  const again = await importWorkbook(QUARTER, optionsFor(service));
  expect(again.counts).toMatchObject({ read: 178, unchanged: 178 });
  expect((await service.log()).counts).toEqual({ 'events.all': 1, 'arrangements.list': 60 });
});

describe('an event by its own number', () => {
  it('is found on the service, and held against PartijID', async () => {
    const service = await openTestService();
    const links = [
      [null, null, 70_001, 3, 40, DAY],
      [null, 9001, 70_001, 4, 40, DAY],
      [null, 9001, 70_002, 5, 40, DAY],
      [null, null, 71_999, 3, 40, DAY],
      [null, null, null, 3, 40, DAY],
      ['delete', null, 70_001, 7, null, DAY],
    ];
    const file = await workbook(service, [], links);
    await service.clearLog();
    const done = await importWorkbook(file, optionsFor(service, { allowDelete: true }));
    expect(outcomes(done)).toEqual([
      'created',
      'created',
      'C4 keys-differ',
      'C5 record-missing',
      'C6 key-missing',
      'unchanged',
    ]);
    expect(done.rows[2]?.issues?.[0]?.message).toContain('it belongs to PartijID 9002, not to 9001');
    expect((await service.log()).counts).toMatchObject({ 'arrangements.list': 4 });
  });

  it('that is made by the same workbook waits for it, row after row on one link', async () => {
    const service = await openTestService();
    const links = [
      [null, null, 71_001, 3, 40, DAY],
      ['update', null, 71_001, 3, 41, DAY],
      [null, 9001, 71_001, 3, 40, DAY],
      ['delete', null, 71_001, 4, null, DAY],
    ];
    const done = await importWorkbook(
      await workbook(service, [event(71_001)], links),
      optionsFor(service, { allowDelete: true }),
    );
    expect(outcomes(done)).toEqual(['created', 'D3 record-twice', 'C4 keys-differ', 'unchanged']);
  });

  it('that can’t be sent is named, by sheet and row', async () => {
    const service = await openTestService();
    const links = [
      [null, null, 71_001, 3, 40, DAY],
      [null, null, 71_002, 3, 40, DAY],
    ];
    const file = await workbook(service, [event(71_001), event(71_002, null)], links);
    const done = await importWorkbook(file, optionsFor(service));
    expect(outcomes(done)).toEqual(['created', 'C3 parent-not-sent']);
    const [issue] = done.rows.find(({ sheet, row }) => sheet === 'Arrangementen' && row === 3)?.issues ?? [];
    expect(issue?.message).toContain('correct Evenementen row 3 first');
  });

  it('that the service refuses leaves its arrangements unsent', async () => {
    const service = await openTestService();
    let refuses = true;
    const baseUrl = await openProxy(service.url, ({ method, body }) =>
      refuses && method === 'PUT' && body.includes('71002')
        ? { status: 422, body: { message: 'nee' } }
        : undefined,
    );
    const links = [71_001, 71_002].map((external) => [null, null, external, 3, 40, DAY]);
    const file = await workbook(service, [event(71_001), event(71_002)], links);
    const options = optionsFor(service, { baseUrl });
    expect(outcomes(await importWorkbook(file, options))).toEqual(['created', 'not sent']);
    refuses = false;
    expect(outcomes(await importWorkbook(file, options))).toEqual(['unchanged', 'created']);
  });

  it('has a link whose answer was lost only once, also when the event was new', async () => {
    const service = await openTestService();
    let broken = true;
    const baseUrl = await openProxy(service.url, ({ path }) =>
      broken && path.includes('package') ? { status: 500, body: { message: 'stuk' } } : undefined,
    );
    const options = optionsFor(service, { baseUrl, retries: 0 });
    const file = await workbook(service, [event(71_001)], [[null, null, 71_001, 3, 40, DAY]]);
    expect(outcomes(await importWorkbook(file, options))).toEqual(['unknown']);
    broken = false;
    expect(outcomes(await importWorkbook(file, options))).toEqual(['created']);
    expect(outcomes(await importWorkbook(file, options))).toEqual(['unchanged']);
    const links = (await service.records('link')).filter(({ id }) => Number(id) > 60_060);
    expect(links).toMatchObject([{ ArrangementID: 3 }]);
  });
});
