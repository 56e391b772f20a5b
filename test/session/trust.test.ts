import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { newPackages } from '../promises/world.ts';
import { startSecondService } from '../second-service/second-service.ts';

const CONFIG = 'catersheet.config.json';

/** A user with a token, in a folder that somebody sent, beside a service that somebody else runs. */
async function open() {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const [folder, home] = [tempFolder(), tempFolder()];
  writeFileSync(
    `${folder}/boek.csv`,
    newPackages(1)
      .map((row) => row.join(';'))
      .join('\n'),
  );
  const sets = (config: object, file = `${folder}/${CONFIG}`) => writeFileSync(file, JSON.stringify(config));
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCli(args, { cwd: folder, env: { CATERSHEET_HOME: home, CATERSHEET_TOKEN: service.token, ...env } });
  const dryRun = (...flags: string[]) =>
    run(['import', 'boek.csv', '--as', 'packages', '--dry-run', '--json', ...flags]);
  return { service, folder, home, sets, run, dryRun };
}

const profiles = (settings: object) => ({ profiles: { default: settings } });

describe('settings of the folder that one works in', () => {
  it('count once they are trusted, until the file changes', async () => {
    const { service, sets, run, dryRun } = await open();
    sets(profiles({ baseUrl: service.url, concurrency: 2 }));
    const first = await run(['trust']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain(`"default" baseUrl: ${JSON.stringify(service.url)}`);
    expect(first.stdout).not.toContain('concurrency');
    expect((await run(['trust'])).stdout).toContain('was trusted already');
    expect((await dryRun()).code).toBe(0);
    expect(service.journal.requests.length).toBeGreaterThan(0);
    sets(profiles({ baseUrl: service.url, concurrency: 3 }));
    expect((await dryRun()).code).toBe(2);
  });

  it('that are trusted are so in their place alone, also by a link', async () => {
    const { service, folder, sets, run, dryRun } = await open();
    sets(profiles({ baseUrl: service.url }), `${folder}/real.json`);
    symlinkSync(`${folder}/real.json`, `${folder}/${CONFIG}`);
    await run(['trust']);
    expect((await dryRun()).code).toBe(0);
    const other = await open();
    other.sets(profiles({ baseUrl: service.url }));
    expect((await other.dryRun()).code).toBe(2);
  });

  it('are not mixed with the user’s own of that name: a token goes nowhere else', async () => {
    const { service, home, sets, run, dryRun } = await open();
    writeFileSync(`${home}/token.txt`, 'the-token-of-another');
    sets(profiles({ baseUrl: 'https://own.example/', tokenFile: 'token.txt' }), `${home}/${CONFIG}`);
    sets(profiles({ baseUrl: service.url }));
    await run(['trust']);
    const { stdout } = await dryRun();
    expect(JSON.parse(stdout).service).toBe(service.url);
    expect(JSON.stringify(service.journal.requests)).not.toContain('the-token-of-another');
  });
});

describe('what catersheet trust is told to trust', () => {
  it('may be a folder, of which its file is meant', async () => {
    const { service, folder, sets, run, dryRun } = await open();
    sets(profiles({ baseUrl: service.url }));
    expect((await run(['trust', folder])).code).toBe(0);
    expect((await dryRun()).code).toBe(0);
  });

  it.each(['anders.json'])('is no %s, which is never read as settings', async (name) => {
    const { folder, home, sets, run } = await open();
    sets(profiles({}), `${folder}/anders.json`);
    const { code, stderr } = await run(['trust', name]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${folder}/${name} is no file of settings`);
    expect(stderr).toContain(`Name the folder that holds it, or the ${CONFIG} itself. Nothing is trusted.`);
    expect(stderr).not.toContain('remove');
    expect(() => readFileSync(`${home}/trusted.json`)).toThrow('ENOENT');
  });
});

describe('--log', () => {
  it.each(['{"name":"package"}\n'])('adds nothing to a file of something else: %j', async (text) => {
    const { folder, run } = await open();
    writeFileSync(`${folder}/.profile`, text);
    const { code, stderr } = await run(['import', 'boek.csv', '--dry-run', '--log', '.profile']);
    expect(code).toBe(2);
    expect(stderr).toContain('Name a new file for it, or one that is a log of this program (--log).');
    expect(readFileSync(`${folder}/.profile`, 'utf8')).toBe(text);
  });
});

describe('names that a folder brings', () => {
  it.each(['--base-url=http:127.0.0.1:9#.xlsx'])('are taken for no option: %s', async (name) => {
    const { folder, dryRun } = await open();
    writeFileSync(join(folder, name), '');
    const { code, stderr } = await dryRun(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`./${name}`)]);
  });
});

it('the ledger, token and log of a file count from its own folder, also by a link and wherever one works', async () => {
  const { service, folder, home, sets } = await open();
  mkdirSync(join(folder, 'good'));
  mkdirSync(join(folder, 'evil'));
  sets(
    profiles({ baseUrl: service.url, tokenFile: 'token.txt', ledger: 'l.db', log: 'l.log' }),
    join(folder, 'good', CONFIG),
  );
  writeFileSync(join(folder, 'good', 'token.txt'), service.token);
  writeFileSync(join(folder, 'evil', 'token.txt'), 'stolen');
  symlinkSync(join(folder, 'good', CONFIG), join(folder, 'evil', CONFIG));
  const env = { CATERSHEET_HOME: home };
  const trusted = await runCli(['trust'], { cwd: join(folder, 'good'), env });
  expect(trusted.code).toBe(0);
  const done = await runCli(['export', 'packages'], { cwd: join(folder, 'evil'), env });
  expect([done.code, done.stderr]).toEqual([0, expect.anything()]);
  expect(existsSync(join(folder, 'good', 'l.db'))).toBe(true);
  expect(existsSync(join(folder, 'evil', 'l.db'))).toBe(false);
});

it('a folder chooses no profile that the user has none of, so that work does not go to the sandbox', async () => {
  const { folder, home, sets, dryRun } = await open();
  mkdirSync(home, { recursive: true });
  sets(profiles({ baseUrl: 'https://catering.example/' }), join(home, CONFIG));
  sets({ profile: 'x', profiles: { x: { locale: 'en' } } });
  const { code, stderr } = await dryRun();
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${folder}/${CONFIG} chooses the profile x`)]);
});
