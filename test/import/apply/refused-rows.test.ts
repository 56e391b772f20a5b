import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../helpers/cells-of.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { openWorld } from '../../promises/world.ts';
import { told } from '../../records/told.ts';
import type { Failure } from '../../second-service/knobs.ts';

const DAY = '2027-01-08';

/** A service whose writes fail as they are told, by their endpoint; and the import of a workbook that updates a record of each kind, and deletes two. */
function open(failure: (endpoint: string) => Failure | undefined) {
  const choose = ({ write, endpoint }: { readonly write: boolean; readonly endpoint: string }) =>
    write ? failure(endpoint) : undefined;
  const world = openWorld({ failures: { choose } });
  const { service, folder, machine, importWorkbook } = world;
  const [dish, gone, linked] = [12, 12, 1].map((Verkoopprijs) => service.add.package({ Verkoopprijs }));
  const soup = service.add.recipe({ OPK: 12 });
  const [party = 0, first, second] = [1, 2, 3].map(() => service.add.event({ Datum: DAY, AantalGasten: 12 }));
  const links = [first, second].map((event = 0) =>
    service.add.link(event, linked ?? 0, { Aantal: 12, Datum: `${DAY} 00:00:00` }),
  );
  const trip = service.add.trip({ PartijID: party, Datum: DAY, Chauffeur: '12' });
  const sheets = {
    Pakketten: ['#action;ProductID;Verkoopprijs', `update;${dish};20`, `delete;${gone};`],
    Recepten: ['#action;ProductID;OPK', `update;${soup};20`],
    Evenementen: ['#action;PartijID;AantalGasten', `update;${party};20`],
    Arrangementen: [
      '#action;PartijID;ArrangementID;Datum;Aantal',
      `update;${first};${linked};${DAY};20`,
      `delete;${second};${linked};${DAY};`,
    ],
    Ritten: ['#action;RitID;Chauffeur', `update;${trip};20`],
  };
  const cells = Object.entries(sheets).map(([name, lines]) => [name, cellsOf(lines)]);
  const theirs = {
    'package.update': ['package', dish, { Verkoopprijs: 99 }],
    'package.delete': ['package', gone, { Verkoopprijs: 99 }],
    'recipe.update': ['recipe', soup, { OPK: 99 }],
    'event.update': ['event', party, { AantalGasten: 99 }],
    'link.update': ['link', links[0], { Aantal: 99 }],
    'link.delete': ['link', links[1], { Aantal: 99 }],
    'trip.update': ['trip', trip, { Chauffeur: '99' }],
  } as const;
  return {
    ...world,
    writes: Object.keys(theirs),
    /** A colleague changes the record that a write is about. */
    changes: (endpoint: string) => {
      const [kind, id = 0, values] = theirs[endpoint as keyof typeof theirs];
      service.other.change(kind, id, values);
    },
    send: async () => {
      const file = await makeWorkbook(join(folder, 'week.xlsx'), Object.fromEntries(cells));
      return importWorkbook(file, { ...machine(), retries: 1, doubt: 5, allowDelete: true });
    },
  };
}

test('what is turned away at every try is told by what the service holds (14)', async () => {
  const failed =
    (when: 'before' | 'after') =>
    (endpoint: string): Failure => {
      const status = { recipe: 408, link: 425 }[endpoint.split('.')[0] as 'link'] ?? 503;
      return { kind: 'status', status, when };
    };
  const done = await open(failed('after')).send();
  expect(done.counts).toMatchObject({ updated: 5, deleted: 2, failed: 0, unknown: 0 });
  const not = open(failed('before'));
  const { counts, rows } = await not.send();
  expect(counts).toMatchObject({ failed: 7, unknown: 0 });
  for (const { message } of rows) expect(message).toMatch(/408|425|503/);
  // Only once it can no longer arrive.
  expect(not.time.steady()).toBeGreaterThan(4999);
});

test('what a colleague changed while its write waited is a conflict, and not overwritten (9)', async () => {
  const seen = new Set<string>();
  const world = open((endpoint) => {
    if (seen.has(endpoint)) return undefined;
    seen.add(endpoint);
    world.changes(endpoint);
    return { kind: 'status', status: 429, when: 'before', retryAfter: 3 };
  });
  expect((await world.send()).counts).toMatchObject({ read: 7, conflict: 7 });
  expect([...seen].sort()).toEqual(world.writes.toSorted());
  expect(world.service.journal.ours).toEqual([]);
});

/** Answers to a create that say nothing of what came of it. */
const VAGUE: readonly ((when: 'before' | 'after') => Failure)[] = [
  (when) => ({ kind: 'status', status: 409, when }),
  (when) => ({ kind: 'status', status: 422, when, body: 'empty' }),
  (when) => ({ kind: 'answer', when, status: 409, body: { message: 'Already exists.' } }),
  (when) => ({ kind: 'answer', when, status: 200, body: { success: false } }),
];

describe('a create that is refused without a word of the service’s own', () => {
  const HEADER = '#action;ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs';

  test('is looked for, and made once', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld({ company: 'lookups' });
    const answers = (['after', 'before'] as const).flatMap((when) => VAGUE.map((failure) => failure(when)));
    const failed = new Set<string>();
    const choose = ({ method, body }: { readonly method: string; readonly body: unknown }) => {
      const name = String((body as Record<string, unknown> | undefined)?.OmschrijvingIntern);
      if (method !== 'PUT' || failed.has(name)) return undefined;
      failed.add(name);
      return answers[Number(/\d+/.exec(name))];
    };
    service.set({ failures: { choose } });
    const file = sheet(cellsOf([HEADER, ...answers.map((_, at) => `create;;Lunch ${at} in het bos;1;12`)]));
    const options = machine();
    const first = await importWorkbook(file, options);
    expect(first.rows.map(({ status }) => status)).toEqual([
      ...VAGUE.map(() => 'created'),
      ...VAGUE.map(() => 'failed'),
    ]);
    await importWorkbook(file, options);
    expect(service.packages.size).toBe(answers.length);
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
  });

  test('is not taken for one that somebody else made under its key', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const choose = ({ method }: { readonly method: string }): Failure | undefined => {
      if (method !== 'PUT') return undefined;
      service.other.create('package', { OmschrijvingIntern: 'Brunch', ExternalID: 901 });
      return { kind: 'answer', when: 'before', status: 409, body: { message: 'Already exists.' } };
    };
    service.set({ failures: { choose } });
    const { rows } = await importWorkbook(sheet(cellsOf([HEADER, 'create;901;Lunch;1;12'])), machine());
    expect(told(rows)).toEqual(['failed']);
  });
});

test.each([
  ['changes', ';701;;Nieuw;20', ';701;;Nieuw', 'updated'],
  ['makes', 'create;709;1;Nieuw;20', ';709;1;Nieuw;20', 'created'],
  ['deletes', 'delete;701', 'delete;701', 'deleted'],
])(
  'a row that repeats what an earlier one %s is skipped, and names that one: what became of it stands there (14)',
  async (...one) => {
    const [, first, second, status] = one;
    for (const fails of [true, false]) {
      const { service, sheet, machine, importWorkbook } = openWorld();
      service.add.package({ ExternalID: 701, OmschrijvingIntern: 'Was' });
      if (fails) service.failNext({ kind: 'status', status: 422, when: 'before' });
      const header = '#action;ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs';
      const options = { ...machine(), as: 'packages', allowDelete: true };
      const done = await importWorkbook(sheet(cellsOf([header, first, second])), options);
      expect(done.rows.map((row) => row.status)).toEqual([fails ? 'failed' : status, 'skipped']);
      expect(done.rows[1]?.message).toContain('!2');
    }
  },
);
