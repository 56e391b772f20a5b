import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startSandbox } from '../../src/api/start-sandbox.ts';
import { SANDBOX_DROPDOWNS } from '../../src/sandbox/company.ts';
import { openSession, shareSandbox } from '../../src/session/open-session.ts';
import { tempFolder } from '../helpers/run-cli.ts';

test('two sessions of one process share the sandbox, and its file is free when both have ended', async () => {
  const data = join(tempFolder(), 'sandbox.db');
  const [one, other] = await Promise.all([shareSandbox(data), shareSandbox(data)]);
  expect(other.url).toBe(one.url);
  await one.close();
  // The one that is left goes on; nobody else gets the file meanwhile.
  const third = await shareSandbox(data);
  await third.close();
  expect(third.url).toBe(one.url);
  await expect(startSandbox({ data })).rejects.toThrow('in use by another sandbox');
  const ended = other.close();
  const next = await shareSandbox(data);
  await ended;
  await next.close();
  const alone = await startSandbox({ data });
  await alone.close();
});

test('where no service is named, the sandbox that answers knows its own lists', async () => {
  vi.stubEnv('CATERSHEET_HOME', tempFolder());
  const session = await openSession({ dialect: { dropdowns: { btwmodus: 7 } } });
  await session.close();
  vi.unstubAllEnvs();
  expect(session.context.dialect.dropdowns).toEqual(SANDBOX_DROPDOWNS);
});
