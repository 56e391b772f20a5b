import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckDocument } from '../../src/api/documents.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import type { Failure, KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** The numbers that the interface tells. */
const KNOWN: ReadonlySet<string> = new Set(['49', '96', '97']);

const CONFIG = 'catersheet.config.json';

/** A service, and the program beside it in a folder of its own. */
async function open(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const env = {
    CATERSHEET_BASE_URL: service.url,
    CATERSHEET_TOKEN: service.token,
    CATERSHEET_HOME: `${folder}/home`,
  };
  const check = async (...flags: string[]) => {
    const { code, stdout, stderr } = await runCli(
      ['check', '--json', ...(flags.includes('--retries') ? [] : ['--retries', '0']), ...flags],
      {
        cwd: folder,
        env,
      },
    );
    const { checks = [] } = JSON.parse(stdout) as Partial<CheckDocument>;
    const found = Object.fromEntries(checks.map((one) => [one.what, one.found]));
    return { code, checks, found, stdout, stderr };
  };
  const config = `${folder}/${CONFIG}`;
  const trust = () => runCli(['trust'], { cwd: folder, env });
  return { service, folder, config, check, trust };
}

const setOf = (text: string): unknown =>
  (JSON.parse(text) as { profiles: Record<string, { dialect?: { dropdowns?: unknown } }> }).profiles;

describe('check --lists', () => {
  it('reads each number once, a handful at a time, and tells which list each may be', async () => {
    const { service, folder, check } = await open();
    const { code, found } = await check('--lists');
    expect(code).toBe(0);
    expect(found).toMatchObject({
      'list 49': '3 names: 4901 Telling, 4902 Breuk, 4903 Retour → mutatiecategorie',
      'list 50': '3 names: 501 portie, 502 schaal, 503 bak → producteenheid',
      'list 51': '2 names: 511 Koel bewaren, 512 Droog bewaren → bewaaradvies',
      'list 52': '2 names: 521 Website, 522 Telefoon → bron',
    });
    const tried = service.journal.requests.filter(({ path }) =>
      /dropdownvalue\/(?:\d\d?|1[0-4]\d|150)$/.test(path),
    );
    // The three that the interface numbers are read by the check itself too.
    expect(tried.length).toBe(150 + 3);
    expect(service.journal.requests.every(({ write }) => !write)).toBe(true);
    // Nothing is written without being asked for.
    expect(readdirSync(folder)).not.toContain(CONFIG);
  });

  it('takes for no list what breaks down, refuses or is missing where the known ones answer, and asks once a day', async () => {
    const statuses: Readonly<Record<string, number>> = { 3: 400, 4: 404, 5: 422, 6: 500 };
    const choose = ({ path }: { readonly path: string }): Failure | undefined => {
      const [, number = '', digit = ''] = /dropdownvalue\/(\d*(\d))$/.exec(path) ?? [];
      const status = KNOWN.has(number) ? undefined : statuses[digit];
      return status === undefined ? undefined : { kind: 'status', status, when: 'before' };
    };
    const { service, check } = await open({ failures: { choose } });
    const { code, found, checks } = await check('--lists', '--retries', '3');
    expect(code).toBe(0);
    expect(found['list 50']).toContain('producteenheid');
    expect(checks.some(({ what, ok }) => what === 'packages' && ok)).toBe(true);
    const asked = () => service.journal.requests.filter(({ path }) => path.includes('dropdownvalue/')).length;
    const before = asked();
    expect(before).toBe(150 + 3);
    const again = await check('--lists');
    expect(asked() - before).toBe(3);
    expect(again.found).toEqual({
      ...found,
      'dropdown lists': expect.stringContaining('at most once a day'),
    });
  });

  it('says so where the known lists break down too, beside what else it found', async () => {
    const { service, check } = await open({
      failures: {
        choose: ({ path }) =>
          path.includes('dropdownvalue/') ? { kind: 'status', status: 500, when: 'before' } : undefined,
      },
    });
    const { found, checks } = await check('--lists');
    expect(found['dropdown lists']).toContain('broke down (500)');
    expect(checks.some(({ what, ok }) => what === 'packages' && ok)).toBe(true);
    expect(service.journal.requests.filter(({ path }) => path.includes('dropdownvalue/'))).toHaveLength(6);
  });

  it('does not choose between two lists that look the same, nor take another’s word', async () => {
    const { service, check, folder } = await open();
    service.add.dropdown(60, { 601: 'Telefoon', 602: 'Google' });
    service.add.dropdown(61, { 611: 'Rood', 612: 'Blauw' });
    service.add.dropdown(62, { 62: 'Los' });
    const { found } = await check('--lists', '--save');
    expect(found['list 52']).toBe('2 names: 521 Website, 522 Telefoon → perhaps bron');
    expect(found['list 60']).toContain('perhaps bron');
    expect(found['list 61']).toBe('2 names: 611 Rood, 612 Blauw');
    expect(found).not.toHaveProperty('list 62');
    // The user's own settings, as the folder has none.
    expect(setOf(readFileSync(`${folder}/home/${CONFIG}`, 'utf8'))).toEqual({
      default: { dialect: { dropdowns: { producteenheid: 50, bewaaradvies: 51 } } },
    });
  });

  it('says that it found none where the service has no such lists', async () => {
    const { check, folder } = await open({ company: 'none' });
    const { code, checks } = await check('--save');
    expect(code).toBe(0);
    expect(checks.some(({ what }) => what.startsWith('list '))).toBe(false);
    expect(checks.at(-1)?.found).toContain('none');
    expect(readdirSync(folder)).not.toContain(CONFIG);
  });
});

describe('check --save', () => {
  it('writes the numbers into the profile in use and keeps the rest of the file, which then gives names', async () => {
    const { service, check, config, trust } = await open();
    const other = { baseUrl: 'https://other.example/', concurrency: 3 };
    const own = {
      baseUrl: service.url,
      dialect: { dropdowns: { bron: 52, btwmodus: 7 }, eventMargin: 14 },
      headers: { Naam: 'OmschrijvingIntern' },
    };
    const before = JSON.stringify({ profiles: { other, own } }, null, '\t').replaceAll('\n', '\r\n');
    writeFileSync(config, before);
    await trust();
    const { code, found, checks } = await check('--save', '--profile', 'own');
    expect(code).toBe(0);
    // What it wrote down is in use, and is not advised any more.
    expect(found['lookup producteenheid']).toBe('3 names: 501 portie, 502 schaal, 503 bak');
    expect(checks.flatMap(({ advice }) => advice ?? []).join()).not.toMatch(
      /dropdowns\.(?:producteenheid|bewaaradvies)\b/,
    );
    expect(found['dialect.dropdowns']).toContain(
      'producteenheid 50, bewaaradvies 51: written into profile own',
    );
    const after = readFileSync(config, 'utf8');
    expect(setOf(after)).toEqual({
      other,
      own: {
        ...own,
        dialect: {
          dropdowns: { producteenheid: 50, bewaaradvies: 51, bron: 52, btwmodus: 7 },
          eventMargin: 14,
        },
      },
    });
    expect(after).toContain('\r\n\t"profiles"');
    const { found: now } = await check('--profile', 'own');
    expect(now['lookup producteenheid']).toBe('3 names: 501 portie, 502 schaal, 503 bak');
  });

  it('writes nothing into the profile of another service', async () => {
    const { check, config, trust } = await open();
    const before = JSON.stringify({ profiles: { default: { baseUrl: 'https://other.example/' } } });
    writeFileSync(config, before);
    await trust();
    const { code, stderr } = await check('--save');
    expect(code).toBe(2);
    expect(stderr).toContain('Profile default is of https://other.example/');
    expect(readFileSync(config, 'utf8')).toBe(before);
  });
});

it('the embedded sandbox knows the numbers of its own lists, whatever a profile says of another service', async () => {
  const folder = tempFolder();
  writeFileSync(
    `${folder}/${CONFIG}`,
    JSON.stringify({ profiles: { default: { dialect: { dropdowns: { bron: 7 } } } } }),
  );
  const { stdout } = await runCli(['check'], { cwd: folder, env: { CATERSHEET_HOME: folder } });
  expect(stdout).toMatch(/lookup bron +4 names: 411 Website/);
  expect(stdout).not.toMatch(/^ {2}! /m);
});
