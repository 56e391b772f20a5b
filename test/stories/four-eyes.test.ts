import { expect, test } from 'vitest';
import { openProgram } from './program.ts';

const HEAD = 'ProductID;OmschrijvingIntern;Verkoopprijs';

test('one makes a plan, another looks at its report, and only that plan is sent', async () => {
  const { service, json, read, write } = await openProgram();
  const id = service.add.package({ OmschrijvingIntern: 'Lunch', Verkoopprijs: 10 });
  const plan = async (price: string) => {
    write('prijs.csv', HEAD, `${id};Lunch;${price}`);
    const given = ['import', 'prijs.csv', '--as', 'packages', '--dry-run', '--report', 'verslag.html'];
    const { run, fingerprint } = (await json(...given)).document;
    expect(read('verslag.html')).toContain(fingerprint);
    return { run, fingerprint };
  };
  const [looked, other] = [await plan('12,50'), await plan('125,00')];
  expect(looked.fingerprint).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/);
  expect(looked.fingerprint).not.toBe(other.fingerprint);
  // The file says something else by now; what is sent is the plan.
  const refused = await json('apply', other.run, '--yes', '--expect', looked.fingerprint);
  expect([refused.code, refused.document.error?.message]).toEqual([
    2,
    expect.stringContaining(`has the fingerprint ${other.fingerprint}`),
  ]);
  expect(service.journal.writes).toEqual([]);
  const bare = looked.fingerprint.toLowerCase().replaceAll('-', ' ');
  const sent = await json('apply', looked.run, '--yes', '--expect', bare);
  expect([sent.code, sent.document.counts]).toMatchObject([0, { updated: 1 }]);
  expect(service.packages.get(id)?.Verkoopprijs).toBe(12.5);
  expect(sent.document.fingerprint).toBe(looked.fingerprint);
});
