import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import { hasProgram } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
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
  const again = async () => {
    await desk.close();
    return await startedHere();
  };
  return { ...askingOf(origin, session), again };
}

test.skipIf(!hasProgram)(
  'a service is set with its token, used, checked and removed, and the token is never told',
  async () => {
    const { service, ask, ended, fetch } = await openHome();
    expect((await ask('home')).service).toMatchObject({ kind: 'sandbox', address: null });
    await ask('saveProfile', { body: { name: 'keuken', address: service.url, token: service.token } });
    const { profiles } = await ask('service');
    expect(profiles).toMatchObject([{ name: 'keuken', hasToken: true }]);
    expect(await (await fetch('service')).text()).not.toContain(service.token);
    if (process.platform !== 'win32')
      for (const name of readdirSync(service.folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(service.folder, name);
        if (!statSync(path).isFile() || !readFileSync(path, 'latin1').includes(service.token)) continue;
        expect([name, statSync(path).mode & 0o777]).toEqual([name, 0o600]);
      }

    await ask('useProfile', { body: { profile: 'keuken' } });
    expect((await ask('home')).service).toMatchObject({ profile: 'keuken', kind: 'real' });
    const check = await ended((await ask('check', { body: {} })).job);
    expect(check).toMatchObject({ state: 'done', answer: { kind: 'check', document: { ok: true } } });

    const elsewhere = await fetch('saveProfile', {
      body: { name: 'keuken', address: 'https://evil.example/' },
    });
    expect(elsewhere.status).toBe(400);
    await ask('dropProfile', { params: { profile: 'keuken' } });
    expect((await ask('home')).service).toMatchObject({ profile: null, kind: 'sandbox' });
  },
);

test.skipIf(!hasProgram)(
  'the dropdown lists of a service are shown by what is in them, and chosen by the user',
  async () => {
    const { service, ask, ended, fetch } = await openHome();
    await ask('saveProfile', { body: { name: 'keuken', address: service.url, token: service.token } });
    await ask('useProfile', { body: { profile: 'keuken' } });
    await ended((await ask('check', { body: { lists: true } })).job);
    const { dropdowns } = await ask('service');
    const [first] = dropdowns;
    expect(first?.candidates.length).toBeGreaterThan(0);
    expect(first?.candidates[0]?.entries.length).toBeGreaterThan(0);
    const number = first?.candidates[0]?.number ?? 0;
    const numbers = { [first?.name ?? '']: number };
    const { service: chosenOf } = await ask('service');
    await ask('chooseLists', { body: { service: chosenOf, numbers } });
    const after = (await ask('service')).dropdowns.find(({ name }) => name === first?.name);
    expect(after?.number).toBe(number);

    // Those of one service are not kept for another, and the sandbox knows its own.
    await ask('saveProfile', { body: { name: 'winkel', address: service.url, token: service.token } });
    await ask('useProfile', { body: { profile: 'winkel' } });
    const other = await fetch('chooseLists', { body: { service: chosenOf, numbers } });
    expect([other.status, await other.json()]).toMatchObject([
      409,
      { message: 'These lists were chosen of another service than the one in use.' },
    ]);
    await ask('useProfile', { body: { profile: null } });
    expect((await ask('service')).dropdowns).toEqual([]);
  },
);

test.skipIf(!hasProgram)(
  'the service that was chosen is in use after a new start too, and the sandbox is one, also beside a default',
  async () => {
    const { service, ask, again } = await openHome();
    const inUse = async (desk: Pick<Awaited<ReturnType<typeof startedHere>>, 'ask'>) =>
      (await desk.ask('home')).service;
    const sandbox = { profile: null, address: null, kind: 'sandbox' };
    for (const name of ['default', 'keuken'])
      await ask('saveProfile', { body: { name, address: service.url, token: service.token } });
    expect(await inUse({ ask })).toMatchObject({ profile: 'default' });
    await ask('useProfile', { body: { profile: 'keuken' } });
    const second = await again();
    expect(await inUse(second)).toMatchObject({ profile: 'keuken', kind: 'real' });
    await second.ask('useProfile', { body: { profile: null } });
    expect(await inUse(second)).toEqual(sandbox);
    await second.ask('chooseLanguage', { body: { language: 'nl' } });
    const third = await second.again();
    expect(await inUse(third)).toEqual(sandbox);
    // One that is removed leaves no other real service in its place.
    await third.ask('useProfile', { body: { profile: 'keuken' } });
    await third.ask('dropProfile', { params: { profile: 'keuken' } });
    expect(await inUse(third)).toEqual(sandbox);
  },
);
