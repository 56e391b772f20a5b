import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';
import { askingOf, openSessionAt } from './open-desk.ts';

/** A desk without a service of its own, with settings in a folder of its own. */
async function openHome() {
  const service = await openTestService();
  vi.stubEnv('CATERSHEET_HOME', service.folder);
  for (const name of ['CATERSHEET_BASE_URL', 'CATERSHEET_TOKEN']) vi.stubEnv(name, undefined);
  return { service, ...(await startedHere()) };
}

/** A desk with the settings that are there; `again` starts it anew. */
async function startedHere() {
  const desk = await startDesk({ lang: 'en' }, { port: 0 });
  onTestFinished(() => desk.close());
  const { origin, session } = await openSessionAt(desk.address());
  const asking = askingOf(origin, session);
  const { ask } = asking;
  return {
    ...asking,
    save: ({ url: address, token }: TestService, path = '') =>
      ask('saveService', { address: `${address}${path}`, token }),
    use: (profile: string | null) => ask('useProfile', { profile }),
    inUse: async () => (await ask('home')).service,
    again: async () => {
      await desk.close();
      return await startedHere();
    },
  };
}

test.skipIf(!hasProgram)(
  'a service is set with its token, used and checked, and the token is never told',
  async () => {
    const { service, ask, ended, fetch, inUse, save, use } = await openHome();
    expect(await inUse()).toMatchObject({ kind: 'sandbox', address: null });
    await save(service);
    const { profiles } = await ask('service');
    const [{ name = '' } = {}] = profiles;
    expect(profiles).toEqual([{ name, address: `${service.url}/`, hasToken: true }]);
    expect(await (await fetch('service')).text()).not.toContain(service.token);
    if (process.platform !== 'win32')
      for (const file of readdirSync(service.folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(service.folder, file);
        if (!statSync(path).isFile() || !readFileSync(path, 'latin1').includes(service.token)) continue;
        expect([file, statSync(path).mode & 0o777]).toEqual([file, 0o600]);
      }
    expect(await inUse()).toMatchObject({ name, kind: 'real' });
    const { job } = await ask('check', {});
    expect(await ended(job)).toMatchObject({
      state: 'done',
      answer: { ok: true },
    });

    // Another address of that host is another service, and gets no token of this one.
    await ask('saveService', { address: `${service.url}/elders/` });
    expect((await ask('service')).profiles.map(({ hasToken }) => hasToken).sort()).toEqual([false, true]);
    // What was found of another service is not shown any more.
    expect((await ask('news', { since: 0 })).jobs.map(({ id }) => id)).not.toContain(job.id);
    for (const address of ['', 'keuken', 'ftp://keuken.example/'])
      expect((await fetch('saveService', { address })).status).toBe(400);
    await use(null);
    expect(await inUse()).toMatchObject({ name: null, kind: 'sandbox' });
  },
);

test.skipIf(!hasProgram)(
  'the service that was chosen is in use after a new start too, and the sandbox is one, also beside others',
  async () => {
    const { service, again, ask, save, use } = await openHome();
    const sandbox = { name: null, address: null, kind: 'sandbox' };
    for (const path of ['/een', '/twee']) await save(service, path);
    const [{ name = '' } = {}] = (await ask('service')).profiles;
    await use(name);
    const second = await again();
    expect(await second.inUse()).toMatchObject({
      name,
      address: `${service.url}/een/`,
      kind: 'real',
    });
    await second.use(null);
    expect(await second.inUse()).toMatchObject(sandbox);
    await second.ask('chooseLanguage', { language: 'nl' });
    expect(await (await second.again()).inUse()).toMatchObject(sandbox);
  },
);
