import { describe, expect, test } from 'vitest';
import { type Cell, openWorld } from '../../promises/world.ts';
import { told } from '../../records/told.ts';
import type { Failure } from '../../second-service/knobs.ts';

type Kind = 'package' | 'recipe' | 'event' | 'link' | 'trip';
const SHEETS = {
  package: 'packages',
  recipe: 'recipes',
  event: 'events',
  link: 'arrangements',
  trip: 'trips',
} as const;

/** A record of a kind, and imports of one row about it of which each write fails in a way. */
function open(kind: Kind, failure: (write: number) => Failure | undefined) {
  let writes = 0;
  const choose = ({ write }: { readonly write: boolean }) => (write ? failure(++writes) : undefined);
  const world = openWorld({ failures: { choose } });
  const { service, sheet, machine, importWorkbook } = world;
  const day = '2027-01-08 00:00:00';
  const product = service.add.package();
  const party = service.add.event({ Datum: day, AantalGasten: 12 });
  const id = {
    package: () => service.add.package({ Verkoopprijs: 12 }),
    recipe: () => service.add.recipe({ OPK: 12 }),
    event: () => party,
    link: () => service.add.link(party, product, { Aantal: 12, Datum: day }),
    trip: () => service.add.trip({ PartijID: party, Datum: day, Chauffeur: '12' }),
  }[kind]();
  const [header, cells, field] = {
    package: [['ProductID'], [id], 'Verkoopprijs'],
    recipe: [['ProductID'], [id], 'OPK'],
    event: [['PartijID'], [id], 'AantalGasten'],
    link: [['PartijID', 'ArrangementID', 'Datum'], [party, product, '2027-01-08'], 'Aantal'],
    trip: [['RitID'], [id], 'Chauffeur'],
  }[kind] as [string[], Cell[], string];
  return {
    ...world,
    changes: (value: Cell) => service.other.change(kind, id, { [field]: value }),
    held: () => service[`${kind}s`].get(id)?.[field],
    send: async (action: 'update' | 'delete') => {
      const rows = [
        ['#action', ...header, ...(action === 'update' ? [field] : [])],
        [action, ...cells, ...(action === 'update' ? [20] : [])],
      ];
      const options = { as: SHEETS[kind], retries: 1, doubt: 30, allowDelete: true };
      return await importWorkbook(sheet(rows), { ...machine(), ...options });
    },
  };
}

const WRITES = [
  ['package', 'update', 503],
  ['recipe', 'update', 408],
  ['event', 'update', 503],
  ['link', 'update', 425],
  ['trip', 'update', 503],
  ['package', 'delete', 408],
  ['link', 'delete', 503],
] as const;

describe('what is turned away at every try is told by what the service holds (14)', () => {
  test.each(WRITES)('a %s whose %s is answered with %i', async (kind, action, status) => {
    const done = open(kind, () => ({ kind: 'status', status, when: 'after' }));
    expect((await done.send(action)).counts).toMatchObject({ [`${action}d`]: 1, failed: 0, unknown: 0 });
    const not = open(kind, () => ({ kind: 'status', status, when: 'before' }));
    const { counts, rows } = await not.send(action);
    expect(counts).toMatchObject({ failed: 1, unknown: 0 });
    expect(rows[0]?.message).toContain(String(status));
    // Only once it can no longer arrive.
    expect(not.time.steady()).toBeGreaterThan(29_999);
  });
});

test.each(WRITES)(
  'a %s that a colleague changed while its %s waited is a conflict, and not overwritten (9)',
  async (kind, action) => {
    const theirs = kind === 'trip' ? '99' : 99;
    const world = open(kind, (write) => {
      if (write > 1) return undefined;
      world.changes(theirs);
      return { kind: 'status', status: 429, when: 'before', retryAfter: 3 };
    });
    expect((await world.send(action)).counts).toMatchObject({ conflict: 1, failed: 0 });
    expect(world.held()).toBe(theirs);
  },
);

describe('a create that is refused without a word of the service’s own is looked for', () => {
  const HEADER = ['#action', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];
  const row = ['create', null, 'Lunch in het bos', 1, 12.5];
  const at = (when: 'before' | 'after') =>
    [
      ['a page with 409', { kind: 'status', status: 409, when }],
      ['422 and nothing', { kind: 'status', status: 422, when, body: 'empty' }],
      [
        '409 that says it is there',
        { kind: 'answer', when, status: 409, body: { message: 'Already exists.' } },
      ],
      ['success false and nothing more', { kind: 'answer', when, status: 200, body: { success: false } }],
    ] as [string, Failure][];

  test.each([
    ...at('after').map(([name, failure]) => ['done', name, failure] as const),
    ...at('before').map(([name, failure]) => ['not done', name, failure] as const),
  ])('%s, and answered with %s', async (what, _, failure) => {
    const { service, sheet, machine, importWorkbook } = openWorld({ company: 'lookups' });
    service.failNext(failure, ({ method }) => method === 'PUT');
    const options = { ...machine(), locale: 'en' } as const;
    const first = await importWorkbook(sheet([HEADER, row]), options);
    expect(told(first.rows)).toEqual([what === 'done' ? 'created' : 'failed']);
    await importWorkbook(sheet([HEADER, row]), options);
    expect(service.packages.size).toBe(1);
  });

  test('but not taken for one that somebody else made under its key', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const choose = ({ method }: { readonly method: string }): Failure | undefined => {
      if (method !== 'PUT') return undefined;
      service.other.create('package', { OmschrijvingIntern: 'Brunch', ExternalID: 901 });
      return { kind: 'answer', when: 'before', status: 409, body: { message: 'Already exists.' } };
    };
    service.set({ failures: { choose } });
    const { rows } = await importWorkbook(sheet([HEADER, ['create', 901, 'Lunch', 1, 12]]), machine());
    expect(told(rows)).toEqual(['failed']);
  });
});

describe('a row that repeats what an earlier one', () => {
  test.each<[string, readonly (readonly Cell[])[], string]>([
    [
      'changes',
      [
        [null, 701, null, 'Nieuw', 20],
        [null, 701, null, 'Nieuw', null],
      ],
      'updated',
    ],
    [
      'makes',
      [
        ['create', 709, 1, 'Nieuw', 20],
        [null, 709, null, 'Nieuw', null],
      ],
      'created',
    ],
    [
      'deletes',
      [
        ['delete', 701],
        ['delete', 701],
      ],
      'deleted',
    ],
  ])('%s is unchanged when that is done, and not sent when it fails (14)', async (_, rows, status) => {
    for (const fails of [true, false]) {
      const { service, sheet, machine, importWorkbook } = openWorld();
      service.add.package({ ExternalID: 701, OmschrijvingIntern: 'Was' });
      if (fails) service.failNext({ kind: 'status', status: 422, when: 'before' });
      const header = ['#action', 'ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];
      const options = { ...machine(), as: 'packages', allowDelete: true };
      const done = await importWorkbook(sheet([header, ...rows]), options);
      const codes = done.rows.map((one) => one.status);
      expect(codes).toEqual(fails ? ['failed', 'not sent'] : [status, 'unchanged']);
      if (fails) expect(done.rows[1]?.message).toContain('!2');
    }
  });
});
