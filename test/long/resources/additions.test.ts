import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorkbook, readBack } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A field that no resource has, as the one line that declares it, and what a workbook says of it. */
interface NewField {
  readonly file: string;
  readonly name: string;
  readonly line: string;
  /** Where the value is sent: endpoints by their names. */
  readonly sentBy: readonly string[];
  readonly value: string | number;
  /** What `export` is told, and what it makes of the value. */
  readonly exported?: readonly [what: readonly string[], id: string, cell: string];
}

const help = `help: { en: 'Tried here alone', nl: 'Alleen hier geprobeerd' }`;
const PERIOD = ['--from', '2026-01-01', '--to', '2027-12-31'];

const FIELDS: readonly NewField[] = [
  {
    ...{ file: 'packages', name: 'Keurmerk', value: 'Biologisch' },
    line: `Keurmerk: text({ create: 'optional', update: 'optional', ${help}, example: 'Biologisch' }),`,
    sentBy: ['packages.create', 'packages.update'],
    exported: [['packages'], '5001', 'Biologisch'],
  },
  {
    ...{ file: 'recipes', name: 'Bakduur', value: 37.5 },
    line: `Bakduur: decimal({ create: 'optional', update: 'optional', ${help}, example: 12.5 }),`,
    sentBy: ['recipes.create', 'recipes.update'],
    exported: [['recipes'], '7001', '37,5'],
  },
  {
    ...{ file: 'events', name: 'Dresscode', value: 'Feestelijk' },
    line: `Dresscode: text({ update: 'optional', ${help}, example: 'Feestelijk' }),`,
    sentBy: ['events.update'],
    exported: [['events', ...PERIOD], '9001', 'Feestelijk'],
  },
  {
    ...{ file: 'arrangements', name: 'Gangen', value: 4 },
    line: `Gangen: integer({ create: 'optional', update: 'optional', ${help}, example: 3 }),`,
    sentBy: ['arrangements.create', 'arrangements.update'],
    exported: [['arrangements', ...PERIOD], '9001', '4'],
  },
  {
    ...{ file: 'trips', name: 'Kenteken', value: 'NK-123-B' },
    line: `Kenteken: text({ update: 'optional', ${help}, example: 'NK-123-B' }),`,
    sentBy: ['trips.update'],
    exported: [['trips', ...PERIOD], '8001', 'NK-123-B'],
  },
  {
    ...{ file: 'stock-mutations', name: 'Partijnummer', value: 'L2031' },
    line: `Partijnummer: text({ create: 'optional', reads: 'none', ${help}, example: 'L2031' }),`,
    sentBy: ['stock.create'],
  },
];

/** What is added of one resource more, that the service makes itself: whole files of this test, and lines behind others. */
const RELATIONS = {
  whole: {
    'src/resources/relations.ts': 'relations.ts',
    'src/sandbox/handlers/relations.ts': 'relation-handlers.ts',
  },
  lines: {
    'src/resources/registry.ts': [
      [`import { recipes } from './recipes.ts';`, `import { relations } from './relations.ts';`],
      ['export const resources: readonly Resource[] = [', '  relations,'],
    ],
    'src/sandbox/handlers/handlers.ts': [
      [
        `import { productHandlers } from './products.ts';`,
        `import { relationHandlers } from './relations.ts';`,
      ],
      ['export const handlers: Handlers = {', '  ...relationHandlers,'],
    ],
    'src/sandbox/store/store.ts': [['RECORD_KINDS = [', `  'relation',`]],
  },
} as const;

/** The entry of the program, bundled: it is run some thirty times. */
const PROGRAM = 'dist/catersheet.js';

type Scratch = (...args: string[]) => Promise<{ code: number | null; stdout: string }>;

/** Puts lines into a file of the copy, each behind what it stands behind. */
function addLines(path: string, lines: readonly (readonly [behind: string, line: string])[]): void {
  let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  for (const [behind, line] of lines) {
    expect(text).toContain(behind);
    text = text.replace(behind, `${behind}\n${line}`);
  }
  writeFileSync(path, text);
}

/** A copy of the program that has all of this more, as npm run build makes it, and a way to run its files. */
async function scratchCopy(): Promise<Scratch> {
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'rolldown.config.mjs'];
  for (const part of ['src', 'scripts', ...settings])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const { file, line } of FIELDS)
    addLines(join(copy, `src/resources/${file}.ts`), [['const fields = {', `  ${line}`]]);
  for (const [file, own] of Object.entries(RELATIONS.whole)) {
    const text = readFileSync(join(import.meta.dirname, '../../resources/additions', own), 'utf8');
    const root = '../'.repeat(file.split('/').length - 2);
    writeFileSync(join(copy, file), text.replaceAll('../../../src/', root));
  }
  for (const [file, lines] of Object.entries(RELATIONS.lines)) addLines(join(copy, file), lines);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  // Without a check of its types, which takes several times as long: a line that does not fit fails where it is used.
  const made = await run(copy, tsc, '-p', 'tsconfig.build.json', '--declaration', 'false', '--noCheck');
  expect(made).toMatchObject({ code: 0 });
  const rolldown = join(ROOT, 'node_modules/rolldown/bin/cli.mjs');
  const bundled = await run(copy, rolldown, '-c', 'rolldown.config.mjs', '--logLevel', 'warn');
  expect(bundled).toMatchObject({ code: 0 });
  return (file, ...args) => run(copy, join(copy, file), ...args);
}

/** Each runs a program a dozen times, ms. */
const LIMIT = 300_000;

const copy = mkdtempSync(join(tmpdir(), 'catersheet-test-'));
let program: Scratch;
beforeAll(async () => {
  program = await scratchCopy();
}, LIMIT);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a program of node's, with a service, ledger and settings of its own in the folder. */
async function run(folder: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const env = { PATH: process.env.PATH ?? '', LANG: 'nl_NL.UTF-8', CATERSHEET_HOME: folder };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.resume();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout: Buffer.concat(chunks).toString('utf8') };
}

/** What an export holds: for each record its cells by their headers. */
async function exported(...what: string[]): Promise<ReadonlyMap<string, string>[]> {
  const { code, stdout } = await program(
    PROGRAM,
    'export',
    ...what,
    '--out',
    '-',
    '--format',
    'csv',
    '--delimiter',
    ';',
  );
  expect([what[0], code]).toEqual([what[0], 0]);
  const [header = [], ...rows] = stdout
    .replace('\uFEFF', '')
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  return rows.map((row) => new Map(header.map((name, at) => [name, row[at] ?? ''])));
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: ObjectSchema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

interface Counted {
  readonly run: string;
  readonly counts: Readonly<Record<string, number>>;
}

type Row = readonly (string | number)[];

const of = (file: string): string | number => FIELDS.find((field) => field.file === file)?.value ?? '';
const MOMENT = '2026-03-31 07:45';
const MUTATION: Row = [12, MOMENT, 4901, 'Weektelling koelcel', of('stock-mutations')];
const MUTATED: Row = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden', 'Partijnummer'];

const SHEETS: Readonly<Record<string, readonly Row[]>> = {
  Pakketten: [
    ['ProductID', 'Keurmerk'],
    [5001, of('packages')],
  ],
  Recepten: [
    ['ProductID', 'Bakduur'],
    [7001, of('recipes')],
  ],
  Evenementen: [
    ['PartijID', 'Dresscode'],
    [9001, of('events')],
  ],
  Arrangementen: [
    ['PartijID', 'ArrangementID', 'Aantal', 'Datum', 'Gangen'],
    [9001, 19, 10, '2027-04-18', of('arrangements')],
  ],
  Ritten: [
    ['RitID', 'Kenteken'],
    [8001, of('trips')],
  ],
  Voorraadmutaties: [
    ['ProductID', 'AantalRekeneenheid', ...MUTATED],
    [7001, 2, ...MUTATION],
  ],
  Voorraadtelling: [
    ['ProductID', 'GeteldRekeneenheid', ...MUTATED],
    [7003, 60, ...MUTATION],
  ],
};

test('a new field is one line in one file: imported, exported, in the template, in OpenAPI and in docs', {
  timeout: LIMIT,
}, async () => {
  const folder = tempFolder();

  const { paths, components } = JSON.parse((await program(PROGRAM, 'interface', '--json')).stdout) as OpenApi;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const { name, sentBy, exported } of FIELDS) {
    const taking = operations.filter(
      ({ requestBody }) => requestBody?.content['application/json']?.schema.properties[name] !== undefined,
    );
    expect(taking.map(({ operationId }) => operationId).sort()).toEqual(sentBy);
    const answered = Object.values(components.schemas).some(({ properties }) => name in properties);
    expect([name, answered]).toEqual([name, exported !== undefined]);
  }

  const pages = tempFolder();
  expect(await program('scripts/interface-page.mjs', pages)).toMatchObject({ code: 0 });
  const page = readFileSync(join(pages, 'interface.md'), 'utf8');
  for (const { name } of FIELDS) expect(page).toContain(`| \`${name}\` |`);

  const template = join(folder, 'template.xlsx');
  expect(await program(PROGRAM, 'template', '--offline', '--out', template)).toMatchObject({ code: 0 });
  const sheets = await readBack(template);
  for (const [sheet, [header = []]] of Object.entries(SHEETS)) {
    const added = header.find((name) => FIELDS.some((field) => field.name === name));
    expect([...(sheets.get(sheet)?.get(1)?.values() ?? [])]).toContain(added);
  }

  const file = await makeWorkbook(join(folder, 'nieuw.xlsx'), SHEETS);
  const imported = async (...flags: string[]): Promise<Counted> =>
    JSON.parse((await program(PROGRAM, 'import', file, ...flags, '--json')).stdout) as Counted;
  expect((await imported('--dry-run')).counts).toMatchObject({ read: 7, created: 3, updated: 4 });
  expect((await imported('--yes')).counts).toMatchObject({ read: 7, created: 3, updated: 4 });
  expect((await imported('--yes')).counts).toMatchObject({ read: 7, unchanged: 7 });

  for (const { name, exported: expected } of FIELDS) {
    if (expected === undefined) continue;
    const [what, id, cell] = expected;
    const rows = (await exported(...what)).filter((row) => [...row.values()].includes(id));
    expect([name, rows.map((row) => row.get(name))]).toEqual([name, expect.arrayContaining([cell])]);
  }
});

test('a new resource is at most 5 files and 120 lines, with all that others do', {
  timeout: LIMIT,
}, async () => {
  const whole = Object.keys(RELATIONS.whole).map((file) => readFileSync(join(copy, file), 'utf8').trimEnd());
  const lines = Object.values(RELATIONS.lines).map((added) => added.length);
  expect(whole.length + lines.length).toBeLessThanOrEqual(5);
  const count = whole.flatMap((text) => text.split('\n')).length + lines.reduce((sum, one) => sum + one, 0);
  expect(count).toBeLessThanOrEqual(120);

  const { paths } = JSON.parse((await program(PROGRAM, 'interface', '--json')).stdout) as OpenApi;
  expect(paths['/api/v1/relation']?.post?.operationId).toBe('relations.update');
  const folder = tempFolder();
  const template = join(folder, 'relaties.xlsx');
  expect(await program(PROGRAM, 'template', 'relations', '--offline', '--out', template)).toMatchObject({
    code: 0,
  });
  expect([...(await readBack(template)).keys()]).toContain('Relaties');
  expect(await program('scripts/interface-page.mjs', folder)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'interface.md'), 'utf8')).toContain(
    '| `POST api/v1/relation` | Change a record of relations |',
  );

  const imported = async (file: string): Promise<Counted> =>
    JSON.parse((await program(PROGRAM, 'import', file, '--yes', '--json')).stdout) as Counted;
  const held = async (): Promise<string[][]> => {
    const rows = await exported('relations');
    const picked = rows.map((row) =>
      ['RelatieID', 'Telefoon', 'DigitaleFactuur'].map((name) => row.get(name) ?? ''),
    );
    return picked.filter(([id]) => id === '1' || id === '2').sort();
  };
  const before = await held();
  expect(before).toHaveLength(2);
  const file = await makeWorkbook(join(folder, 'relaties-bij.xlsx'), {
    Relaties: [
      ['RelatieID', 'Telefoon', 'DigitaleFactuur'],
      [1, '0341-999999', false],
      [2, '0577-123456', null],
      [77, '1', null],
    ],
  });
  const sent = await imported(file);
  expect(sent.counts).toMatchObject({ read: 3, updated: 2, invalid: 1 });
  expect(Object.fromEntries((await held()).map(([id, phone]) => [id, phone]))).toEqual({
    1: '0341-999999',
    2: '0577-123456',
  });
  expect((await imported(file)).counts).toMatchObject({ read: 3, unchanged: 2, invalid: 1 });

  const undo = join(folder, 'terug.xlsx');
  expect(await program(PROGRAM, 'undo', sent.run, '--out', undo)).toMatchObject({ code: 0 });
  expect((await imported(undo)).counts).toMatchObject({ read: 2, updated: 2 });
  expect(await held()).toEqual(before);
});
