import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { trustSettings } from '../../src/api/trust-settings.ts';
import { listProfiles, saveProfile, serviceInUse } from '../../src/session/profile.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const CONFIG = 'catersheet.config.json';
const HERE = 'https://catering.example/';

/** A private folder of settings and a working folder, both empty. */
function places() {
  const folder = tempFolder();
  const [home, working] = [`${folder}/home`, `${folder}/work`];
  mkdirSync(working);
  return { home, working, environment: { CATERSHEET_HOME: home } };
}

type Places = ReturnType<typeof places>;

const configOf = ({ home }: Places) =>
  JSON.parse(readFileSync(`${home}/${CONFIG}`, 'utf8')) as {
    profile?: string;
    profiles: Record<string, Record<string, unknown>>;
  };

const write = (folder: string, config: unknown): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${CONFIG}`, JSON.stringify(config));
};

const tokensIn = ({ home }: Places) => readdirSync(home).filter((name) => name.startsWith('token-'));

describe('a profile that is saved', () => {
  it('stands in the private folder, its token in a file of its own, both for the user alone', async () => {
    const at = places();
    expect(listProfiles(at)).toEqual({ place: `${at.home}/${CONFIG}`, profiles: [] });
    await saveProfile({ name: 'keuken', address: 'https://Catering.example', token: ' geheim-1 \n' }, at);
    const [token = ''] = tokensIn(at);
    expect(configOf(at)).toEqual({ profiles: { keuken: { baseUrl: HERE, tokenFile: token } } });
    expect(readFileSync(`${at.home}/${token}`, 'utf8')).toBe('geheim-1\n');
    const { place, profiles } = listProfiles(at);
    expect([place, profiles]).toMatchObject([
      `${at.home}/${CONFIG}`,
      [{ name: 'keuken', address: HERE, hasToken: true }],
    ]);
    const text = JSON.stringify(profiles);
    expect(text).not.toContain('geheim');
    if (process.platform === 'win32') return;
    for (const file of [CONFIG, token]) expect(statSync(`${at.home}/${file}`).mode & 0o777).toBe(0o600);
    expect(statSync(at.home).mode & 0o777).toBe(0o700);
  });

  it('keeps all else that the file holds, and its token where none is given', async () => {
    const at = places();
    await saveProfile({ name: 'keuken', address: HERE, token: 'een' }, at);
    const config = configOf(at);
    const headers = { Naam: 'OmschrijvingIntern' };
    const dialect = { dropdowns: { bron: 52 }, eventMargin: 14 };
    const own = { ...config.profiles.keuken, concurrency: 3, headers, dialect };
    write(at.home, { profile: 'keuken', profiles: { ander: { lang: 'nl' }, keuken: own } });
    await saveProfile({ name: 'keuken', address: `${HERE}v2` }, at);
    // Another path may be another service: its lists have other numbers.
    const moved = { ...own, baseUrl: `${HERE}v2/`, dialect: { eventMargin: 14 } };
    expect(configOf(at)).toEqual({ profile: 'keuken', profiles: { ander: { lang: 'nl' }, keuken: moved } });
    await saveProfile({ name: 'keuken', address: `${HERE}v2/`, token: 'twee' }, at);
    expect(configOf(at).profiles.keuken).toEqual(moved);
    expect(tokensIn(at).map((name) => readFileSync(`${at.home}/${name}`, 'utf8'))).toEqual(['twee\n']);
    expect(listProfiles(at).profiles.map(({ name }) => name)).toEqual(['ander', 'keuken']);
  });

  it('does not send a token to another address than it was given for', async () => {
    const at = places();
    await saveProfile({ name: 'keuken', address: HERE, token: 'een' }, at);
    const moved = saveProfile({ name: 'keuken', address: 'https://elders.example/' }, at);
    await expect(moved).rejects.toMatchObject({ exit: 2, next: 'Give the token of the new address too.' });
    expect(configOf(at).profiles.keuken?.baseUrl).toBe(HERE);
    await saveProfile({ name: 'keuken', address: 'https://elders.example/', token: 'twee' }, at);
    expect(configOf(at).profiles.keuken?.baseUrl).toBe('https://elders.example/');
  });

  it('leaves the token file that the user named elsewhere alone', async () => {
    const at = places();
    writeFileSync(`${at.working}/mijn.txt`, 'van mij');
    write(at.home, { profiles: { keuken: { baseUrl: HERE, tokenFile: `${at.working}/mijn.txt` } } });
    await saveProfile({ name: 'keuken', address: HERE, token: 'nieuw' }, at);
    expect(readFileSync(`${at.working}/mijn.txt`, 'utf8')).toBe('van mij');
    expect(configOf(at).profiles.keuken?.tokenFile).toBe(tokensIn(at)[0]);
  });

  test.each<[string, { name?: string; address?: string; token?: string }, string]>([
    ['a name with a slash', { name: '../x' }, 'That can’t be the name of a profile.'],
    ['a name that JavaScript has', { name: '__proto__' }, 'That can’t be the name of a profile.'],
    ['an address with a password', { address: 'https://jan:pw@catering.example' }, 'user name or password'],
    ['a token of two lines', { token: 'een\ntwee' }, 'The token is empty, too long'],
  ])('is refused with %s, and nothing is written', async (_, wrong, message) => {
    const at = places();
    const saved = saveProfile({ name: 'keuken', address: HERE, token: 'geheim', ...wrong }, at);
    await expect(saved).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(message) });
    await expect(saved).rejects.not.toMatchObject({ message: expect.stringContaining('geheim') });
    expect(existsSync(at.home)).toBe(false);
  });
});

describe('a working folder’s own file', () => {
  it('is told of as it counts: not before it is trusted, and its token is not looked for', async () => {
    const at = places();
    await saveProfile({ name: 'keuken', address: HERE, token: 'een' }, at);
    await saveProfile({ name: 'bar', address: HERE, token: 'twee' }, at);
    writeFileSync(`${at.working}/token.txt`, 'drie');
    const theirs = { baseUrl: 'https://jan:pw@elders.example/?key=1', tokenFile: 'token.txt' };
    write(at.working, { profile: 'keuken', profiles: { keuken: theirs, bar: { concurrency: 2 } } });
    const told = () => listProfiles(at).profiles.map((one) => Object.values(one));
    expect(told()).toEqual([
      ['bar', HERE, true],
      ['keuken', 'https://elders.example/', false],
    ]);
    await trustSettings(at.working, at.environment);
    expect(told()[1]).toEqual(['keuken', 'https://elders.example/', true]);
    const saved = saveProfile({ name: 'keuken', address: HERE, token: 'vier' }, at);
    await expect(saved).rejects.toMatchObject({
      message: expect.stringContaining(`${at.working}/${CONFIG}`),
    });
    // One that only lies over the user's own can be changed.
    await saveProfile({ name: 'bar', address: HERE, token: 'vijf' }, at);
  });
});

describe('the service in use', () => {
  it('is told without what may be secret', () => {
    const told = (baseUrl: string) => serviceInUse({ profile: undefined, baseUrl });
    expect(told('https://jan:pw@catering.example/pad?key=1#x')).toEqual({
      ...{ name: null, address: 'https://catering.example/pad', kind: 'real' },
    });
    expect(told('jan:pw@catering').address).not.toContain('pw');
  });
});
