import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';
import { open, PACKAGE } from './open.ts';

let folder = '';
let data = '';

beforeEach(() => {
  folder = tempFolder();
  data = join(folder, 'bedrijf', 'sandbox.db');
});

const create = async (service: Awaited<ReturnType<typeof open>>): Promise<number> =>
  (await service.call('PUT', '/api/v1/product/pakket/create', PACKAGE)).body.ProductID;

describe('a data file', () => {
  test('keeps every record, number and LMT across a restart', async () => {
    const first = await open({ data });
    const [kept, deleted] = [await create(first), await create(first)];
    await first.call('DELETE', '/api/v1/product/pakket/delete', { ProductID: deleted });
    const before = (await first.call('GET', '/_sandbox/dump')).body;
    await first.close();

    const second = await open({ data });
    expect((await second.call('GET', '/_sandbox/dump')).body).toEqual(before);
    expect(await create(second)).toBe(deleted + 1);
    const records = await second.records('package');
    const lmt = (id: number): string => String(records.find((record) => record.id === id)?.LMT);
    expect(lmt(deleted + 1) > lmt(kept)).toBe(true);
  });

  const refused = (file: string, words: string) =>
    expect(open({ data: file })).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(words) });

  test('is of one sandbox at a time', async () => {
    await open({ data });
    await refused(data, 'in use by another sandbox');
  });

  test('of an older version is made anew', async () => {
    const first = await open({ data });
    await create(first);
    await first.close();
    const file = new Database(data);
    file.exec('PRAGMA user_version = 0; ALTER TABLE record RENAME COLUMN lmt TO changed');
    file.close();
    const second = await open({ data });
    expect(await second.records('package')).toHaveLength(30);
  });

  test('of a newer version, of another program, or that is none is left alone', async () => {
    await (await open({ data })).close();
    const file = join(folder, 'ander.db');
    for (const [path, statements, words] of [
      [data, 'PRAGMA user_version = 99', 'newer version'],
      [file, 'PRAGMA application_id = 1; CREATE TABLE record (mine)', 'another program'],
    ] as const) {
      const other = new Database(path);
      other.exec(statements);
      other.close();
      await refused(path, words);
    }
    const menu = join(folder, 'menu.txt');
    writeFileSync(menu, 'Tomatensoep, kroket, ijs na. '.repeat(100));
    await refused(menu, 'SQLITE_NOTADB');
    await refused(folder, 'can’t be used');
  });
});
