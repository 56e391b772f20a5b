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
    save: (name: string, { url: address, token }: TestService) =>
      ask('saveProfile', { body: { name, address, token } }),
    use: (profile: string | null) => ask('useProfile', { body: { profile } }),
    inUse: async () => (await ask('home')).service,
    again: async () => {
      await desk.close();
      return await startedHere();
    },
  };
}

test.skipIf(!hasProgram)(
  'a service is set with its token, used, checked and removed, and the token is never told',
  async () => {
    const { service, ask, ended, fetch, inUse, save, use } = await openHome();
    expect(await inUse()).toMatchObject({ kind: 'sandbox', address: null });
    await save('keuken', service);
    const { profiles } = await ask('service');
    expect(profiles).toMatchObject([{ name: 'keuken', hasToken: true }]);
    expect(await (await fetch('service')).text()).not.toContain(service.token);
    if (process.platform !== 'win32')
      for (const name of readdirSync(service.folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(service.folder, name);
        if (!statSync(path).isFile() || !readFileSync(path, 'latin1').includes(service.token)) continue;
        expect([name, statSync(path).mode & 0o777]).toEqual([name, 0o600]);
      }

    await use('keuken');
    expect(await inUse()).toMatchObject({ profile: 'keuken', kind: 'real' });
    const check = await ended((await ask('check', { body: {} })).job);
    expect(check).toMatchObject({ state: 'done', answer: { kind: 'check', document: { ok: true } } });

    const body = { name: 'keuken', address: 'https://evil.example/' };
    expect((await fetch('saveProfile', { body })).status).toBe(400);
    await ask('dropProfile', { params: { profile: 'keuken' } });
    expect(await inUse()).toMatchObject({ profile: null, kind: 'sandbox' });
  },
);

test.skipIf(!hasProgram)(
  'the dropdown lists of a service are shown by what is in them, and chosen by the user',
  async () => {
    const { service, ask, ended, fetch, save, use } = await openHome();
    await save('keuken', service);
    await use('keuken');
    await ended((await ask('check', { body: { lists: true } })).job);
    const { dropdowns, service: chosenOf } = await ask('service');
    const [{ name = '', candidates: [first] = [] } = {}] = dropdowns;
    expect(first?.entries.length).toBeGreaterThan(0);
    const numbers = { [name]: first?.number };
    await ask('chooseLists', { body: { service: chosenOf, numbers } });
    const after = (await ask('service')).dropdowns.find((one) => one.name === name);
    expect(after?.number).toBe(first?.number);

    // Those of one service are not kept for another, and the sandbox knows its own.
    await save('winkel', service);
    await use('winkel');
    const other = await fetch('chooseLists', { body: { service: chosenOf, numbers } });
    expect([other.status, await other.json()]).toMatchObject([
      409,
      { message: 'These lists were chosen of another service than the one in use.' },
    ]);
    await use(null);
    expect((await ask('service')).dropdowns).toEqual([]);
  },
);

test.skipIf(!hasProgram)(
  'the service that was chosen is in use after a new start too, and the sandbox is one, also beside a default',
  async () => {
    const { service, again, inUse, save, use } = await openHome();
    const sandbox = { profile: null, address: null, kind: 'sandbox' };
    for (const name of ['default', 'keuken']) await save(name, service);
    expect(await inUse()).toMatchObject({ profile: 'default' });
    await use('keuken');
    const second = await again();
    expect(await second.inUse()).toMatchObject({ profile: 'keuken', kind: 'real' });
    await second.use(null);
    expect(await second.inUse()).toEqual(sandbox);
    await second.ask('chooseLanguage', { body: { language: 'nl' } });
    const third = await second.again();
    expect(await third.inUse()).toEqual(sandbox);
    // One that is removed leaves no other real service in its place.
    await third.use('keuken');
    await third.ask('dropProfile', { params: { profile: 'keuken' } });
    expect(await third.inUse()).toEqual(sandbox);
  },
);
