import { expect, it } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { stockMutations } from '../../../src/resources/stock-mutations.ts';
import { type Keyed, openRows, resources, rowsOf, writeRows } from '../../records/keyed-rows.ts';
import type { Failure, KnobChanges } from '../../second-service/knobs.ts';

/** Answers in place of that of a create, which was done (`after`) or not. */
const answers = (when: 'before' | 'after') =>
  ({
    'a page with 409': { kind: 'status', status: 409, when },
    'a page with 400': { kind: 'status', status: 400, when },
    '422 and nothing': { kind: 'status', status: 422, when, body: 'empty' },
    '409 that says it is there': {
      ...{ kind: 'answer', when, status: 409 },
      body: { message: 'The record already exists.' },
    },
    'success false and nothing more': { kind: 'answer', when, status: 200, body: { success: false } },
  }) as const satisfies Record<string, Failure>;

const ALL = Object.keys(answers('after')) as (keyof ReturnType<typeof answers>)[];

const CASES = (['packages', 'recipes', 'events'] as const).flatMap((kind) =>
  (kind === 'events' ? ALL : ALL.slice(0, 1)).flatMap((answer) =>
    (['no key', 'a key'] as const).map((key) => [kind, key, answer] as const),
  ),
);

async function create(kind: Keyed, key: 'no key' | 'a key', failure: Failure, knobs: KnobChanges = {}) {
  const { service, folder, options } = await openRows({ values: { externalId: 'kept' }, ...knobs });
  const was = service[kind].size;
  const own = key === 'a key' ? { ExternalID: 901 } : {};
  const file = writeRows(`${folder}/a.csv`, [{ '#action': 'create', ...own, ...rowsOf[kind](1) }]);
  service.failNext(failure, ({ method }) => method === 'PUT');
  const settings = { ...options, as: resources[kind], doubt: 0.3 };
  return { service, file, settings, made: () => service[kind].size - was };
}

it.each(CASES)(
  'a create of %s with %s that is done and answered with %s is found',
  async (kind, key, answer) => {
    const { file, settings, made } = await create(kind, key, answers('after')[answer]);
    expect((await importWorkbook(file, settings)).counts).toMatchObject({ created: 1, failed: 0 });
    const again = await importWorkbook(file, settings);
    expect(again.counts).toMatchObject({ created: 0, failed: 0 });
    expect(made()).toBe(1);
  },
);

it.each(['a page with 409', 'success false and nothing more'] as const)(
  'a create that is not done and answered with %s fails, is not waited for, and a later import makes it',
  async (answer) => {
    const { file, settings, made } = await create('packages', 'no key', answers('before')[answer]);
    // Longer than a test may take.
    const { counts } = await importWorkbook(file, { ...settings, doubt: 600 });
    expect(counts).toMatchObject({ created: 0, failed: 1 });
    expect((await importWorkbook(file, settings)).counts).toMatchObject({ created: 1 });
    expect(made()).toBe(1);
  },
);

it('a record that somebody else made under the key is not taken for a create that is refused for it', async () => {
  const failure = answers('before')['409 that says it is there'];
  const { service, file, settings } = await create('events', 'a key', failure);
  const choose = ({ method }: { readonly method: string }): Failure | undefined => {
    if (method !== 'PUT') return undefined;
    service.other.create('event', { ...rowsOf.events(2), ExternalID: 901 });
    return failure;
  };
  service.set({ failures: { choose } });
  expect((await importWorkbook(file, settings)).counts).toMatchObject({ created: 0, failed: 1 });
});

it('a create that the service refuses in its own words is not looked for', async () => {
  const failure = {
    kind: 'answer',
    when: 'before',
    status: 422,
    body: { message: 'Nee.', errors: {} },
  } as const;
  const { service, file, settings } = await create('events', 'no key', failure);
  expect((await importWorkbook(file, settings)).counts).toMatchObject({ failed: 1 });
  expect(service.journal.requests.at(-1)).toMatchObject({ method: 'PUT' });
});

it.each([
  ['a page with 409', 'unknown'],
  ['409 that says it is there', 'unknown'],
  ['422 and nothing', 'unknown'],
  ['success false and nothing more', 'failed'],
] as const)('a posting that is answered with %s is %s', async (answer, status) => {
  const { service, folder, options } = await openRows();
  const product = service.add.product();
  const row = {
    ProductID: product,
    WerknemerID: 12,
    DatumTijd: '2026-10-01 08:00:00',
    AantalRekeneenheid: -2,
  };
  const more = { MutatieCategorieID: 4901, MutatieReden: 'Bederf' };
  const file = writeRows(`${folder}/v.csv`, [{ ...row, ...more }]);
  service.failNext(answers('after')[answer], ({ write }) => write);
  const { counts, rows } = await importWorkbook(file, { ...options, as: stockMutations });
  expect(counts).toMatchObject({ [status]: 1 });
  if (status === 'failed') return;
  expect(rows[0]?.message).toContain('--resend');
  expect((await importWorkbook(file, { ...options, as: stockMutations })).counts).toMatchObject({
    unknown: 1,
  });
  expect(service.mutations.size).toBe(1);
});
