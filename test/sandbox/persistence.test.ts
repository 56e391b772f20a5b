import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../helpers/remove-folder.ts';
import { open, PACKAGE } from './open.ts';

let folder = '';
let data = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catersheet-sandbox-'));
  data = join(folder, 'bedrijf', 'sandbox.db');
  const here = folder;
  onTestFinished(() => removeFolder(here));
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

  test('is of one sandbox at a time', async () => {
    await open({ data });
    await expect(open({ data })).rejects.toMatchObject({
      name: 'StopError',
      exit: 2,
      message: expect.stringContaining('in use by another sandbox'),
    });
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

  test.each([
    ['of a newer version', 'PRAGMA user_version = 99', 'newer version'],
    ['of another program', 'PRAGMA application_id = 1; CREATE TABLE record (mine)', 'another program'],
  ])('%s is left alone', async (_, statements, message) => {
    await (await open({ data })).close();
    const file = join(folder, 'ander.db');
    const other = new Database(message === 'newer version' ? data : file);
    other.exec(statements);
    other.close();
    const given = { data: message === 'newer version' ? data : file };
    await expect(open(given)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(message),
    });
  });

  test('that is no database is left alone', async () => {
    const file = join(folder, 'menu.txt');
    writeFileSync(file, 'Tomatensoep, kroket, ijs na. '.repeat(100));
    await expect(open({ data: file })).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('is no database'),
    });
    await expect(open({ data: folder })).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('cannot be opened'),
    });
  });
});
