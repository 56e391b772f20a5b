import { appendFileSync, readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk, type TestDesk } from '../../desk/open-desk.ts';
import { canCount, openFiles, until } from '../../desk/open-files.ts';

const SAMPLE = 'fixtures/samples/catalogus-voorjaar.xlsx';
const LARGE = 48 * 2 ** 20;

/** A request of the page's own, to be ended by the test. */
function asked(desk: TestDesk, route: 'jobFile' | 'result', asking: object) {
  const headers = { ...desk.headers, 'content-type': 'application/json' };
  const path = `/api/${route}`;
  const asked = request({ host: '127.0.0.1', port: desk.port, method: 'POST', path, headers, agent: false });
  asked.write(JSON.stringify(asking));
  return asked;
}

/** Leaves in the middle of the answer; how many bytes came. */
const leaving = (asking: ClientRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    asking.on('error', reject);
    asking.end();
    asking.on('response', (answer) => {
      answer.once('data', (part: Buffer) => {
        asking.destroy();
        resolve(part.length);
      });
    });
  });

/** A file that an export made, with so much more that no socket takes it in one go. */
async function largeExport(desk: TestDesk) {
  const made = await desk.ended((await desk.ask('makeExport', { what: ['packages'], format: 'csv' })).job);
  const folder = join(desk.service.folder, 'desk', 'made');
  const [name = ''] = readdirSync(folder);
  appendFileSync(join(folder, name), Buffer.alloc(LARGE, 'x'));
  return { folder, made: { job: made.id } };
}

test.runIf(canCount)('a browser that leaves in the middle of a download leaves no file open', async () => {
  const desk = await openDesk();
  const { folder, made } = await largeExport(desk);
  for (let turn = 0; turn < 5; turn++)
    expect(await leaving(asked(desk, 'jobFile', made))).toBeLessThan(LARGE);
  await until(() => openFiles(folder), 0);
  const whole = await desk.fetch('jobFile', made);
  expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')));
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a browser that leaves while its result is made leaves no half file, and the next one gets it whole', async () => {
  const desk = await openDesk();
  const draft = await desk.bring(SAMPLE);
  await desk.planned(draft);
  const { run } = await desk.plan(draft);
  await desk.ended((await desk.ask('send', { run, deletes: 0 })).job);
  const results = join(desk.service.folder, 'desk', 'made');
  const before = readdirSync(results);
  for (const pause of [0, 20, 60]) {
    const asking = asked(desk, 'result', { run, problems: true });
    asking.on('error', () => {});
    asking.end();
    await new Promise((wait) => setTimeout(wait, pause));
    asking.destroy();
  }
  const whole = await desk.fetch('result', { run, problems: true });
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect([whole.status, bytes.length]).toEqual([200, Number(whole.headers.get('content-length'))]);
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  const made = readdirSync(results).filter((name) => !before.includes(name));
  expect(made).toHaveLength(1);
});
