import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { openGatedService, openTestService } from '../../helpers/test-service.ts';

const HEADERS = 'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs';

test('a folder is imported as cron does: done files move with their results, failed ones apart, and a run goes on from its new place', async () => {
  const service = await openTestService();
  const inbox = join(service.folder, 'in');
  mkdirSync(inbox);
  const drop = (name: string, text: string) => writeFileSync(join(inbox, name), text);
  drop('week.csv', `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n`);
  drop('fout.csv', `${HEADERS}\n9002;Buffet;Zomerbuffet;?\n`);
  drop('kapot.xlsx', 'geen werkmap');
  drop('~$week.xlsx', 'slot');
  const args = ['import', 'in', '--done-to', 'klaar', '--as', 'packages', '--yes', '--json', '--lang', 'nl'];
  const done = await service.run(args);
  const { imports } = JSON.parse(done.stdout) as { imports: { run?: string; moved?: string }[] };
  expect([done.code, imports]).toMatchObject([
    EXIT.rows,
    [
      { file: join('in', 'fout.csv'), moved: join('klaar', 'failed', 'fout.csv') },
      { file: join('in', 'kapot.xlsx'), moved: join('klaar', 'failed', 'kapot.xlsx') },
      {
        file: join('in', 'week.csv'),
        result: join('klaar', 'week.result.csv'),
        moved: join('klaar', 'week.csv'),
      },
    ],
  ]);
  expect(readdirSync(inbox)).toEqual(['~$week.xlsx']);
  const list = (folder: string) => readdirSync(join(service.folder, folder)).toSorted();
  expect(list('klaar')).toEqual(['failed', 'week.csv', 'week.result.csv']);
  expect(list('klaar/failed')).toEqual([...['fout.csv', 'fout.result.csv', 'kapot.xlsx']]);
  expect(done.stderr).toMatch(/kapot\.xlsx/);
  const again = await service.run(['apply', imports[2]?.run ?? '', '--yes', '--json']);
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([EXIT.ok, { counts: { created: 1 } }]);
  // The same file once more sends nothing, and takes another name there.
  drop('week.csv', `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n`);
  const once = JSON.parse((await service.run(args)).stdout);
  expect(once).toMatchObject({
    imports: [{ counts: { unchanged: 1 }, moved: join('klaar', 'week-2.csv') }],
    exit: EXIT.ok,
  });
  const none = await service.run(args);
  expect([none.code, JSON.parse(none.stdout)]).toEqual([EXIT.ok, { imports: [], exit: EXIT.ok }]);
});

test('a file stays where it is when the command lacks something', async () => {
  const service = await openTestService();
  writeFileSync(join(service.folder, 'week.csv'), `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n`);
  const args = ['import', 'week.csv', '--done-to', 'klaar', '--as', 'packages', '--yes', '--queue'];
  expect((await service.run(args)).code).toBe(EXIT.usage);
  expect(readdirSync(service.folder)).toContain('week.csv');
  expect(readdirSync(join(service.folder, 'klaar/failed'))).toEqual([]);
});

test('a file whose result can not be written stays where it is, and the next time makes its result', async () => {
  const service = await openGatedService();
  writeFileSync(join(service.folder, 'week.csv'), `${HEADERS}\n9001;Buffet;Lentebuffet;12,50\n`);
  const args = ['import', 'week.csv', '--done-to', 'klaar', '--as', 'packages', '--yes', '--json'];
  const held = service.gate.shut(0);
  const importing = service.run(args);
  await held;
  // A disk that is full by then does the same.
  const inTheWay = join(service.folder, 'week.result.csv');
  mkdirSync(inTheWay);
  service.gate.open();
  const first = await importing;
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([
    EXIT.usage,
    { imports: [{ counts: { created: 1 }, resultError: expect.stringContaining('week.result.csv') }] },
  ]);
  expect(readdirSync(service.folder)).toContain('week.csv');
  expect(readdirSync(join(service.folder, 'klaar/failed'))).toEqual([]);
  rmdirSync(inTheWay);
  const again = await service.run(args);
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    EXIT.ok,
    { imports: [{ counts: { unchanged: 1 }, moved: join('klaar', 'week.csv') }] },
  ]);
  expect(readdirSync(join(service.folder, 'klaar')).toSorted()).toEqual([
    ...['failed', 'week.csv', 'week.result.csv'],
  ]);
});
