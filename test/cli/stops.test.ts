import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/requests/options.ts';
import { startSandbox } from '../../src/start-sandbox.ts';
import { makeWorkbook, PACKAGE_HEADER } from '../helpers/make-workbook.ts';
import { CLI, type CliResult, runCli, tempFolder } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';

const CATALOGUE = fileURLToPath(new URL('../../fixtures/samples/catalogus-voorjaar.xlsx', import.meta.url));
const SERVICE = ['--base-url', 'http://127.0.0.1:9', '--retries', '0'];
const TOKEN = { CATERSHEET_TOKEN: 't' };
const CONFIG = 'catersheet.config.json';

interface Stop {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly make?: (folder: string) => unknown;
  readonly code: number;
  /** What the Dutch says; the English is tested elsewhere. */
  readonly says: RegExp;
  /** What to do, where that is more than a sentence. */
  readonly next?: RegExp;
}

const write = (name: string, content: string) => (folder: string) =>
  writeFileSync(`${folder}/${name}`, content);
const workbook = (sheets: Parameters<typeof makeWorkbook>[1]) => (folder: string) =>
  makeWorkbook(`${folder}/a.xlsx`, sheets);

const STOPS: readonly Stop[] = [
  { what: 'no command', args: [], code: 2, says: /Noem een opdracht/ },
  { what: 'an unknown command', args: ['stuur'], code: 2, says: /geen opdracht stuur/ },
  { what: 'an unknown flag', args: ['check', '--jes'], code: 2, says: /Er is geen vlag --jes/ },
  { what: 'a missing argument', args: ['import'], code: 2, says: /Er ontbreekt iets achter import/ },
  {
    what: 'a flag without its value',
    args: ['export', 'packages', '-o'],
    code: 2,
    says: /De waarde van -o ontbreekt/,
  },
  { what: 'a number out of bounds', args: ['check', '--retries', '-1'], code: 2, says: /geheel getal van 0/ },
  { what: 'a rate of nothing', args: ['check', '--rate', '0'], code: 2, says: /van 0.1 tot/ },
  { what: 'a port that cannot be', args: ['sandbox', '--port', '99999999'], code: 2, says: /geheel getal/ },
  {
    what: 'a flag that is given twice',
    args: ['export', 'packages', '-o', 'a.csv', '--out', 'b.csv'],
    code: 2,
    says: /--out is meer dan eens gegeven/,
  },
  {
    what: 'a folder that is a file',
    args: ['invoices', 'a.csv', '--to', 'a.csv/f'],
    make: write('a.csv', 'id\n2026001\n'),
    code: 2,
    says: /de map is een bestand/,
  },
  ...(existsSync('/dev/null')
    ? [
        {
          what: 'a folder where none can be',
          args: ['invoices', 'a.csv', '--to', '/dev/null/f/g'],
          make: write('a.csv', 'id\n2026001\n'),
          code: 2,
          says: /kunnen geen bestanden worden gezet/,
        },
      ]
    : []),
  {
    what: 'a folder of files that is not there',
    args: ['documents', 'a.csv', '--from', 'weg'],
    make: write('a.csv', 'PartijID;Submap;Document\n9001;a;b.pdf\n'),
    code: 2,
    says: /Er is geen map .*weg/,
  },
  {
    what: 'a folder of invoices that is not named',
    args: ['invoices', 'a.csv', '--to'],
    code: 2,
    says: /De waarde van --to ontbreekt/,
  },
  {
    what: 'a folder of files that is not named',
    args: ['documents', 'a.csv', '--from', ''],
    code: 2,
    says: /--from noemt geen map/,
  },
  { what: 'a file that is not there', args: ['import', 'weg.xlsx'], code: 3, says: /bestaat niet/ },
  {
    what: 'a folder',
    args: ['import', 'map.xlsx'],
    make: (folder) => mkdirSync(`${folder}/map.xlsx`),
    code: 3,
    says: /is een map/,
  },
  {
    what: 'a web page',
    args: ['import', 'a.xlsx'],
    make: write('a.xlsx', '<html><body>hoi</body></html>'),
    code: 3,
    says: /webpagina/,
  },
  {
    what: 'a workbook that is cut off',
    args: ['import', 'a.xlsx'],
    make: write('a.xlsx', 'PK\x03\x04'),
    code: 3,
    says: /afgekapt of beschadigd/,
  },
  {
    what: 'a NUL character',
    args: ['import', 'a.csv', '--as', 'packages'],
    make: write('a.csv', 'ExternalID;OmschrijvingIntern\n1;\0\n'),
    code: 3,
    says: /NUL-teken/,
  },
  {
    what: 'no sheet to import',
    args: ['import', 'a.xlsx'],
    make: workbook({
      Blad1: [
        ['a', 'b'],
        [1, 2],
      ],
    }),
    code: 3,
    says: /geen werkblad om te importeren/,
  },
  {
    what: 'a sheet that another command is for',
    args: ['import', 'a.csv'],
    make: write('a.csv', 'PartijID;Submap;Document\n9001;a;b.pdf\n'),
    code: 3,
    says: /voor catersheet documents/,
  },
  {
    what: 'a finance export',
    args: ['import', 'a.xlsx'],
    make: workbook({
      Overzicht: [['Omzet']],
      Evenementen: [['Evenement', 'Dag', 'Maand']],
      Verantwoording: [['Run']],
    }),
    code: 3,
    says: /financiële export/,
  },
  {
    what: 'a finance export to fetch invoices by',
    args: ['invoices', 'a.xlsx', '--to', 'f'],
    make: workbook({
      Overzicht: [['Omzet']],
      Ritten: [['Rit', 'Evenement', 'Dag']],
      Verantwoording: [['Run']],
    }),
    code: 3,
    says: /financiële export: er staan geen id’s van facturen in/,
    next: /een kolom id, en extension/,
  },
  {
    what: 'a name like that of the finance export',
    args: ['export', 'finances'],
    code: 2,
    says: /geen werkblad finances/,
    next: /bedoel je: catersheet export finance /,
  },
  {
    what: 'headers of the user’s own to a command',
    args: ['invoices', 'a.csv', '--to', 'f'],
    make: write('a.csv', 'Factuurnummer;Klant;Bedrag\n2026001;Bakker;1\n'),
    code: 3,
    says: /--map zegt waar/,
  },
  {
    what: 'no row to send',
    args: ['import', 'a.xlsx'],
    make: workbook({ Pakketten: [[...PACKAGE_HEADER]] }),
    code: 3,
    says: /geen rij om te versturen/,
  },
  {
    what: 'a missing column',
    args: ['import', 'a.xlsx', '--yes'],
    make: workbook({
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoop prijs'],
        [600_003, 'x', 1, 5],
      ],
    }),
    code: 3,
    says: /kolom Verkoopprijs ontbreekt/,
  },
  { what: 'nobody to ask', args: ['import', CATALOGUE], code: 2, says: /geen terminal/ },
  {
    what: 'a result over the input',
    args: ['import', CATALOGUE, '--yes', '--out', CATALOGUE],
    code: 2,
    says: /overschrijven/,
  },
  {
    what: 'a value for no column',
    args: ['import', CATALOGUE, '--set', 'Soep=1'],
    code: 2,
    says: /geen enkel werkblad/,
  },
  {
    what: 'a profile without a file',
    args: ['check', '--profile', 'weg'],
    code: 2,
    says: /geen profiel weg/,
  },
  {
    what: 'a profile that the file lacks',
    args: ['check', '--profile', 'weg'],
    make: write(CONFIG, '{"profiles":{}}'),
    code: 2,
    says: /heeft geen profiel weg/,
  },
  {
    what: 'settings that are no JSON',
    args: ['check'],
    make: write(CONFIG, '{'),
    code: 2,
    says: /geen geldige JSON/,
  },
  {
    what: 'a setting that is not known',
    args: ['check'],
    make: write(CONFIG, '{"profiles":{"default":{"soep":1}}}'),
    code: 2,
    says: /niet zoals het hoort: profiles\.default: hier niet bekend: soep\.$/m,
  },
  { what: 'no token', args: ['check', ...SERVICE], code: 2, says: /geen token/ },
  {
    what: 'a token file that is not there',
    args: ['check', ...SERVICE, '--token-file', 'weg.txt'],
    code: 2,
    says: /tokenbestand weg\.txt/,
  },
  {
    what: 'a token of two lines',
    args: ['check', ...SERVICE],
    env: { CATERSHEET_TOKEN: 'een\ntwee' },
    code: 2,
    says: /tekens die een token niet kan hebben/,
  },
  {
    what: 'http to another machine',
    args: ['check', '--base-url', 'http://catering.example'],
    env: TOKEN,
    code: 2,
    says: /niet versleuteld/,
  },
  {
    what: 'an address that is none',
    args: ['check', '--base-url', 'catering'],
    env: TOKEN,
    code: 2,
    says: /moet met http:\/\/ of https:\/\//,
  },
  {
    what: 'a password in the address',
    args: ['check', '--base-url', 'https://a:b@catering.example'],
    env: TOKEN,
    code: 2,
    says: /gebruikersnaam of wachtwoord/,
  },
  {
    what: 'a service that is not there',
    args: ['check', ...SERVICE],
    env: TOKEN,
    code: 4,
    says: /de verbinding wordt geweigerd/,
  },
  {
    what: 'a ledger that is none',
    args: ['check', '--ledger', 'a.db'],
    make: write('a.db', 'geen database, maar wel lang genoeg om er een te kunnen zijn'.repeat(20)),
    code: 2,
    says: /register .*a\.db/,
  },
  {
    what: 'a log that cannot be written',
    args: ['check', '--log', 'map'],
    make: (folder) => mkdirSync(`${folder}/map`),
    code: 2,
    says: /logboek map/,
  },
  {
    what: 'sandbox data that are none',
    args: ['sandbox', '--data', 'a.db'],
    make: write('a.db', 'geen database, maar wel lang genoeg om er een te kunnen zijn'.repeat(20)),
    code: 2,
    says: /proefomgeving in .*a\.db/,
  },
];

/** What stops here changes nothing on the service: one serves all. */
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ data: ':memory:' });
});
afterAll(() => sandbox.close());

/** What a file stops has this service to go to; other imports have the embedded one, and `check` what it is about. */
function serviceFor({ args, make }: Stop): Record<string, string> {
  const served = args[0] === 'import' && make !== undefined;
  return served ? { CATERSHEET_BASE_URL: sandbox.url, CATERSHEET_TOKEN: sandbox.token } : {};
}

async function stopped(stop: Stop, ...more: string[]): Promise<CliResult> {
  const { args, env, make } = stop;
  const folder = tempFolder();
  await make?.(folder);
  const [command, ...flags] = args;
  const all = command === undefined ? more : [command, ...flags, ...more];
  return await runCli(all, { cwd: folder, env: { CATERSHEET_HOME: folder, ...serviceFor(stop), ...env } });
}

describe('what stops a run is said in Dutch where asked, once on each stream', () => {
  it.each(STOPS)('$what', async (stop) => {
    const dutch = await stopped(stop, '--lang', 'nl');
    const json = await stopped(stop, '--lang=nl', ...(stop.args.includes('sandbox') ? [] : ['--json']));
    expect(dutch.stderr).toMatch(stop.says);
    expect(dutch.stdout).toBe('');
    expect(dutch.stderr).not.toMatch(/\b(the|cannot|Check|Name|See|Use|There is)\b/);
    expect([dutch.code, json.code]).toEqual([stop.code, stop.code]);
    if (stop.args.includes('sandbox')) return;
    const document = JSON.parse(json.stdout) as { error: object };
    expect(document).toEqual({
      error: {
        exit: stop.code,
        message: expect.stringMatching(stop.says),
        next: expect.stringMatching(stop.next ?? /\.$|: catersheet .+$/),
      },
    });
    expect(json.stderr).toContain((document.error as { message: string }).message);
  });

  it('follows the machine before there are settings', async () => {
    const { stderr } = await runCli(['stuur'], { env: { LANG: 'nl_NL.UTF-8' } });
    expect(stderr).toContain('geen opdracht');
  });

  it.each([
    ['in Dutch where the machine speaks it', [], 'Toon deze hulp', 'Importeer een werkmap'],
    ['in English with --lang en', ['--lang', 'en'], 'Show this help', 'Import a workbook'],
    ['in Dutch with --lang nl', ['--lang=nl'], 'Toon deze hulp', 'Importeer een werkmap'],
  ])('gives help %s', async (_, flags, own, ours) => {
    const env = { LANG: 'nl_NL.UTF-8' };
    const { code, stdout } = await runCli(['import', '--help', ...flags], { env });
    expect(code).toBe(0);
    expect(stdout).toContain(own);
    expect(stdout).toContain(ours);
  });
});

it.skipIf(!existsSync('/proc/self'))('says what can’t be kept in a folder that takes no others', async () => {
  const folder = tempFolder();
  const ended = [];
  for (const args of [
    ['check', '--ledger', '/proc/catersheet/a/a.db'],
    ['check', '--log', '/proc/catersheet/a.log'],
    ['sandbox', '--data', '/proc/catersheet/a.db'],
  ])
    ended.push(await runCli([...args, '--lang', 'nl'], { env: { CATERSHEET_HOME: folder } }));
  expect(ended.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
    [2, 'Het register /proc/catersheet/a/a.db kan niet worden geopend: daar mag niet worden geschreven.'],
    [2, 'Het logboek /proc/catersheet/a.log kan niet worden geschreven.'],
    [2, 'De gegevens van de ingebouwde proefomgeving in /proc/catersheet/a.db kunnen niet worden geopend.'],
  ]);
});

it.skipIf(!existsSync('/dev/full'))('says that what it prints can’t be written', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'interface', '--lang', 'nl'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^Wat te tonen was.*de schijf is vol\.\n.*\n$/);
});

it('says in Dutch that the token is refused, with 4', async () => {
  const service = await openTestService();
  const wrong = { env: { CATERSHEET_TOKEN: 'fout' } };
  const { code, stderr } = await service.run(['check', '--lang', 'nl'], wrong);
  expect(code).toBe(4);
  expect(stderr).toContain('Het systeem weigert het token (401)');
  const json = await service.run(['import', CATALOGUE, '--yes', '--json'], wrong);
  expect(json.code).toBe(4);
  expect(JSON.parse(json.stdout)).toMatchObject({
    error: { exit: 4, message: expect.stringContaining('refuses the token (401)') },
  });
});

it('prints one document where a run ends after its rows were shown', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
    Pakketten: [[...PACKAGE_HEADER], [600_000, 'Lunchbuffet', 1, 12.5, true]],
  });
  const server = createServer((_, response) => response.writeHead(200).end('<html>onderhoud</html>'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const args = [
    'import',
    file,
    '--yes',
    '--json',
    '--retries',
    '0',
    '--base-url',
    `http://127.0.0.1:${port}`,
  ];
  const { code, stdout } = await service.run(args);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toHaveProperty('error.exit', 4);
});

describe('the sandbox refuses settings that cannot be', () => {
  it.each([
    ['--port', '99999999'],
    ['--port', '-1'],
    ['--port', '40.5'],
    ['--port', 'vier'],
    ['--latency', '-5'],
    ['--latency', '700000'],
    ['--page-size', '0'],
    ['--external-id', 'soms'],
  ])('%s %s', async (flag, value) => {
    const { code, stderr } = await runCli(['sandbox', '--data', ':memory:', `${flag}=${value}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(flag.slice(2));
    expect(stderr).toContain('catersheet sandbox --data :memory: --');
    expect(stderr).not.toContain('fault');
  });
});
