import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import type { RecordDocument } from '../../src/index.ts';
import { openProgram } from './program.ts';

test('who changed this price, when: every change that was sent, and what others did between', async () => {
  const { service, json, run, write } = await openProgram();
  const send = async (price: string) => {
    write('prijs.csv', 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', `900001;Lunch;1;${price}`);
    return (await json('import', 'prijs.csv', '--as', 'packages', '--yes')).document;
  };
  const [made, raised] = [await send('10'), await send('12,50')];
  const id = service.packages.where({ ExternalID: 900_001 })[0]?.ProductID as number;
  service.other.change('package', id, { Verkoopprijs: 99 });
  const back = await send('13');
  const history = async (record: string): Promise<RecordDocument> =>
    JSON.parse((await run(['runs', '--record', record, '--json'])).stdout) as RecordDocument;
  const { label, changes } = await history('packages:900001');
  expect(label).toBe('Lunch');
  const user = userInfo().username;
  expect(changes).toMatchObject([
    {
      ...{ run: back.run, file: 'prijs.csv', user, status: 'updated' },
      changes: [{ field: 'Verkoopprijs', from: 99, to: 13 }],
      elsewhere: [{ field: 'Verkoopprijs', from: 12.5, to: 99 }],
    },
    { run: raised.run, user, status: 'updated', changes: [{ field: 'Verkoopprijs', from: 10, to: 12.5 }] },
    { run: made.run, user, status: 'created' },
  ]);
  expect(changes[1]?.elsewhere).toBeUndefined();
  expect(changes[2]?.changes).toContainEqual({ field: 'Verkoopprijs', from: null, to: 10 });
  expect((await history(`Pakketten:${id}`)).changes).toEqual(changes);
  const told = await run(['runs', '--record', `packages:${id}`, '--lang', 'nl']);
  expect(told.stdout).toMatch(
    /Verkoopprijs 99,00 → 13,00[\s\S]*Verkoopprijs 12,50 → 99,00[\s\S]*Verkoopprijs 10,00 → 12,50/,
  );
  expect((await run(['runs', 'prune', '--record', `packages:${id}`])).code).toBe(2);
  const none = await run(['runs', '--record', 'packages:1']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('sent nothing to packages:1')]);
});
