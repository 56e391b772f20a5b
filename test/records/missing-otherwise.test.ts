import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { type Reshaped, startReshaping } from '../answers/reshaping-service.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** How services say that there is no such record; the interface shows none of it. */
const WAYS: readonly [string, Reshaped][] = [
  ['400', { status: 400, json: { error: 'Bad request' } }],
  ['422', { status: 422, json: { message: 'The given data was invalid.', errors: { ID: ['unknown'] } } }],
  ['500', { status: 500, json: { message: 'Trying to get property of non-object' } }],
  ['an empty 200', { status: 200, text: '' }],
  ['a message with 200', { status: 200, json: { message: 'Niet gevonden' } }],
];

const resources = { packages, recipes, events, arrangements, stockCount };
type Cells = Readonly<Record<string, string | number>>;

/** A service that says in a way of its own that it has no such record, and imports into it. */
async function open(missing: Reshaped) {
  const second = await startSecondService();
  const service = await startReshaping(second.url);
  onTestFinished(async () => {
    service.close();
    await second.close();
  });
  const folder = tempFolder();
  service.reshape = (_, plain) =>
    (plain as { message?: string } | undefined)?.message === 'Not Found.' ? missing : undefined;
  const options = {
    ...optionsFor({ folder, url: service.url, token: second.token }),
    ...{ retries: 0, doubt: 0.5, locale: 'en' as const },
  };
  const run = async (as: keyof typeof resources, rows: readonly Cells[]) => {
    const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
    writeFileSync(`${folder}/rijen.csv`, lines.map((line) => line.join(';')).join('\r\n'));
    const { rows: done } = await importWorkbook(`${folder}/rijen.csv`, { ...options, as: resources[as] });
    return done.map(({ status, issues = [] }) => [status, ...issues.map(({ code }) => code)].join(' '));
  };
  return { second, service, run };
}

const SOUP = { OmschrijvingIntern: 'Soep', ProductTypeID: 1, Verkoopprijs: 4.5 };

describe.each(WAYS)('where a service says by %s that it has no such record', (way, missing) => {
  it('a file of three packages goes on: new ones are made, and an unknown id is an issue of its row', async () => {
    const { second, run } = await open(missing);
    // Details are cheaper than this many pages.
    for (let at = 0; at < 400; at++) second.add.package();
    const there = second.add.package({ ExternalID: 600_001, OmschrijvingIntern: 'Oud' });
    const rows = [
      { ...SOUP, ExternalID: 600_001 },
      { ...SOUP, ExternalID: 600_002 },
      { ...SOUP, ProductID: 9_999_999 },
    ];
    expect(await run('packages', rows)).toEqual(['updated', 'created', 'invalid record-missing']);
    expect(second.packages.get(there)?.OmschrijvingIntern).toBe('Soep');
    expect(second.packages.all().filter(({ ExternalID }) => ExternalID === 600_002)).toHaveLength(1);
    expect(await run('packages', rows.slice(0, 2))).toEqual(['unchanged', 'unchanged']);
  });

  it('one unknown event among good ones is an issue of its row, also alone in its file', async () => {
    const { second, run } = await open(missing);
    const day = new Date().toISOString().slice(0, 10);
    const [one, other] = [second.add.event({ Datum: day }), second.add.event({ Datum: day })];
    const named = (PartijID: number) => ({ PartijID, PartijOmschrijving: 'Borrel' });
    expect(await run('events', [named(one), named(9_999_999), named(other)])).toEqual([
      ...['updated', 'invalid record-missing', 'updated'],
    ]);
    expect(await run('events', [named(9_999_998)])).toEqual(['invalid record-missing']);
  });

  it('so it is where no event is near today, whichever row comes first, and for arrangements', async () => {
    const { second, run } = await open(missing);
    const [one, other] = [
      second.add.event({ Datum: '2031-03-03' }),
      second.add.event({ Datum: '2033-03-03' }),
    ];
    const unknown = 'invalid record-missing';
    const named = (PartijID: number) => ({ PartijID, PartijOmschrijving: `Borrel ${PartijID}` });
    expect(await run('events', [named(9_999_998)])).toEqual([unknown]);
    const rows = [named(9_999_999), named(one), named(9_999_998), named(other)];
    expect(await run('events', rows)).toEqual([unknown, 'updated', unknown, 'updated']);
    const linked = { ArrangementID: second.add.package(), Aantal: 10, Datum: '2031-03-03' };
    const links = [9_999_999, one, other].map((PartijID) => ({ ...linked, PartijID }));
    expect(await run('arrangements', links)).toEqual([unknown, 'created', 'created']);
    expect(await run('arrangements', links.slice(0, 1))).toEqual([unknown]);
  });

  it('arrangements and stock counts of what is not there are issues of their rows', async () => {
    const { second, run } = await open(missing);
    const day = new Date().toISOString().slice(0, 10);
    const [event, lunch] = [second.add.event({ Datum: day }), second.add.package()];
    const linked = { ArrangementID: lunch, Aantal: 10, Datum: day };
    expect(
      await run('arrangements', [
        { ...linked, PartijID: event },
        { ...linked, PartijID: 9_999_999 },
      ]),
    ).toEqual([...['created', 'invalid record-missing']]);
    const counted = {
      WerknemerID: 12,
      DatumTijd: `${day} 08:00`,
      GeteldRekeneenheid: 5,
      MutatieCategorieID: 4901,
      MutatieReden: 'Telling',
    };
    const soup = second.add.recipe();
    second.add.stock(soup, 3);
    const rows = await run('stockCount', [
      { ...counted, ProductID: soup },
      { ...counted, ProductID: 9_999_999 },
    ]);
    // Its answer in place of a total is shown.
    const unknown = way === 'a message with 200' ? 'conflict' : 'invalid record-missing';
    expect(rows).toEqual(['created', unknown]);
  });
});

it.each([
  ['packages', /pakket\/detail/],
  ['recipes', /recept\/detail/],
  ['events', /\/event\/\d+$/],
  ['arrangements', /\/packages$/],
] as const)(
  'a service that answers 500 for all %s fails: the import stops and sends nothing',
  async (as, path) => {
    const { second, service, run } = await open({ status: 404, json: {} });
    // Each product is asked for by itself.
    second.set({ answers: { whole: 'refused' } });
    const day = new Date().toISOString().slice(0, 10);
    for (let at = 0; at < 400; at++) {
      second.add.package();
      second.add.recipe();
    }
    const [event, lunch] = [second.add.event({ Datum: day }), second.add.package({ ExternalID: 600_001 })];
    second.add.event({ Datum: day });
    second.add.recipe({ ExternalID: 600_001 });
    service.reshape = ({ path: asked }) =>
      path.test(asked) ? { status: 500, json: { message: 'stuk' } } : undefined;
    const rows = {
      packages: { ...SOUP, ExternalID: 600_001 },
      recipes: {
        OmschrijvingIntern: 'Soep',
        ProductCategorieID: 11,
        ProductEenheidWaardeID: 501,
        Gewicht: 1,
        OPK: 1,
        ExternalID: 600_001,
      },
      events: { PartijID: event, PartijOmschrijving: 'Borrel' },
      arrangements: { PartijID: event, ArrangementID: lunch, Aantal: 10, Datum: day },
    };
    await expect(run(as, [rows[as]])).rejects.toMatchObject({ exit: EXIT.service });
    expect(second.journal.writes).toEqual([]);
  },
);

it('a service that breaks down after it answered for one event fails: the import stops and sends nothing', async () => {
  const { second, service, run } = await open({ status: 404, json: {} });
  const ids = [1, 2, 3].map((at) => second.add.event({ Datum: `2031-03-0${at}` }));
  let answered = 0;
  service.reshape = ({ path }) =>
    /\/event\/\d+$/.test(path) && answered++ > 0 ? { status: 500, json: { message: 'stuk' } } : undefined;
  const rows = [...ids, 9_999_999].map((PartijID) => ({ PartijID, PartijOmschrijving: 'Borrel' }));
  await expect(run('events', rows)).rejects.toMatchObject({ exit: EXIT.service });
  expect(second.journal.writes).toEqual([]);
});
