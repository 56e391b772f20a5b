import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/start-sandbox.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { PACKAGE, send, TOKEN } from './open.ts';

test('a sandbox in a thread of its own answers while this one is busy, and ends', async () => {
  const sandbox = await startSandbox({ token: TOKEN, faults: { latencyMs: 1 } });
  const answer = await send(sandbox.url, 'PUT', '/api/v1/product/pakket/create', PACKAGE);
  expect(answer.body).toEqual({ ProductID: expect.any(Number), success: true });
  const pending = send(sandbox.url, 'GET', '/api/v1/product/pakket/detail/5001');
  await new Promise(setImmediate);
  expect((await pending).body).toMatchObject({ ProductID: 5001 });
  await sandbox.close();
  await expect(send(sandbox.url, 'GET', '/api/v1/unit/all')).rejects.toMatchObject({
    // A connection that was kept open may notice the end before the next one is refused.
    code: expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/),
  });
});

test('a sandbox that has ended leaves its data file free', async () => {
  const data = join(tempFolder(), 'sandbox.db');
  for (const expected of [31, 32]) {
    const sandbox = await startSandbox({ token: TOKEN, data });
    await send(sandbox.url, 'PUT', '/api/v1/product/pakket/create', PACKAGE);
    const dump = await send(sandbox.url, 'GET', '/_sandbox/dump');
    expect(dump.body.package).toHaveLength(expected);
    await sandbox.close();
  }
});
