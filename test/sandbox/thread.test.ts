import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/start-sandbox.ts';
import { removeFolder } from '../helpers/remove-folder.ts';
import { PACKAGE, send, TOKEN } from './open.ts';

test('a sandbox in a thread of its own answers while this one is busy, and ends', async () => {
  const sandbox = await startSandbox({ token: TOKEN, faults: { latencyMs: 1 } });
  const answer = await send(sandbox.url, 'PUT', '/api/v1/product/pakket/create', PACKAGE);
  expect(answer.body).toEqual({ ProductID: expect.any(Number), success: true });
  const pending = send(sandbox.url, 'GET', '/api/v1/product/pakket/detail/5001');
  await new Promise(setImmediate);
  expect((await pending).body).toMatchObject({ ProductID: 5001 });
  await sandbox.close();
  await expect(send(sandbox.url, 'GET', '/api/v1/unit/all')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a random token is made where none is given', async () => {
  const [one, other] = [await startSandbox(), await startSandbox()];
  expect(one.token).toMatch(/^[\w-]{32}$/);
  expect(other.token).not.toBe(one.token);
  await Promise.all([one.close(), other.close()]);
});

test('a sandbox that has ended leaves its data file free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-sandbox-'));
  onTestFinished(() => removeFolder(folder));
  const data = join(folder, 'sandbox.db');
  for (const expected of [31, 32]) {
    const sandbox = await startSandbox({ token: TOKEN, data });
    await send(sandbox.url, 'PUT', '/api/v1/product/pakket/create', PACKAGE);
    const dump = await send(sandbox.url, 'GET', '/_sandbox/dump');
    expect(dump.body.package).toHaveLength(expected);
    await sandbox.close();
  }
});
