import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportRecords, importWorkbook, undoRun } from '../../../src/index.ts';
import { packages } from '../../../src/resources/packages.ts';
import { serviceOnly } from '../../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';
import { changePackage, editBook, packageOf } from './fixtures.ts';

/** Prices by id, or by the order of the ids. */
type Prices = readonly (number | null)[];

/** Four packages of the sandbox, exported and edited. */
async function editedExport() {
  const service = await openTestService();
  const options = optionsFor(service);
  const ids = (await service.records('package')).slice(0, 4).map(({ id }) => Number(id));
  const at = (name: string): string => `${service.folder}/${name}.xlsx`;
  let runs = 0;
  await exportRecords(packages, { ...serviceOnly(options), out: at('uit') });
  return {
    ...{ service, ids, at, options },
    /** Writes prices, row by row; null leaves the cell. */
    edit: (name: string, prices: Prices) =>
      editBook(
        at(name),
        (set, rows) => {
          for (const [index, price] of prices.entries())
            if (price !== null) set(rows[index] ?? 0, 'Verkoopprijs', price);
        },
        ids,
      ),
    send: (name: string) => importWorkbook(at(name), { ...options, out: at(`resultaat-${++runs}`) }),
    copy: (from: string, to: string) => copyFileSync(at(from), at(to)),
    undo: (run: string, name: string) => undoRun(run, { ...serviceOnly(options), out: at(name) }),
    prices: async () => await pricesOf(service, ids),
  };
}

const pricesOf = (service: TestService, ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await packageOf(service, id)).Verkoopprijs));

const statuses = (rows: readonly { readonly status: string }[]): string[] => rows.map(({ status }) => status);

describe('what the user’s own runs did is nobody else’s change', () => {
  it('after an undo of what the file sent, an undo of that, and what a colleague did in between', async () => {
    const { service, ids, edit, send, undo, prices } = await editedExport();
    const before = await prices();
    await edit('uit', [101, 102, 103, null]);
    const first = await send('uit');
    await undo(first.run, 'terug');
    const back = await send('terug');
    expect(await prices()).toEqual(before);
    // A colleague changes one of them after that: theirs.
    await changePackage(service, ids[2] ?? 0, { Verkoopprijs: 77 });
    await edit('uit', [101, 202, 103, null]);
    const again = await send('uit');
    expect(statuses(again.rows)).toEqual(['updated', 'updated', 'conflict', 'unchanged']);
    expect(await prices()).toEqual([101, 202, 77, before[3]]);
    // The undo taken back: what it gave back is no one else's change either, in the file or its result.
    await undo(back.run, 'heen');
    await changePackage(service, ids[0] ?? 0, { Verkoopprijs: Number(before[0]) });
    await changePackage(service, ids[1] ?? 0, { Verkoopprijs: Number(before[1]) });
    await send('heen');
    expect((await prices()).slice(0, 2)).toEqual([101, 102]);
    await edit('resultaat-3', [301, 302, null, null]);
    const result = await send('resultaat-3');
    expect(statuses(result.rows).slice(0, 2)).toEqual(['updated', 'updated']);
  });

  it('a copy under another name sends what was changed in it, says so, and takes nothing back', async () => {
    const { service, ids, edit, send, copy, prices } = await editedExport();
    copy('uit', 'oud');
    await edit('uit', [20, 30, 40, null]);
    await send('uit');
    // Saved under another name after that, and edited on.
    copy('uit', 'vervolg');
    await edit('vervolg', [22, 30, 42, null]);
    await changePackage(service, ids[2] ?? 0, { Verkoopprijs: 41 });
    const done = await send('vervolg');
    expect(statuses(done.rows)).toEqual(['updated', 'unchanged', 'conflict', 'unchanged']);
    expect(done.rows[0]?.message).toMatch(/a copy of this file sent other values.*20,00 → 22,00/);
    // A copy of before, with another row changed, leaves alone what the others sent.
    await edit('oud', [null, null, null, 50]);
    const old = await send('oud');
    expect(statuses(old.rows)).toEqual(['unchanged', 'unchanged', 'unchanged', 'updated']);
    expect(await prices()).toEqual([22, 30, 41, 50]);
    // Back in the first file, what its copies sent is known too.
    await edit('uit', [21, null, null, null]);
    expect(statuses((await send('uit')).rows)).toEqual(['updated', 'unchanged', 'unchanged', 'unchanged']);
    expect(await prices()).toEqual([21, 30, 41, 50]);
  });
});
