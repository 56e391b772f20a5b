import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/index.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const csv = (lines: readonly string[]) => new Uint8Array(Buffer.from(`${lines.join('\r\n')}\r\n`));

async function exported(desk: TestDesk, body: object) {
  return await desk.ended((await desk.ask('makeExport', { body })).job);
}

/** The first column of what an export made, below its header. */
async function firstColumn(desk: TestDesk, job: string): Promise<unknown[]> {
  const response = await desk.fetch('jobFile', { params: { job } });
  const file = join(desk.service.folder, 'voorraad.xlsx');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const [sheet] = (await readWorkbook(file)).sheets;
  const found: unknown[] = [];
  for await (const { cells } of sheet?.rows ?? []) found.push(cells[0]?.value);
  return found.slice(1);
}

test('stock is exported of the products that a file names, and of no others', async () => {
  const desk = await openDesk();
  const all = await firstColumn(desk, (await exported(desk, { what: ['stock'] })).id);
  const two = all.slice(0, 2);
  expect(all.length).toBeGreaterThan(2);
  const file = csv(['ProductID', ...two.map(String)]);
  const named = await desk.ask('addNamed', { query: { name: '../koelcel.csv' }, file });
  expect(named.name).toBe('koelcel.csv');
  const job = await exported(desk, { what: ['stock'], named: named.id });
  expect(job.answer).toMatchObject({ kind: 'export', document: { records: 2 } });
  expect(await firstColumn(desk, job.id)).toEqual(two);
  // It is no file on its way to the service.
  expect((await desk.ask('home')).drafts).toEqual([]);
});

test('a file that names no product ends the export with why, and no path', async () => {
  const desk = await openDesk();
  const named = await desk.ask('addNamed', { query: { name: 'leeg.csv' }, file: csv(['ProductID']) });
  const { stop } = await exported(desk, { what: ['stock'], named: named.id });
  expect(stop?.message).toMatch(/^leeg\.csv/);
  expect(JSON.stringify(stop)).not.toContain(desk.service.folder);
  const other = await exported(desk, { what: ['packages'], named: named.id });
  expect(other.stop).toMatchObject({ exit: 2 });
});

test.each(['', '..', '../..', 'xxxxxxxxxxxx', '%2e%2e'])(
  'no file of another name is read: %j',
  async (named) => {
    const desk = await openDesk();
    const response = await desk.fetch('makeExport', { body: { what: ['stock'], named } });
    expect(response.status).toBe(404);
    const empty = await desk.fetch('addNamed', { query: { name: 'a.csv' }, file: new Uint8Array() });
    expect(empty.status).toBe(422);
    expect(readdirSync(join(desk.service.folder, 'desk', 'made'))).toEqual([]);
  },
);
