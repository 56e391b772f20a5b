import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../src/api/start-sandbox.ts';
import type { RunningSandbox } from '../../src/sandbox/options.ts';
import { type MemberFact, membersOf, recordFacts } from './facts.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Where an answer is of, as the facts name it. */
interface Place {
  /** The path of the endpoint. */
  readonly path: string;
  /** Whose list it is. */
  readonly kind?: 'packages' | 'recipes';
  /** The record that holds it. */
  readonly within?: string;
}

/** The members that a record has there: without those that only other reads return, and those behind its last. */
function expectedMembers(record: string, { path, kind, within }: Place): readonly MemberFact[] {
  const { members, lastMember = {} } = recordFacts[record] ?? { members: membersOf(record) };
  const last = lastMember[path] ?? lastMember[within ?? ''];
  const end = last === undefined ? members.length : members.findIndex(({ name }) => name === last) + 1;
  const returned = ({ name, in: only }: MemberFact): boolean => {
    if (only === undefined || only === path || only === kind) return true;
    // Absent in packages' lists by the facts; the others are null there.
    return only === 'recipes' && name !== 'nutrients';
  };
  return members.slice(0, end).filter(returned);
}

/** What a record of the sandbox has and the facts do not, or lacks; down into what is nested in it. */
function differences(record: string, answer: Answer, place: Place): string[] {
  const members = expectedMembers(record, place);
  const names = members.map(({ name }) => name);
  const apart = [
    ...Object.keys(answer).filter((name) => !names.includes(name)),
    ...names.filter((name) => !(name in answer)),
  ];
  const nested = members.flatMap(({ name, one, many }) => {
    const inner = one ?? many;
    const held = [answer[name]].flat().filter((value) => typeof value === 'object' && value !== null);
    return inner === undefined
      ? []
      : held.flatMap((value) => differences(inner, value as Answer, { ...place, within: record }));
  });
  return [...apart.map((name) => `${record}: ${name}`), ...nested];
}

const PERIOD = { DatumVan: '2026-01-01', DatumTot: '2027-12-31' };
const MOMENTS = { DatumVan: '2026-01-01 00:00:00', DatumTot: '2027-12-31 00:00:00' };
const EVER = { LMT: '1970-01-01 00:00:00' };

interface Read {
  readonly path: string;
  readonly record: string;
  /** What is posted; a GET by an id where absent. */
  readonly body?: object;
  readonly id?: number;
}

const READS: readonly Read[] = [
  { path: 'api/v1/product/pakket/detail/{ID}', record: 'package detail', id: 5001 },
  { path: 'api/v1/product/recept/detail/{ID}', record: 'recipe detail', id: 7001 },
  { path: 'api/v1/product/pakket/allModified', record: 'product', body: EVER },
  { path: 'api/v1/product/recept/allModified', record: 'product', body: EVER },
  { path: 'api/v1/event/{ID}', record: 'event', id: 9001 },
  { path: 'api/v1/event/all', record: 'event', body: { EnkelEvenement: false, ...PERIOD } },
  {
    path: 'api/v1/event/allByLMT',
    record: 'event',
    body: { EnkelEvenement: false, ...PERIOD, LMT: '1970-01-01 00:00' },
  },
  { path: 'api/v1/event/allkassa', record: 'event', body: { EnkelEvent: false, ...PERIOD } },
  { path: 'api/v1/event/{ID}/packages', record: 'arrangement', id: 9001 },
  { path: 'api/v1/ritten/all', record: 'trip', body: MOMENTS },
  { path: 'api/v1/ritten/allByLMT', record: 'trip', body: EVER },
];

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ data: ':memory:' });
});
afterAll(() => sandbox.close());

async function ask({ path, body, id }: Read): Promise<unknown> {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' };
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(new URL(path.replace('{ID}', String(id)), sandbox.url), { headers, ...post });
  return await answer.json();
}

test.each(READS)('the sandbox answers $path with every member of the facts and no others', async (read) => {
  const { path, record } = read;
  const answer = await ask(read);
  const records = [answer].flat().flatMap((one) => (one as { data?: Answer[] }).data ?? [one as Answer]);
  expect(records.length).toBeGreaterThan(0);
  const kind = path.includes('pakket') ? 'packages' : 'recipes';
  const found = records.flatMap((one) => differences(record, one, { path, kind }));
  // The lookup of a relation, whose members nobody has shown, has its place too.
  expect([...new Set(found)].filter((name) => name !== 'relation: Plaats')).toEqual([]);
});
