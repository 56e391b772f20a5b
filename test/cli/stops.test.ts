import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/options.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { CLI, hasProgram, runCli, tempFolder } from '../helpers/run-cli.ts';
import { startTestSandbox } from '../helpers/test-service.ts';

const CATALOGUE = join(import.meta.dirname, '../../fixtures/samples/catalogus-voorjaar.xlsx');
/** A file that is there, by its name: a text, bytes, a folder (null), or the sheets of a workbook. */
type Files = Readonly<Record<string, string | Buffer | null | Parameters<typeof makeWorkbook>[1]>>;

/** A command line, its exit code, what the Dutch says, what files there are, and what to do next. */
const STOPS: readonly (readonly [string, number, RegExp, Files?, RegExp?])[] = [
  ['invoices a.csv --to a.csv/f', 2, /de map is een bestand/, { 'a.csv': 'id\n2026001\n' }],
  [
    'documents a.csv --from weg',
    2,
    /geen map .*weg/,
    { 'a.csv': 'PartijID;Submap;Document\n9001;a;b.pdf\n' },
  ],
  ['import map.xlsx', 3, /is een map/, { 'map.xlsx': null }],
  ['import a.csv --as packages', 3, /NUL-teken/, { 'a.csv': 'ExternalID;OmschrijvingIntern\n1;\0\n' }],
  [
    'import a.xlsx',
    3,
    /financiële export/,
    {
      'a.xlsx': {
        Overzicht: [['Omzet']],
        Evenementen: [['Evenement', 'Dag', 'Maand']],
        Verantwoording: [['Run']],
      },
    },
  ],
  [
    'invoices a.csv --to f',
    3,
    /zeg waar je koppen voor staan \(--map\)/,
    { 'a.csv': 'Factuurnummer;Klant;Bedrag\n2026001;Bakker;1\n' },
  ],
  [`import ${CATALOGUE}`, 2, /geen terminal/, {}, /--yes/],
  [`import ${CATALOGUE} --sheet Paketten --dry-run`, 2, /Paketten/, {}, /lijken: Pakketten/],
  ['export finances', 2, /geen werkblad finances/, {}, /lijken: finance\./],
  ['template --offline -o w.xlsx', 2, /w\.xlsx/, { 'w.xlsx': 'mijn' }, /andere naam/],
  ['check --base-url http://127.0.0.1:9', 2, /geen token/],
  ['check --log map', 2, /logboek map/, { map: null }],
];

/** What stops here changes nothing on the service: one serves all. */
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

async function stopped(line: string, files: Files = {}) {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (content === null) mkdirSync(path);
    else if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(path, content);
    else await makeWorkbook(path, content);
  }
  const isServed = !line.includes('--base-url');
  const own = isServed ? { CATERSHEET_BASE_URL: sandbox.url } : {};
  const token = isServed && !line.includes('--token-file') ? { CATERSHEET_TOKEN: sandbox.token } : {};
  const env = { CATERSHEET_HOME: folder, ...own, ...token };
  return await runCli([...line.split(' ').filter(Boolean), '--lang=nl', '--json'], { cwd: folder, env });
}

const CASES = STOPS.map(
  ([line, exit, says, files = {}, next = /\.$|: catersheet .+$/]) => [line, exit, says, files, next] as const,
);

describe('what stops a command is said in Dutch too, once on each stream, with a way out (30, 35)', () => {
  test.each(CASES)('catersheet %s ends with %i', async (line, exit, says, files, next) => {
    const { code, stdout, stderr } = await stopped(line, files);
    const { error } = JSON.parse(stdout) as { error: { message: string } };
    expect(error).toEqual({
      exit,
      message: expect.stringMatching(says),
      next: expect.stringMatching(next),
    });
    expect(code).toBe(exit);
    expect(stderr).toContain(error.message);
    expect(stderr).not.toMatch(/\b(the|cannot|Check|Name|See|Use|There is)\b|geheim/);
  });
});

test.skipIf(!existsSync('/proc/self'))('a folder that takes no files is named', async () => {
  const stops = [
    'check --ledger /proc/catersheet/a/a.db',
    'check --log /proc/catersheet/a.log',
    'invoices a.csv --to /proc/f/g',
  ];
  for (const line of stops) {
    const { code, stderr } = await stopped(line, { 'a.csv': 'id\n2026001\n' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('/proc/')]);
  }
});

test.skipIf(!existsSync('/dev/full') || !hasProgram)(
  'what can’t be printed is said, by the real program',
  () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'interface', '--lang', 'nl'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^Wat te tonen was.*de schijf is vol\.\n.*\n$/),
    ]);
  },
);
