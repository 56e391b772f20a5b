import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openProgram } from './program.ts';

const HEAD = 'ProductID;OmschrijvingIntern;Verkoopprijs;#action';

test('a price list that would change too much is kept, not sent, and sent after a look', async () => {
  const { service, json, run, write } = await openProgram();
  const ids = [1, 2, 3].map((at) =>
    service.add.package({ OmschrijvingIntern: `Lunch ${at}`, Verkoopprijs: 10 }),
  );
  write('prijzen.csv', HEAD, ...ids.map((id, at) => `${id};Lunch ${at + 1};12,50;`));
  const held = await json('import', 'prijzen.csv', '--as', 'packages', '--yes', '--max-changes', '2');
  expect([held.code, held.document.counts]).toMatchObject([5, { read: 3, updated: 0, notSent: 3 }]);
  expect(held.document.error?.message).toContain('Rows to send: 3. You allow 2');
  expect(held.document.error?.next).toContain(`catersheet apply ${held.document.run}`);
  expect(service.journal.writes).toEqual([]);
  const told = await run(['import', 'prijzen.csv', '--as', 'packages', '--yes', '--max-changes', '2']);
  expect(told.stdout).toContain('to update');
  const sent = await json('apply', held.document.run, '--yes');
  expect([sent.code, sent.document.counts]).toMatchObject([0, { updated: 3 }]);
});

test('deletes have a ceiling of their own, which a profile may hold, and a flag goes before it', async () => {
  const { service, json, write, folder } = await openProgram();
  const ids = [1, 2].map((at) =>
    service.add.package({ OmschrijvingIntern: `Lunch ${at}`, Verkoopprijs: 10 }),
  );
  const config = join(folder, 'home', 'catersheet.config.json');
  mkdirSync(dirname(config), { recursive: true });
  write('home/catersheet.config.json', JSON.stringify({ profiles: { default: { maxDeletes: 1 } } }));
  write('weg.csv', HEAD, ...ids.map((id) => `${id};;;delete`));
  const given = ['import', 'weg.csv', '--as', 'packages', '--yes', '--allow-delete'];
  const held = await json(...given);
  expect([held.code, held.document.counts]).toMatchObject([5, { deleted: 0, notSent: 2 }]);
  expect(held.document.error?.message).toContain('Rows that delete: 2. You allow 1');
  const dry = await json(...given, '--dry-run');
  expect([dry.code, dry.document.counts]).toMatchObject([0, { deleted: 2 }]);
  const sent = await json(...given, '--max-deletes', '2');
  expect([sent.code, sent.document.counts]).toMatchObject([0, { deleted: 2 }]);
});
