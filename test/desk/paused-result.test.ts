import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openGatedDesk } from './open-desk.ts';

const ROWS = 20;

test('a run that was paused on the page and ended in a terminal gives its whole result on the page', async () => {
  const { desk, gate } = await openGatedDesk({ concurrency: 1 });
  const file = await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
      ...Array.from({ length: ROWS }, (_, at) => [71_001 + at, 'Buffet', `Buffet ${at}`, 10]),
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params: { draft } });
  const isHalfway = gate.shut(10);
  const { job } = await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } });
  await isHalfway;
  await desk.ask('stopJob', { params: { job: job.id }, body: {} });
  gate.open();
  const paused = await desk.ended(job);
  expect(paused.file?.name).toBe('pakketten.unfinished.xlsx');
  const early = await desk.fetch('result', { params: { run } });
  expect(early.status).toBe(409);
  const ended = await desk.service.run(['apply', run, '--yes'], { own: true });
  expect(ended.code).toBe(0);
  const result = await desk.fetch('result', { params: { run } });
  expect(result.status).toBe(200);
  const whole = join(desk.service.folder, 'gehaald.xlsx');
  writeFileSync(whole, Buffer.from(await result.arrayBuffer()));
  const words: string[] = [];
  const { sheets } = await readWorkbook(whole, {});
  for await (const { cells } of sheets.find(({ name }) => name === 'Pakketten')?.rows ?? [])
    words.push(JSON.stringify(cells));
  const rows = words.filter((row) => row.includes('Buffet '));
  expect(rows.filter((row) => /created|aangemaakt/.test(row))).toHaveLength(ROWS);
});
