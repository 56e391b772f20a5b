import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const EVENTS = ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'];
const WHY = /was created \(\d+\).*cancel it by hand/;

/** A run of two packages and two events, which the service can't delete. */
async function sentSeason(desk: TestDesk): Promise<string> {
  const file = await makeWorkbook(join(desk.service.folder, 'seizoen.xlsx'), {
    Pakketten: [
      [...PACKAGE_HEADER],
      [660_001, 'Zomerbuffet', 1, 12.5, true],
      [660_002, 'Soep', 1, 4.5, true],
    ],
    Evenementen: [
      EVENTS,
      [760_001, 1, 1, '21-06-2027', '17:00', '23:00'],
      [760_002, 1, 1, '22-06-2027', '17:00', '23:00'],
    ],
  });
  const { code, document } = await desk.service.runJson([
    'import',
    file,
    '--yes',
    '--ledger',
    join(desk.service.folder, 'ledger.db'),
  ]);
  expect(code).toBe(0);
  return document.run;
}

test('an undo on the page says before and after sending what it leaves of its run', async () => {
  const desk = await openDesk();
  const season = await sentSeason(desk);
  const { draft } = await desk.ended((await desk.ask('takeBack', { params: { run: season }, body: {} })).job);
  const params = { draft: draft ?? '' };
  const { job } = (await desk.ask('draft', { params })).draft;
  if (job !== null) await desk.ended(job);
  const plan = await desk.ask('plan', { params });
  const left = {
    count: 2,
    rows: [
      { sheet: 'Evenementen', row: '2', why: expect.stringMatching(WHY) },
      { sheet: 'Evenementen', row: '3', why: expect.stringMatching(WHY) },
    ],
  };
  expect(plan).toMatchObject({ counts: { deleted: 2 }, left });
  expect(plan.notes).toContain(`2 rows of run ${season} are not taken back by this file`);
  const { run, deletes } = plan;
  await desk.ended((await desk.ask('send', { params, body: { run, deletes } })).job);
  expect(await desk.ask('run', { params: { run } })).toMatchObject({
    run: { state: 'done' },
    plan: { left },
  });
});

test('the workbook of an undo, and its result, say the same where they are imported by the command', async () => {
  const desk = await openDesk();
  const { folder, run } = desk.service;
  const season = await sentSeason(desk);
  const own = ['--ledger', join(folder, 'ledger.db')];
  const undo = join(folder, 'terug.xlsx');
  expect((await run(['undo', season, '--out', undo, ...own])).code).toBe(0);
  const told =
    /\nNot undone\n {2}Evenementen 2: it was created .*cancel it by hand\n {2}Evenementen 3: it was created/;
  const sent = await run([
    'import',
    undo,
    '--allow-delete',
    '--yes',
    '--out',
    join(folder, 'klaar.xlsx'),
    ...own,
  ]);
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringMatching(told) });
  const again = await run(['import', join(folder, 'klaar.xlsx'), '--allow-delete', '--dry-run', ...own]);
  expect(again.stdout).toMatch(told);
  expect(again.stdout).toContain(`2 rows of run ${season} are not taken back by this file`);
});
