import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/index.ts';
import { putBack } from '../../src/ledger/ledger-files.ts';
import { openDesk, rawAnswer } from '../desk/open-desk.ts';
import { ATTACK, unseenIn } from '../helpers/attack.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { zipParts } from '../helpers/zip-parts.ts';
import type { Failure } from '../second-service/knobs.ts';
import { oneSheet, sheetXml, writeZip } from '../workbook/make-workbook.ts';
import { newPackages, openWorld } from './world.ts';

const CONFIG = 'catersheet.config.json';

/** Runs a command line in a folder with these files; its user has a token and nothing else. */
async function inFolder(files: Readonly<Record<string, string | Buffer>>, args: readonly string[], env = {}) {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const own = { CATERSHEET_HOME: tempFolder(), CATERSHEET_TOKEN: 't', ...env };
  const run = (words: readonly string[]) => runCli(words, { cwd: folder, env: own });
  return { folder, run, ...(await run(args)) };
}

const CSV = newPackages(1)
  .map((row) => row.join(';'))
  .join('\n');
const FILE = ['import', 'week.csv', '--as', 'packages', '--dry-run'];
/** The last that is said: a sentence, and a line with the way out. */
const WHAT_AND_NEXT = /(?:^|\n)[^\n]+[.?]\n[^\n]+\n(?: {2}catersheet [^\n]+\n)?(?:Log: [^\n]+\n)?$/;
const NOWHERE = ['--base-url', 'http://127.0.0.1:9', '--retries', '0'];

describe('bad input ends in one sentence that says what is wrong and what to do, and never with exit 1 (30)', () => {
  const file = (content: string | Buffer) => ({ 'week.xlsx': content });
  const settings = (text: string) => ({ 'week.csv': CSV, [CONFIG]: text });
  const XLSX = ['import', 'week.xlsx', '--dry-run'];
  test.each<[string, readonly string[], Readonly<Record<string, string | Buffer>>, number, RegExp]>([
    ['no command', [], {}, EXIT.usage, /Name a command/],
    ['a command that is none', ['stuur'], {}, EXIT.usage, /stuur/],
    ['a flag that is none', [...FILE, '--jes'], {}, EXIT.usage, /--jes/],
    ['a flag without its value', [...FILE, '--out'], {}, EXIT.usage, /--out/],
    ['a number that is none', ['check', '--concurrency', 'veel'], {}, EXIT.usage, /concurrency/],
    ['a kind that is none', ['import', 'week.csv', '--as', 'soep'], { 'week.csv': CSV }, EXIT.usage, /soep/],
    ['a field that is none', [...FILE, '--set', 'Soep=1'], { 'week.csv': CSV }, EXIT.usage, /Soep/],
    ['a sheet that is none', [...FILE, '--sheet', 'Soep'], { 'week.csv': CSV }, EXIT.usage, /Soep/],
    ['a result over its input', [...FILE, '--out', 'week.csv'], { 'week.csv': CSV }, EXIT.usage, /overwrite/],
    ['a run that is not there', ['apply', '20270101-000000-aaaa'], {}, EXIT.usage, /20270101/],
    [
      'a day that is none',
      ['export', 'events', '--from', '2027-02-31', '--to', '2027-03-01', '--out', 'u.xlsx'],
      {},
      EXIT.usage,
      /2027-02-31/,
    ],
    ['an address that is none', ['check', '--base-url', 'keuken'], {}, EXIT.usage, /keuken/],
    ['http to elsewhere', ['check', '--base-url', 'http://elders.example'], {}, EXIT.usage, /not encrypted/],
    ['a token file that is not there', ['check', ...NOWHERE, '--token-file', 'weg'], {}, EXIT.usage, /weg/],
    ['a ledger that is a folder', [...FILE, '--ledger', '.'], { 'week.csv': CSV }, EXIT.usage, /folder/],
    ['a profile that is not there', ['check', '--profile', 'weg'], {}, EXIT.usage, /weg/],
    ['settings that are no JSON', FILE, settings('{'), EXIT.usage, /JSON/],
    ['settings of no such name', FILE, settings('{"profiles":{"default":{"soep":1}}}'), EXIT.usage, /soep/],
    ['a file that is not there', XLSX, {}, EXIT.file, /does not exist/],
    ['an empty file', XLSX, file(''), EXIT.file, /empty/],
    ['a web page', XLSX, file('<html><table></table></html>'), EXIT.file, /HTML/],
    ['a PDF', XLSX, file('%PDF-1.7\n'), EXIT.file, /PDF/],
    [
      'an old or locked workbook',
      XLSX,
      file(Buffer.from('d0cf11e0a1b11ae1'.padEnd(9000, '0'), 'hex')),
      EXIT.file,
      /Office/,
    ],
    ['half a workbook', XLSX, file(Buffer.from('PK\x03\x04'.padEnd(900, 'x'))), EXIT.file, /cut off|damaged/],
    ['a binary file', XLSX, file(Buffer.from([0, 1, 2, 3, 255, 254])), EXIT.file, /./],
    ['headers alone', FILE, { 'week.csv': 'ExternalID;Verkoopprijs' }, EXIT.file, /no row/],
    [
      'no sheet of ours',
      ['import', 'week.csv', '--dry-run'],
      { 'week.csv': 'a;b\n1;2' },
      EXIT.file,
      /no sheet to import/,
    ],
    ['a service that is not there', ['check', ...NOWHERE], {}, EXIT.service, /refused/],
  ])('%s', async (_, args, files, exit, says) => {
    const { code, stderr, stdout } = await inFolder(files, args);
    expect([code, stdout, stderr]).toEqual([exit, '', expect.stringMatching(says)]);
    expect(stderr).toMatch(WHAT_AND_NEXT);
  });

  test.each<[string, Failure]>([
    ['refuses the token', { kind: 'status', status: 401, when: 'before' }],
    ['is a web page', { kind: 'login page', when: 'before' }],
    ['answers in another shape', { kind: 'answer', when: 'before', status: 200, body: [[1]] }],
    ['is out of order', { kind: 'status', status: 500, when: 'before' }],
    ['leads elsewhere', { kind: 'redirect', when: 'before', to: 'https://elders.example/' }],
  ])('a service that %s', async (_, failure) => {
    const { sheet, machine, importWorkbook } = openWorld({ failures: { choose: () => failure } });
    const next = expect.stringMatching(/\.$/);
    await expect(importWorkbook(sheet(newPackages(1)), machine())).rejects.toMatchObject({
      ...{ exit: EXIT.service, message: expect.stringMatching(/\w/), next },
    });
  });
});

describe('a hostile file costs little, and hostile text reaches no terminal, page or formula (31)', () => {
  const row = (...texts: readonly string[]): string =>
    `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  const head = row('ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs');
  const withRow = (more = ''): string => sheetXml(head + row('900001', 'Soep', '1', '12') + more);
  test.each<[string, RegExp, string]>([
    ['a bomb', /longer than any cell/, withRow(' '.repeat(2e7))],
    ['elements in one another', /put together in a way/, withRow('<x>'.repeat(1e5) + '</x>'.repeat(1e5))],
    ['entities', /put together in a way/, `<!DOCTYPE x [<!ENTITY a "aaa">]>${withRow()}`],
  ])('%s', async (_, message, xml) => {
    const { folder, machine, importWorkbook } = openWorld();
    const file = await writeZip(join(folder, 'week.xlsx'), oneSheet('', { 'xl/worksheets/sheet1.xml': xml }));
    const before = process.cpuUsage();
    await expect(importWorkbook(file, machine())).rejects.toMatchObject({
      exit: EXIT.file,
      message: expect.stringMatching(message),
    });
    expect(process.cpuUsage(before).user).toBeLessThan(2e6);
  });

  test('signs that steer a terminal, markup and formulas, of the file and of the service', async () => {
    const FORMULA = "=cmd|' /C calc'!A0";
    const MARKUP = '<img src=x onerror=alert(1)>';
    const said: Failure = {
      kind: 'answer',
      when: 'before',
      status: 422,
      body: { message: `${FORMULA} ${MARKUP} ${ATTACK}` },
    };
    const { folder, machine, tellImport } = openWorld({
      failures: { choose: ({ endpoint }) => (endpoint === 'package.create' ? said : undefined) },
    });
    const rows = [
      ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', `Kolom ${ATTACK}`],
      [900_001, `${MARKUP} ${ATTACK}`, 1, 12, FORMULA],
      [900_002, FORMULA, MARKUP, 12, FORMULA],
    ];
    const at = (name: string): string => join(folder, name);
    const [book, csv, report] = [at('a.xlsx'), at('a.csv'), at('r.html')];
    await makeWorkbook(book, { Pakketten: rows });
    writeFileSync(csv, rows.map((row) => row.map((one) => `"${one}"`).join(';')).join('\n'));
    for (const file of [book, csv]) {
      const out = `${file}.result${extname(file)}`;
      const { told } = await tellImport(file, { ...machine(), as: 'packages', out, report });
      expect(told).toContain('calc');
      expect(unseenIn(told)).toEqual([]);
      expect(told).not.toMatch(/^Done: 5/m);
      const page = readFileSync(report, 'utf8');
      expect(page).toContain('onerror');
      expect(page).not.toContain(MARKUP);
      if (file === book) {
        const parts = Object.entries(await zipParts(out)).filter(([name]) =>
          name.startsWith('xl/worksheets/sheet'),
        );
        expect(parts.map(([, xml]) => String(xml)).join('')).not.toContain('<f>');
      } else {
        expect(readFileSync(out, 'utf8')).not.toMatch(/failed";[^;]*;"?[=+@-]/);
      }
    }
  });
});

describe('settings of a folder that came from elsewhere do nothing that could harm until they are trusted (32)', () => {
  const profiles = (settings: object) => JSON.stringify({ profiles: { default: settings } });
  test.each<[string, unknown]>([
    ['baseUrl', 'http://127.0.0.1:9'],
    ['tokenFile', '/etc/hostname'],
    ['log', 'profile.sh'],
    ['ledger', 'other.db'],
    ['dialect', { externalId: 'never' }],
    ['allowHttp', true],
    ['doubt', 0],
    ['timeout', 1],
    ['elsewhere', 'other'],
  ])('%s', async (name, value) => {
    const files = { 'week.csv': CSV, [CONFIG]: profiles({ [name]: value, concurrency: 2 }) };
    const { code, stderr, folder, run } = await inFolder(files, FILE);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(`sets ${name} `)]);
    expect(stderr).toContain('catersheet trust');
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(files).toSorted());
    if (name !== 'baseUrl') return;
    expect((await run(['trust'])).code).toBe(EXIT.ok);
    expect((await run([...FILE, '--retries', '0'])).code).toBe(EXIT.service);
    writeFileSync(join(folder, CONFIG), profiles({ [name]: value, concurrency: 3 }));
    expect((await run(FILE)).code).toBe(EXIT.usage);
  });
});

describe('the page is reached by its own user, on this machine, alone (33)', () => {
  test('another user, name, site or machine is refused', async () => {
    const desk = await openDesk();
    const own = { ...desk.headers, 'content-type': 'application/json' };
    const host = `127.0.0.1:${desk.port}`;
    const asked = async (headers: Record<string, string>) =>
      (await rawAnswer(desk.port, '/api/home', { method: 'POST', headers, body: '{}' })).status;
    expect(await asked({ ...own, host })).toBe(200);
    const others: Record<string, Record<string, string>> = {
      'no session': { host, origin: desk.origin },
      'another name': { ...own, host: `evil.example:${desk.port}` },
      'another origin': { ...own, host, origin: 'https://evil.example' },
      'another port': { ...own, host, origin: 'http://127.0.0.1:1' },
      'another site': { ...own, host, 'sec-fetch-site': 'cross-site' },
    };
    const statuses = Object.entries(others).map(async ([who, headers]) => [who, await asked(headers)]);
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      ...{
        'no session': 401,
        'another name': 403,
        'another origin': 403,
        'another port': 403,
        'another site': 403,
      },
    });
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address } of addresses.filter(({ internal, family }) => !internal && family === 'IPv4'))
      await expect(fetch(`http://${address}:${desk.port}/`)).rejects.toThrow();
  });

  test('a closed page or an ended program finds its run again', async () => {
    const desk = await openDesk();
    const file = join(desk.service.folder, 'week.xlsx');
    await makeWorkbook(file, { Pakketten: newPackages(2).map((row) => [...row]) });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const { run } = await desk.plan(draft);
    await desk.ask('send', { run, deletes: 0 });
    const again = await desk.again();
    const { runs } = await again.ask('home');
    expect(runs).toMatchObject([{ run, file: 'week.xlsx' }]);
  });
});

describe('a damaged, lost, swapped or older ledger is noticed before anything is sent (34)', () => {
  const change = (how: (bytes: Buffer) => Buffer) => (file: string) =>
    writeFileSync(file, how(readFileSync(file)));
  test.each<[string, (file: string) => void]>([
    ['empty', change(() => Buffer.alloc(0))],
    ['lost', (file) => rmSync(file)],
    ['cut off', change((all) => all.subarray(0, 9000))],
    ['another file', change(() => Buffer.from('geen'.repeat(99)))],
    ['with a page of zeros', change((all) => all.fill(0, 4096, 8192))],
    ['as it was before the last run', (file) => copyFileSync(`${file}.before`, file)],
  ])('%s', async (_, damage) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const own = machine();
    await importWorkbook(sheet(newPackages(1)), own);
    copyFileSync(own.ledger, `${own.ledger}.before`);
    await importWorkbook(sheet(newPackages(1, 900_201)), own);
    const { length } = service.journal.requests;
    damage(own.ledger);
    const stopped = { exit: EXIT.usage, next: expect.stringContaining('Nothing is sent') };
    await expect(importWorkbook(sheet(newPackages(1, 900_301)), own)).rejects.toMatchObject(stopped);
    expect(service.journal.requests).toHaveLength(length);
  });

  test('swapped for that of another machine, and gone on with once that is said', async () => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const [own, other] = [machine(), machine()];
    for (const [at, ledger] of [own, other, other, other].entries())
      await importWorkbook(sheet(newPackages(1, 900_001 + at)), ledger);
    rmSync(own.ledger);
    copyFileSync(other.ledger, own.ledger);
    const { length } = service.journal.requests;
    const stopped = { exit: EXIT.usage, next: expect.stringContaining('ledger restore') };
    await expect(importWorkbook(sheet(newPackages(1, 900_301)), own)).rejects.toMatchObject(stopped);
    expect(service.journal.requests).toHaveLength(length);
    putBack(own.ledger, own.ledger);
    await importWorkbook(sheet(newPackages(1, 900_301)), own);
  });
});
