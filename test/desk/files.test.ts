import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BroughtFiles, cleanName } from '../../src/desk/server/brought-files.ts';
import { codePoints } from '../helpers/code-points.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { draftOn, openDesk } from './open-desk.ts';

describe('the name of a file that is brought', () => {
  test.each([
    ['Catalogus voorjaar – définitif.xlsx', 'Catalogus voorjaar – définitif.xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\Windows\\system.ini', 'system.ini'],
    ['C:\\temp\\a.xlsx', 'a.xlsx'],
    ['..', 'workbook'],
    ['.xlsx', 'xlsx'],
    ['', 'workbook'],
    ['a\u0000b.xlsx', 'a_b.xlsx'],
    ['prijs\u202exslx.exe', 'prijs_xslx.exe'],
    ['NUL', '_NUL'],
    [`${'n'.repeat(500)}.xlsx`, `${'n'.repeat(115)}.xlsx`],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanName(given)).toBe(expected);
  });

  test('is never a path, hidden, empty or too long, whatever is given', () => {
    fc.assert(
      fc.property(codePoints({ maxLength: 200 }), (given) => {
        const name = cleanName(given);
        expect(basename(resolve('/x', name))).toBe(name);
        expect(name).not.toMatch(/^\.|[/\\\p{Cc}]/u);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255 * 2);
      }),
      { seed: 39, numRuns: 40 },
    );
  });

  test('leads nowhere but into the desk’s own folder', async () => {
    const desk = await openDesk();
    const names = ['../../../escaped.xlsx', 'draft.json', 'results'];
    const brought: string[] = [];
    for (const name of names) brought.push(await desk.bring('fixtures/samples/telling-koelcel.csv', name));
    const folder = join(desk.service.folder, 'desk', 'files');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(found.every((path) => brought.includes(path.split(/[\\/]/)[0] ?? ''))).toBe(true);
    expect(existsSync(join(desk.service.folder, 'escaped.xlsx'))).toBe(false);
    for (const id of brought) await desk.planned(id);
    const { drafts } = await (await desk.again()).ask('home');
    expect(drafts.map(({ run }) => run.source).sort()).toEqual(brought.sort());
  });

  test('that a draft, job or run has not is not found, and reads no file', async () => {
    const desk = await openDesk();
    for (const id of ['..', '../..', 'a/../../b', '%2e%2e', 'draft.json'])
      for (const route of ['sheets', 'jobFile', 'result'] as const) {
        const { status } = await desk.fetch(route, { file: id, job: id, run: id });
        expect([400, 404]).toContain(status);
      }
  });
});

describe('a file that is brought', () => {
  test('is refused where it is empty, and leaves nothing behind', async () => {
    const desk = await openDesk();
    const response = await desk.bringBytes('leeg.xlsx', new Uint8Array());
    expect(response.status).toBe(422);
    expect(readdirSync(join(desk.service.folder, 'desk', 'files'))).toEqual([]);
  });

  test('that is no workbook is refused, with a way out', async () => {
    const desk = await openDesk();
    const file = new Uint8Array(Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'));
    const response = await desk.bringBytes('foto.xlsx', file);
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([422, { exit: 3, next: expect.any(String) }]);
    expect(text).not.toContain(desk.service.folder);
    expect(readdirSync(join(desk.service.folder, 'desk', 'files'))).toEqual([]);
  });

  test('is refused where nothing stands in it', async () => {
    const desk = await openDesk();
    const path = join(desk.service.folder, 'leeg.xlsx');
    await makeWorkbook(path, { Pakketten: [] });
    await expect(desk.bring(path)).rejects.toThrow('Nothing stands in this file');
    expect(readdirSync(join(desk.service.folder, 'desk', 'files'))).toEqual([]);
  });
});

test('a file leads to its plan as it is now: to none before, to the new one, and to the run that was sent of it', async () => {
  const desk = await openDesk();
  const draft = await desk.bring('fixtures/samples/telling-koelcel.csv');
  const runOf = async () => (await desk.ask('run', { file: draft })).run;
  const isPlanned = async () => (await desk.ask('sheets', { file: draft })).planned;
  expect((await desk.fetch('run', { file: draft })).status).toBe(404);
  expect(await isPlanned()).toBe(false);
  await desk.planned(draft);
  const { run } = await runOf();
  expect(await isPlanned()).toBe(true);
  await desk.planned(draft);
  const anew = await runOf();
  expect(anew).toMatchObject({ state: 'planned', source: draft });
  expect(anew.run).not.toBe(run);
  expect((await desk.fetch('run', { run })).status).toBe(400);
  const { deletes } = await desk.plan(draft);
  await desk.ended((await desk.ask('send', { run: anew.run, deletes })).job);
  expect(await runOf()).toMatchObject({ run: anew.run, state: 'done' });
});

test('a plan of a file that is read otherwise by now leads nowhere, and is not sent', async () => {
  const desk = await openDesk();
  const { ask, planned, draft } = await draftOn(desk, 'Pakketten.csv', [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71001;Buffet;Lentebuffet;12,50',
  ]);
  await planned();
  const { run } = await desk.plan(draft);
  const { chosen } = await ask('sheets');
  const { planned: leads } = await ask('chooseReading', { reading: { ...chosen, locale: 'en' } });
  expect([leads, (await ask('sheets')).planned]).toEqual([false, false]);
  expect((await desk.fetch('send', { run, deletes: 0 })).status).toBe(409);
  await planned();
  expect((await ask('sheets')).planned).toBe(true);
});

test('a file that was brought is found while a plan of it tries whether its result can be written beside it', async () => {
  const files = new BroughtFiles(tempFolder());
  const id = await files.add('Pakketten.csv', async (path) => writeFileSync(path, 'x'));
  const path = files.pathOf(id);
  writeFileSync(join(dirname(path), '.catersheet-63c9c8c8-da1c-473e-ba36-899d7e101209.part'), '');
  expect(files.pathOf(id)).toBe(path);
});

test('a run whose file was changed since has its report, and says why it has no result', async () => {
  const desk = await openDesk();
  const lines = [
    'ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs',
    '71101;Buffet;Lentebuffet;12,50',
  ];
  const { planned, send } = await draftOn(desk, 'Pakketten.csv', lines);
  await planned();
  const { run } = await send();
  const files = join(desk.service.folder, 'desk', 'files');
  const [path = ''] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('Pakketten.csv'),
  );
  appendFileSync(join(files, path), 'x');
  const asked = await desk.fetch('result', { run, problems: true });
  expect(await asked.json()).toMatchObject({ message: expect.stringContaining('gone or was changed') });
  expect(asked.ok).toBe(false);
  expect((await desk.fetch('report', { run })).ok).toBe(true);
});
