import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';

const CATALOGUE = fileURLToPath(new URL('../../fixtures/samples/catalogus-voorjaar.xlsx', import.meta.url));

interface Refusal {
  readonly what: string;
  readonly name: string;
  readonly make: (file: string) => unknown;
  readonly says: RegExp;
}

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const REFUSALS: readonly Refusal[] = [
  { what: 'a missing file', name: 'weg.xlsx', make: () => {}, says: /does not exist/ },
  { what: 'a folder', name: 'map.xlsx', make: (file) => mkdirSync(file), says: /folder/ },
  { what: '0 bytes', name: 'leeg.xlsx', make: (file) => writeFileSync(file, ''), says: /empty/ },
  {
    what: 'HTML',
    name: 'web.xlsx',
    make: (file) => writeFileSync(file, '<html><table><tr><td>1</td></tr></table></html>'),
    says: /HTML/,
  },
  {
    what: 'a truncated workbook',
    name: 'half.xlsx',
    make: (file) => writeFileSync(file, readFileSync(CATALOGUE).subarray(0, 9000)),
    says: /cut off|damaged/,
  },
  {
    what: 'an old or protected Office file',
    name: 'oud.xls',
    make: (file) => writeFileSync(file, Buffer.concat([OLE, Buffer.alloc(4096)])),
    says: /old Office|password/,
  },
  { what: 'a PDF', name: 'kaart.xlsx', make: (file) => writeFileSync(file, '%PDF-1.7\n'), says: /PDF/ },
  {
    what: 'no rows below the header',
    name: 'kop.xlsx',
    make: (file) => makeWorkbook(file, { Pakketten: [['ExternalID', 'Verkoopprijs']] }),
    says: /no row/,
  },
  {
    what: 'no sheet of ours',
    name: 'ander.xlsx',
    make: (file) =>
      makeWorkbook(file, {
        Blad1: [
          ['a', 'b'],
          [1, 2],
        ],
      }),
    says: /no sheet to import/,
  },
];

describe('a file that cannot be imported ends with 3, one sentence and a way out', () => {
  it.each(REFUSALS)('$what', async ({ name, make, says }) => {
    const folder = tempFolder();
    const file = join(folder, name);
    await make(file);
    const { code, stdout, stderr } = await runCli(['import', file, '--yes', '--quiet'], {
      env: { CATERSHEET_HOME: folder },
    });
    expect(stderr).toMatch(says);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/\.$/);
  });
});

const USAGE: readonly {
  what: string;
  args: readonly string[];
  env?: Record<string, string>;
  says: RegExp;
}[] = [
  { what: 'no command', args: [], says: /Name a command/ },
  { what: 'an unknown command', args: ['stuur'], says: /stuur/ },
  { what: 'an unknown flag', args: ['import', CATALOGUE, '--jes'], says: /jes/ },
  { what: 'a resource that does not exist', args: ['import', CATALOGUE, '--as', 'soep'], says: /soep/ },
  { what: '--set without a field', args: ['import', CATALOGUE, '--set', 'Soep=1'], says: /Soep/ },
  {
    what: 'a service without a token',
    args: ['import', CATALOGUE, '--base-url', 'http://127.0.0.1:9'],
    says: /no token/,
  },
  {
    what: 'http to another machine',
    args: ['import', CATALOGUE, '--base-url', 'http://catering.example'],
    env: { CATERSHEET_TOKEN: 't' },
    says: /not encrypted/,
  },
  { what: 'a profile that is not there', args: ['check', '--profile', 'weg'], says: /profile weg/ },
  {
    what: 'a result over the input',
    args: ['import', CATALOGUE, '--yes', '--out', CATALOGUE],
    says: /overwrite the input/,
  },
  { what: 'a concurrency of none', args: ['check', '--concurrency', '0'], says: /concurrency/ },
];

describe('wrong usage ends with 2 and says what', () => {
  it.each(USAGE)('$what', async ({ args, env, says }) => {
    const folder = tempFolder();
    const { code, stderr } = await runCli(args, { cwd: folder, env: { CATERSHEET_HOME: folder, ...env } });
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe('a service that is not there', () => {
  it('ends with 4 and sends nothing', async () => {
    const folder = tempFolder();
    const args = ['import', CATALOGUE, '--yes', '--base-url', 'http://127.0.0.1:9', '--retries', '0'];
    const { code, stderr } = await runCli(args, {
      cwd: folder,
      env: { CATERSHEET_HOME: folder, CATERSHEET_TOKEN: 't' },
    });
    expect(code).toBe(4);
    expect(stderr).toContain('refused');
  });
});

it('without a command all help is shown, also where the language alone is said', async () => {
  const [plain, dutch] = [await runCli([]), await runCli(['--lang', 'nl'])];
  expect(plain.stderr).toMatch(/Import a workbook[\s\S]*Name a command\./);
  expect(dutch.stderr).toMatch(/Importeer een werkmap[\s\S]*Noem een opdracht\./);
  expect([plain.code, dutch.code]).toEqual([EXIT.usage, EXIT.usage]);
});

describe('what was named and is not there is put right in a whole command', () => {
  it('a sheet, a column for --set, a workbook that is there already, a run begun', async () => {
    const folder = tempFolder();
    const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
    const commandOf = async (line: string): Promise<string> => {
      const { code, stderr } = await runCli(line.split(' '), options);
      expect(code).toBe(EXIT.usage);
      return /Type it like this:\s+catersheet (.+)/.exec(stderr)?.[1] ?? stderr;
    };
    await makeWorkbook(join(folder, 'a.xlsx'), {
      Pakketten: [
        ['ExternalID', 'Verkoopprijs'],
        [30_001, 3],
      ],
    });
    expect(await commandOf('import a.xlsx --sheet Paketten --dry-run')).toBe(
      'import a.xlsx --sheet Pakketten --dry-run',
    );
    expect(await commandOf('import a.xlsx --set Verkoopprjs=3 --dry-run')).toBe(
      'import a.xlsx --set Verkoopprijs=3 --dry-run',
    );
    expect((await runCli(['template', '--offline', '-o', 'w.xlsx'], options)).code).toBe(EXIT.ok);
    expect(await commandOf('template --offline -o w.xlsx')).toBe('template --offline --out w-2.xlsx');
    const { code, stdout } = await runCli('import a.xlsx --as pakketten --dry-run'.split(' '), options);
    expect(code).toBe(EXIT.ok);
    const [run = ''] = /\d{8}-\d{6}-\w{4}/.exec(stdout) ?? [];
    for (const command of ['runs', 'apply', 'undo'])
      expect(await commandOf(`${command} ${run.slice(0, 8)}`)).toBe(`${command} ${run}`);
  });
});
