import { afterEach, expect, test, vi } from 'vitest';
import { checkIn } from '../../src/api/check-service.ts';
import { withSession } from '../../src/session/open-session.ts';
import { openWorld } from '../promises/world.ts';
import type { KnobChanges } from '../second-service/knobs.ts';

afterEach(() => vi.unstubAllEnvs());

/** A service in memory, and checks of it by a user with a private folder of settings. */
function open(knobs: KnobChanges = {}) {
  const { service, time, folder: home } = openWorld(knobs);
  vi.stubEnv('CATERSHEET_HOME', home);
  const check = async (options: { lists?: boolean } = {}) => {
    const dialect = { dropdowns: { producteenheid: 50 } };
    const given = { baseUrl: service.url, token: service.token, lang: 'en', retries: 0, dialect } as const;
    const world = { time, connect: service.connect };
    const end = await withSession(given, undefined, (one) => checkIn(one, options), world);
    const checks = end.checks.map((one) => ({ ...one, what: one.what.en, found: one.found.en }));
    return { ...end, checks, found: Object.fromEntries(checks.map(({ what, found }) => [what, found])) };
  };
  const asked = () => service.journal.requests.filter(({ path }) => path.includes('dropdownvalue/')).length;
  return { service, check, asked };
}

test.each([
  ['a list that breaks down', /product\/pakket\/allModified/, 500, { message: 'kapot' }, 'packages', /kapot/],
  ['a list that is forbidden', /recept\/allModified/, 403, {}, 'recipes', /not allowed/],
  ['a detail that is empty', /product\/pakket\/detail\//, 200, null, 'packages detail', /not readable/],
  [
    'a detail of another shape',
    /product\/pakket\/detail\//,
    200,
    [[1]],
    'packages detail',
    /not as expected/,
  ],
  ['names that can’t be read', /unit\/all/, 500, {}, null, /broke down/],
] as const)(
  'of a service with %s it is said whether it can be imported into',
  async (_, path, status, body, what, said) => {
    const { check } = open({
      failures: {
        choose: (one) => (path.test(one.path) ? { kind: 'answer', when: 'before', status, body } : undefined),
      },
    });
    const { ok, checks } = await check();
    const failed = checks.filter(
      (one) => !one.ok && (what === null ? one.what === 'lookup unit' : one.needed),
    );
    expect(ok).toBe(what === null);
    expect(failed.map((one) => [one.what, one.found])).toEqual([
      [what ?? 'lookup unit', expect.stringMatching(said)],
    ]);
  },
);

test('the dropdown lists are read number by number, each at most once, and each is told by its names, which is known by its own', async () => {
  // What breaks down, refuses or is missing where the lists that are known answer is no list.
  const statuses: Readonly<Record<string, number>> = { 3: 400, 4: 404, 5: 422, 6: 500 };
  const { service, check, asked } = open({
    failures: {
      choose: ({ path }) => {
        const [, number = '', digit = ''] = /dropdownvalue\/(\d*(\d))$/.exec(path) ?? [];
        const status = ['49', '96', '97'].includes(number) ? undefined : statuses[digit];
        return status === undefined ? undefined : { kind: 'status', status, when: 'before' };
      },
    },
  });
  const { ok, found } = await check({ lists: true });
  expect(ok).toBe(true);
  expect(found).toMatchObject({
    'list 49': '3 names: 4901 Telling, 4902 Breuk, 4903 Retour → mutatiecategorie',
    'list 50': '3 names: 501 portie, 502 schaal, 503 bak → producteenheid',
    'list 52': '2 names: 521 Website, 522 Telefoon',
  });
  expect([asked(), service.journal.writes]).toEqual([150 + 4, []]);
});
