import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';

const HEADS = {
  packages: 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs',
  recipes: 'ExternalID;OmschrijvingIntern;ProductCategorieID;ProductEenheidWaardeID;Gewicht;OPK',
  events: 'ExternalID;RelatieID;ContactpersoonID;LocatieID;Datum;Starttijd;Eindtijd',
} as const;
type Named = keyof typeof HEADS;
const ROWS: Readonly<Record<Named, (at: number) => string>> = {
  packages: (at) => `${9_000 + at};Pakket ${at};1;${at},25`,
  recipes: (at) => `${9_000 + at};Recept ${at};11;501;0,5;${at}`,
  events: (at) => `${9_000 + at};4001;6001;801;2027-05-0${at};2027-05-0${at} 12:00;2027-05-0${at} 17:00`,
};
const KINDS = { packages: 'package', recipes: 'recipe', events: 'event' } as const;
/** What becomes of the row that is as the colleague's record: no read tells the times of an event. */
const SECOND = { packages: 'unchanged', recipes: 'unchanged', events: 'conflict' } as const;
const resources = { packages, recipes, events };

async function open(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const file = `${folder}/rijen.csv`;
  const write = (lines: readonly string[]): string => {
    writeFileSync(file, lines.join('\r\n'));
    return file;
  };
  const rows = (as: Named, count: number): string =>
    write([HEADS[as], ...Array.from({ length: count }, (_, at) => ROWS[as](at + 1))]);
  return { service, write, rows, options: optionsFor({ folder, url: service.url, token: service.token }) };
}

/** What a colleague creates: the same as row 2 of the file, and row 1 but for one field. */
function colleagues(as: Named): Record<string, string | number>[] {
  const names = HEADS[as].split(';');
  const [first = {}, second = {}] = [1, 2].map((at) => {
    const cells = ROWS[as](at).split(';');
    const entries = names.map((name, place): [string, string | number] => {
      const cell = cells[place] ?? '';
      return [name, /^[\d,]+$/.test(cell) ? Number(cell.replace(',', '.')) : cell];
    });
    return Object.fromEntries(entries);
  });
  const other = { packages: { Verkoopprijs: 99 }, recipes: { OPK: 99 }, events: { LocatieID: 802 } };
  return [{ ...first, ...other[as] }, second];
}

const SHAPES: readonly (readonly [string, KnobChanges, number])[] = [
  ['a clock 11 minutes behind', { clock: { skewMs: -660_000 } }, 6],
  ['a clock a day ahead', { clock: { skewMs: 86_400_000 } }, 6],
  ['no LMT', { clock: { lmt: 'absent' } }, 6],
  ['so few rows that each is looked up by itself', {}, 2],
];

it.each(SHAPES)(
  'what somebody else created between plan and apply is not created again: %s',
  async (_, knobs, count) => {
    for (const as of ['packages', 'recipes', 'events'] as const) {
      const { service, rows, options } = await open(knobs);
      const plan = await planImport(rows(as, count), { ...options, as: resources[as] });
      expect(plan.counts).toMatchObject({ created: count });
      for (const values of colleagues(as)) service.other.create(KINDS[as], values);
      const done = await applyPlan(plan, options);
      const second = SECOND[as];
      expect([as, done.rows.slice(0, 2).map(({ status }) => status)]).toEqual([as, ['conflict', second]]);
      expect(done.counts.created).toBe(count - 2);
      expect(done.rows[0]?.message).toMatch(/someone else created it as \d+ after the plan was made/);
      expect([as, service[as].doubles(['ExternalID']).filter(([one]) => one?.ExternalID != null)]).toEqual([
        as,
        [],
      ]);
      expect(service.faults).toEqual([]);
    }
  },
);

it('what somebody else creates while an import is planned is not created again', async () => {
  for (const as of ['packages', 'recipes', 'events'] as const) {
    const { service, rows, options } = await open();
    let planned = false;
    const isList = ({ endpoint }: { endpoint: string }): boolean => /allModified|event\.all$/.test(endpoint);
    service.at(
      isList,
      () => {
        if (planned) return;
        planned = true;
        for (const values of colleagues(as)) service.other.create(KINDS[as], values);
      },
      { side: 'after' },
    );
    const done = await importWorkbook(rows(as, 6), { ...options, as: resources[as] });
    expect([as, planned, done.counts.created]).toEqual([as, true, 4]);
    // The list of all days shows it to the plan already; no read tells the times of an event.
    expect([as, done.rows[1]?.status]).toEqual([as, as === 'events' ? 'updated' : SECOND[as]]);
    expect(service[as].doubles(['ExternalID']).filter(([one]) => one?.ExternalID != null)).toEqual([]);
  }
});

it('a link that somebody else made between plan and apply is not made again, nor overwritten', async () => {
  const { service, write, options } = await open();
  const [party = 0, meeting = 0] = service.events.entries().map(([id]) => id);
  const [, , third = 0] = service.packages.entries().map(([id]) => id);
  const file = write([
    'PartijID;ArrangementID;Aantal;Datum',
    `${party};${third};10;2027-01-08`,
    `${meeting};${third};20;2027-02-12`,
  ]);
  const plan = await planImport(file, { ...options, as: arrangements });
  expect(plan.counts).toMatchObject({ created: 2 });
  service.other.create('link', {
    PartijID: party,
    ArrangementID: third,
    Aantal: 10,
    Datum: '2027-01-08 00:00:00',
  });
  service.other.create('link', {
    PartijID: meeting,
    ArrangementID: third,
    Aantal: 7,
    Datum: '2027-02-12 00:00:00',
  });
  const done = await applyPlan(plan, options);
  expect(done.rows.map(({ status }) => status)).toEqual(['unchanged', 'conflict']);
  expect(service.links.where({ ArrangementID: third }).map(({ Aantal }) => Aantal)).toEqual([10, 7]);
});

it('a link whose create is lost is not taken for the one that somebody else made meanwhile', async () => {
  const { service, write, options } = await open();
  const [party = 0] = service.events.entries().map(([id]) => id);
  const [, , third = 0] = service.packages.entries().map(([id]) => id);
  const file = write(['PartijID;ArrangementID;Aantal;Datum', `${party};${third};10;2027-01-08`]);
  const theirs = { PartijID: party, ArrangementID: third, Aantal: 7, Datum: '2027-01-08 00:00:00' };
  let lost = false;
  const choose = ({ endpoint }: { endpoint: string }) => {
    if (lost || endpoint !== 'link.create') return undefined;
    lost = true;
    service.other.create('link', theirs);
    return { kind: 'reset', when: 'before' } as const;
  };
  service.set({ failures: { choose } });
  const done = await importWorkbook(file, { ...options, as: arrangements, doubt: 0.3 });
  expect(done.rows.map(({ status }) => status)).toEqual(['conflict']);
  expect(service.links.where({ ArrangementID: third }).map(({ Aantal }) => Aantal)).toEqual([7]);
});

it('a link whose create is lost is not taken for one with a rounded number that somebody else made', async () => {
  const { service, write, options } = await open();
  const [party = 0] = service.events.entries().map(([id]) => id);
  const [first = 0, , third = 0] = service.packages.entries().map(([id]) => id);
  service.other.create('link', { PartijID: party, ArrangementID: first, Aantal: 2.5, Datum: '2027-01-08' });
  const file = write(['PartijID;ArrangementID;Aantal;Datum', `${party};${third};10,4;2027-01-08`]);
  const theirs = { PartijID: party, ArrangementID: third, Aantal: 10, Datum: '2027-01-08 00:00:00' };
  let lost = false;
  const choose = ({ endpoint }: { endpoint: string }) => {
    if (lost || endpoint !== 'link.create') return undefined;
    lost = true;
    service.other.create('link', theirs);
    return { kind: 'reset', when: 'before' } as const;
  };
  service.set({ failures: { choose } });
  const done = await importWorkbook(file, { ...options, as: arrangements, doubt: 0.3 });
  expect(done.rows.map(({ status }) => status)).not.toContain('created');
});

it('links that somebody else makes while an import is planned are neither doubled nor overwritten', async () => {
  const { service, write, options } = await open();
  const parties = [1, 2, 3].map(() => service.add.event({}));
  const product = service.add.package({});
  const cells = { Aantal: 10, Datum: '2027-01-08 00:00:00' };
  const file = write([
    'PartijID;ArrangementID;Aantal;Datum',
    ...parties.map((party) => `${party};${product};10;2027-01-08`),
  ]);
  // Another machine with the same file, a moment ahead: it has done all but the second.
  const link = (party = 0, Aantal = 10): void =>
    void service.other.create('link', { ...cells, PartijID: party, ArrangementID: product, Aantal });
  const isLast = ({ n, endpoint }: { n: number; endpoint: string }): boolean =>
    endpoint === 'link.list' && n === parties.length;
  const meanwhile = (): void => {
    link(parties[0]);
    link(parties[2], 7);
  };
  service.at(isLast, meanwhile, { side: 'after' });
  const done = await importWorkbook(file, { ...options, as: arrangements });
  expect(done.rows.map(({ status }) => status)).toEqual(['unchanged', 'created', 'conflict']);
  const made = service.links.where({ ArrangementID: product });
  expect(made.map(({ PartijID, Aantal }) => [PartijID, Aantal]).sort()).toEqual([
    [parties[0], 10],
    [parties[1], 10],
    [parties[2], 7],
  ]);
});

it('what somebody else creates while a run sends is not created again, where its last look is old', async () => {
  for (const as of ['packages', 'recipes', 'events'] as const) {
    const { service, write, options } = await open();
    const now = performance.now.bind(performance);
    let ahead = 0;
    const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    onTestFinished(() => time.mockRestore());
    let made = 0;
    const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint.endsWith('.create');
    service.at(
      isCreate,
      () => {
        if (++made !== 2) return;
        ahead = 3_000;
        const [values = {}] = colleagues(as);
        service.other.create(KINDS[as], { ...values, ExternalID: 9_040 });
      },
      { times: 20 },
    );
    const lines = Array.from({ length: 40 }, (_, at) =>
      ROWS[as]((at % 9) + 1).replace(/^\d+/, String(9_001 + at)),
    );
    const done = await importWorkbook(write([HEADS[as], ...lines]), { ...options, as: resources[as] });
    time.mockRestore();
    expect([as, service[as].where({ ExternalID: 9_040 }).length]).toEqual([as, 1]);
    expect([as, done.counts]).toMatchObject([as, { created: 39, conflict: 1 }]);
  }
});

it('a create that is sent soon after the last look costs no further look', async () => {
  for (const as of ['packages', 'recipes', 'events'] as const) {
    const { service, rows, options } = await open();
    const planned = await planImport(rows(as, 8), { ...options, as: resources[as] });
    const before = service.journal.requests.length;
    await applyPlan(planned, options);
    const lists = service.journal.requests.slice(before).filter(({ endpoint }) => /all/i.test(endpoint));
    expect([as, lists.length]).toEqual([as, 1]);
  }
});

it.each(SHAPES)(
  'a conflict over what somebody else created stays one until it is decided: %s',
  async (_, knobs, count) => {
    for (const as of ['packages', 'recipes', 'events'] as const) {
      const { service, rows, options } = await open(knobs);
      const file = rows(as, count);
      const plan = await planImport(file, { ...options, as: resources[as] });
      const theirs = colleagues(as).map((values) => service.other.create(KINDS[as], values));
      const held = () => theirs.map((id) => service[as].get(id));
      const before = held();
      await applyPlan(plan, options);
      const outcome = async (more: object = {}) =>
        (await importWorkbook(file, { ...options, ...more, as: resources[as] })).rows
          .slice(0, 2)
          .map(({ status }) => status);
      expect([as, await outcome()]).toEqual([as, ['conflict', SECOND[as]]]);
      expect([as, held()]).toEqual([as, before]);
      expect((await outcome({ onConflict: 'mine' }))[0]).toBe('updated');
      expect([as, await outcome()]).toEqual([as, ['unchanged', 'unchanged']]);
    }
  },
);

it('a conflict over a link that somebody else made stays one when the file comes again', async () => {
  const { service, write, options } = await open();
  const [party = 0] = service.events.entries().map(([id]) => id);
  const [, , third = 0] = service.packages.entries().map(([id]) => id);
  const file = write(['PartijID;ArrangementID;Aantal;Datum', `${party};${third};10;2027-01-08`]);
  const plan = await planImport(file, { ...options, as: arrangements });
  const theirs = { PartijID: party, ArrangementID: third, Aantal: 7, Datum: '2027-01-08 00:00:00' };
  service.other.create('link', theirs);
  expect((await applyPlan(plan, options)).rows.map(({ status }) => status)).toEqual(['conflict']);
  const again = await importWorkbook(file, { ...options, as: arrangements });
  expect(again.rows.map(({ status }) => status)).toEqual(['conflict']);
  expect(service.links.where({ ArrangementID: third }).map(({ Aantal }) => Aantal)).toEqual([7]);
});

it('a conflict on what somebody else made meanwhile shows, at its cells, what is there beside what the row says', async () => {
  const column = { packages: 'D2', recipes: 'F2', events: 'D2' };
  const says = { packages: ['1,25', '99'], recipes: ['1', '99'], events: ['801', '802'] };
  for (const as of ['packages', 'recipes', 'events'] as const) {
    const { service, rows, options } = await open();
    const plan = await planImport(rows(as, 6), { ...options, as: resources[as] });
    for (const values of colleagues(as)) service.other.create(KINDS[as], values);
    const { rows: done } = await applyPlan(plan, options);
    const issues = done[0]?.issues ?? [];
    const [issue] = issues;
    expect([as, issues.length, issue?.cell, issue?.code]).toEqual([as, 1, column[as], 'made-meanwhile']);
    for (const value of says[as]) expect(issue?.message).toContain(value);
  }
});

it('a conflict on a link that somebody else made meanwhile shows what it holds beside what the row says', async () => {
  const { service, write, options } = await open();
  const [party = 0] = service.events.entries().map(([id]) => id);
  const [, , third = 0] = service.packages.entries().map(([id]) => id);
  const file = write(['PartijID;ArrangementID;Aantal;Datum', `${party};${third};10;2027-01-08`]);
  const plan = await planImport(file, { ...options, as: arrangements });
  service.other.create('link', { PartijID: party, ArrangementID: third, Aantal: 77, Datum: '2027-01-08' });
  const { rows: done } = await applyPlan(plan, options);
  expect(done[0]?.status).toBe('conflict');
  expect(done[0]?.issues?.map(({ cell, code }) => [cell, code])).toEqual([['C2', 'made-meanwhile']]);
  expect(done[0]?.issues?.[0]?.message).toMatch(/10.*77/);
});
