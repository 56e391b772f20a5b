import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { chooseDropdownsIn, type DropdownDocument, dropdownListsIn } from '../../src/api/dropdown-lists.ts';
import { listProfiles, saveProfile } from '../../src/api/profiles.ts';
import type { ProgramOptions } from '../../src/index.ts';
import { type Session, withSession } from '../../src/session/open-session.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

const CONFIG = 'catersheet.config.json';

let home = '';
beforeEach(() => {
  home = tempFolder();
  vi.stubEnv('CATERSHEET_HOME', home);
  return () => vi.unstubAllEnvs();
});

/** A service with a profile of its own, and sessions with it. */
async function open(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  await saveProfile({ name: 'keuken', address: service.url, token: service.token });
  const inSession = <T>(work: (session: Session) => Promise<T>, more: ProgramOptions = {}): Promise<T> =>
    withSession({ profile: 'keuken', lang: 'en', ...more }, undefined, work);
  return { service, inSession };
}

const named = (lists: readonly DropdownDocument[], name: string): DropdownDocument => {
  const found = lists.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const numbersOf = ({ candidates }: DropdownDocument): string[] =>
  candidates.map(({ number, likely }) => `${number}${likely ? ' likely' : ''}`);

describe('the dropdown lists of a service', () => {
  it('are not read unless that is asked; then each lookup shows the lists that it may be, by what is in them', async () => {
    const { service, inSession } = await open();
    service.add.dropdown(
      60,
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [700 + at, `Kleur ${at}`])),
    );
    const before = await inSession((session) => dropdownListsIn(session));
    expect(service.journal.requests).toHaveLength(0);
    expect(named(before, 'producteenheid')).toMatchObject({ number: null, fixed: false, candidates: [] });
    expect(named(before, 'mutatiecategorie')).toMatchObject({ number: 49, fixed: true });
    const lists = await inSession((session) => dropdownListsIn(session, { read: true }));
    const unit = named(lists, 'producteenheid');
    expect(unit).toMatchObject({
      number: null,
      words: expect.stringMatching(/\w/),
      columns: [expect.stringMatching(/ID$/)],
    });
    expect(numbersOf(unit)).toEqual(['50 likely', '51', '52', '60']);
    expect(unit.candidates[0]).toEqual({
      number: 50,
      entries: [
        { id: 501, label: 'portie' },
        { id: 502, label: 'schaal' },
        { id: 503, label: 'bak' },
      ],
      total: 3,
      likely: true,
    });
    expect(unit.candidates.at(-1)).toMatchObject({ total: 20 });
    expect(unit.candidates.at(-1)?.entries).toHaveLength(8);
    // Of a list that the interface numbers, that one is shown, and it is no other's.
    expect(numbersOf(named(lists, 'mutatiecategorie'))).toEqual([expect.stringMatching(/^49/)]);
    expect(service.journal.requests.every(({ write }) => !write)).toBe(true);
    const asked = service.journal.requests.length;
    const again = await inSession((session) => dropdownListsIn(session));
    expect(again).toEqual(lists);
    expect(service.journal.requests).toHaveLength(asked);
  });

  it('say what stops them where the service answers none', async () => {
    const { inSession } = await open({
      failures: {
        choose: ({ path }) =>
          path.includes('dropdownvalue/') ? { kind: 'status', status: 500, when: 'before' } : undefined,
      },
    });
    const lists = inSession((session) => dropdownListsIn(session, { read: true }), { retries: 0 });
    await expect(lists).rejects.toMatchObject({ name: 'StopError', exit: 4 });
  });
});

describe('a list that is chosen', () => {
  it('stands in the profile, in place of what was there, and is in use from then on', async () => {
    const { inSession } = await open();
    await inSession((session) => dropdownListsIn(session, { read: true }));
    const chosen = await inSession((session) => chooseDropdownsIn(session, { producteenheid: 51, bron: 52 }));
    expect(chosen).toEqual({ file: `${home}/${CONFIG}`, profile: 'keuken' });
    await inSession((session) => chooseDropdownsIn(session, { producteenheid: 50 }));
    const text = readFileSync(`${home}/${CONFIG}`, 'utf8');
    const { profiles } = JSON.parse(text) as { profiles: Record<string, { dialect?: unknown }> };
    expect(profiles.keuken?.dialect).toEqual({ dropdowns: { producteenheid: 50, bron: 52 } });
    const lists = await inSession((session) => dropdownListsIn(session));
    expect(named(lists, 'producteenheid').number).toBe(50);
    expect(named(lists, 'bron').number).toBe(52);
    expect(listProfiles().profiles).toMatchObject([{ name: 'keuken', hasToken: true }]);
  });

  it('is one that can be chosen', async () => {
    const { inSession } = await open();
    const choose = (numbers: Record<string, number>) =>
      inSession((session) => chooseDropdownsIn(session, numbers));
    await expect(choose({ mutatiecategorie: 50 })).rejects.toMatchObject({
      exit: 2,
      message: 'mutatiecategorie is no dropdown list to choose.',
      next: expect.stringContaining('producteenheid'),
    });
    await expect(choose({ producteenheid: 1.5 })).rejects.toMatchObject({ exit: 2 });
    const sandbox = withSession({}, undefined, (session) => chooseDropdownsIn(session, { bron: 1 }));
    await expect(sandbox).rejects.toMatchObject({ exit: 2, message: 'The sandbox knows its own lists.' });
  });

  it('goes into the user’s own profile where a working folder only lies over it', async () => {
    const { service, inSession } = await open();
    const folder = tempFolder();
    mkdirSync(`${folder}/work`);
    writeFileSync(`${folder}/work/${CONFIG}`, JSON.stringify({ profiles: { keuken: { concurrency: 2 } } }));
    const { saveDropdowns } = await import('../../src/session/save-profile.ts');
    const saved = await inSession(({ settings }) =>
      saveDropdowns(settings, { bron: 52 }, { chosen: true, working: `${folder}/work` }),
    );
    expect(saved.file).toBe(`${home}/${CONFIG}`);
    const { profiles } = JSON.parse(readFileSync(saved.file, 'utf8')) as { profiles: Record<string, object> };
    expect(profiles.keuken).toMatchObject({
      baseUrl: `${service.url.replace(/\/*$/, '')}/`,
      dialect: { dropdowns: { bron: 52 } },
    });
  });
});
