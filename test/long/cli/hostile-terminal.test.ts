import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serveJson } from '../../export/json-service.ts';
import { listed } from '../../export/list-service.ts';
import { ATTACK, unseenIn } from '../../helpers/attack.ts';
import { makeWorkbook, readBack } from '../../helpers/make-workbook.ts';
import { endWithTest } from '../../helpers/programs.ts';
import { CLI, runCli, tempFolder } from '../../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal } from '../../helpers/run-on-terminal.ts';

/** As a part of a path. */
const NAME = ATTACK.replaceAll('/', '');
const POSIX = process.platform !== 'win32';

/** Nothing but plain lines, none of which the attack began. */
function expectHarmless(text: string): void {
  expect(unseenIn(text)).toEqual([]);
  expect(text).not.toMatch(/^Done/m);
}

const settings = JSON.stringify({ profiles: { [ATTACK]: { log: ATTACK } } });

it.each<[string, readonly string[], Readonly<Record<string, string>>?]>([
  ['a flag', ['check', `--${ATTACK}`]],
  ['a run', ['runs', ATTACK]],
  [
    'a file that is not there',
    ['import', `${NAME}.xlsx`, '--base-url', 'http://127.0.0.1:9', '--retries', '0'],
  ],
  ['the address of the environment', ['check'], { CATERSHEET_BASE_URL: `ftp://${ATTACK}` }],
  ['a profile that is trusted', ['trust']],
])('%s that somebody else chose is shown with every sign on a line of ours', async (_, args, env) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'catersheet.config.json'), settings);
  const own = { CATERSHEET_HOME: folder, CATERSHEET_TOKEN: 't', ...env };
  const { stdout, stderr, code } = await runCli(args, { cwd: folder, env: own });
  expect([0, 2, 3]).toContain(code);
  expectHarmless(stdout + stderr);
  // Some are shown as JSON.
  expect(stdout + stderr).toMatch(/␛\[2J|\\u001b\[2J/);
});

it('a fault of the program that nobody awaits is told with its places, none of its words on a line of its own', async () => {
  const thrown = `throw new Error(${JSON.stringify(`${ATTACK}\n    at x\nDone: 6 created`)})`;
  const script = join(tempFolder(), 'fault.mjs');
  const main = JSON.stringify(pathToFileURL(CLI).href);
  writeFileSync(script, `process.stdin.once('data', () => { ${thrown} }); await import(${main});`);
  const child = spawn(process.execPath, [script, 'sandbox', '--data', ':memory:'], { stdio: 'pipe' });
  endWithTest(child);
  child.stdout.once('data', () => child.stdin.write('now'));
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)));
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expectHarmless(said.join(''));
  expect(said.join('')).toMatch(/^A fault of the program: a␛\[2J.*␊Done: 6 created$/m);
  expect(said.join('')).toMatch(/^ {4}at /m);
});

const HEADER = ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'];

/** A CSV whose name, headers and cells attack. */
function hostileFile(folder: string): string {
  const csv = join(folder, `${POSIX ? NAME : 'a'}.csv`);
  const rows = [
    [...HEADER, `"Kolom${ATTACK}"`],
    [600_000, `"Soep ${ATTACK}"`, 1, 5, 'x'],
    [600_001, 'Soep', `"Lunch${ATTACK}x"`, `"${ATTACK}"`, 'x'],
    ...Array.from({ length: 20 }, (_, at) => [600_010 + at, `Een gewone regel van dit bestand ${at}`, 1]),
  ];
  writeFileSync(csv, rows.map((row) => row.join(';')).join('\n'));
  return csv;
}

/** A service whose names, records and refusals attack, with a file that does so too. */
async function hostileService() {
  const texts = { OmschrijvingIntern: ATTACK, OmschrijvingExtern: '\x9bx', InterneOpmerking: '\x1b' };
  const record = { ...listed(1), ...texts, allergens: ATTACK };
  const service = await serveJson(({ method, path }) => {
    if (path === 'producttype/all')
      return { status: 200, body: [{ ProductTypeID: 1, ProductType: `Lunch${ATTACK}` }] };
    if (path.endsWith('/allModified')) {
      const meta = { current_page: 1, last_page: 1, per_page: 20, total: 1 };
      return { status: 200, body: [{ data: [record], links: {}, meta }] };
    }
    if (method === 'PUT') return { status: 422, body: { message: ATTACK, errors: { [ATTACK]: [ATTACK] } } };
    return { status: 404, body: { message: ATTACK } };
  });
  const { folder, options } = service;
  const address = { CATERSHEET_BASE_URL: options.baseUrl, CATERSHEET_TOKEN: options.token };
  const env = { ...address, CATERSHEET_HOME: folder };
  return {
    folder,
    csv: hostileFile(folder),
    run: (args: readonly string[]) => runCli(args, { cwd: folder, env }),
  };
}

describe('a service and a file that attack', () => {
  it('show every sign in a run, its log, its result, its report, its JSON and in earlier runs', async () => {
    const { folder, csv, run } = await hostileService();
    const send = ['import', csv, '--as', 'packages', '--yes', '--log', 'run.log', '--doubt', '1'];
    const first = await run([...send, '--verbose', '--report', 'r.html', '--out', 'r.xlsx']);
    expect(first).toMatchObject({ code: 5 });
    expect(first.stdout.match(/␛\[2J/g)?.length).toBeGreaterThan(4);
    const json = await run([...send, '--json=all', '--out', 'r2.csv']);
    const document = JSON.parse(json.stdout) as { readonly run: string };
    expect(document).toMatchObject({ file: csv, counts: { read: 22 } });
    const book = await makeWorkbook(join(folder, 'b.xlsx'), {
      'Pak\u202e\u2066\u200bket': [
        [...HEADER, 'Kol\u202eom'],
        [600_040, 'Thee _x001B_[2J', 1, 'elf\u202e', 'x'],
      ],
      'Los\u202e\u{e0041}blad': [['a', 'b']],
    });
    const sheets = await run(['import', book, '--dry-run']);
    expect(sheets.stdout).toContain('Pak<U+202E><U+2066><U+200B>ket');
    expect(sheets.stdout).toContain('Los<U+202E><U+E0041>blad');
    const runs = await run(['runs']);
    const rows = await run(['runs', document.run]);
    expect(rows.stdout).toContain('failed');
    for (const { stdout, stderr } of [first, json, sheets, runs, rows]) expectHarmless(stdout + stderr);
    const log = readFileSync(join(folder, 'run.log'), 'utf8');
    expectHarmless(log);
    for (const line of log.trimEnd().split('\n')) expect(JSON.parse(line)).toBeTruthy();
    // What the file said stands there as it was; what we say of it is plain.
    const result = await readBack(join(folder, 'r.xlsx'));
    const cells = [...result.values()].flatMap((rows) => [...rows.values()]);
    const said = cells.flatMap((row) => [...row].flatMap(([column, value]) => (column > 5 ? [value] : [])));
    expect(said.join('\n')).toContain('␛[2J');
    expectHarmless(said.join('\n'));
    const page = readFileSync(join(folder, 'r.html'), 'utf8');
    expect(page).toContain('<U+202E>'.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expectHarmless(/<title>(.*?)<\/title>/s.exec(page)?.[1] ?? '\x1b');
  });

  it('are exported to a pipe without control characters but tabs and line ends, and said', async () => {
    const { run } = await hostileService();
    const csv = await run(['export', 'packages', '-o', '-']);
    expect(csv.code).toBe(0);
    // What turns words round or hides is the record's own text.
    expect(csv.stdout.match(/[\p{Cc}]/gu)?.filter((sign) => !'\r\n'.includes(sign))).toEqual([]);
    expect(csv.stdout).toContain('a␛[2J');
    expect(csv.stderr).toContain('allergens: 1 × with control characters');
    expectHarmless(csv.stderr);
    const lines = await run(['export', 'packages', '-o', '-', '--format', 'ndjson']);
    expectHarmless(lines.stdout);
    expect(JSON.parse(lines.stdout)).toMatchObject({ allergens: ATTACK });
  });

  it.skipIf(!hasTerminals)('show every sign on a terminal, beside our own colours and bar', async () => {
    const folder = tempFolder();
    const csv = hostileFile(folder);
    const on = async (args: readonly string[], wanted: string, keys: string) =>
      (await runOnTerminal(args, { wanted, keys }, { cwd: folder, env: { CATERSHEET_HOME: folder } })).shown;
    const sent = await on(['import', csv, '--as', 'packages', '--out', 'r.xlsx'], '[y/N]', 'y\n');
    const data = await on(['export', 'packages', '-o', '-'], 'ProductID', '');
    for (const shown of [sent, data]) expectHarmless(withoutStyles(shown));
    expect(sent).toContain('\x1b[1m');
    expect(sent).toContain('␛[2J');
    expect(sent).toContain('Result: ');
    expect(data).toContain('␊Done: 5 created');
  });
});

/** What stood on a terminal, without our own colours and bar. */
const withoutStyles = (shown: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the styles
  shown.replaceAll(/\x1b(?:[78]|\[(?:1m|22m|31m|39m|\?25[hl]|\?7[hl]|[02]K|0J|\d+G))|\r/g, '');
