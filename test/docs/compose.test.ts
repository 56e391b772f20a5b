import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { openDatabase } from '../../src/ledger/postgres/database.ts';
import { type Shown, shownCommands, wrongWith } from './command-lines.ts';
import { paper } from './papers.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../docs/compose/${file}`, import.meta.url), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly env_file: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas: number };
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck: { readonly test: readonly string[] };
}

const parsed = parseDocument(read('compose.yaml'), { strict: true, uniqueKeys: true });
const compose = parsed.toJS() as {
  readonly services: Readonly<Record<'database' | 'worker', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { database, worker } = compose.services;
const lines = read('Dockerfile').replaceAll('\\\n', '').split('\n');
const instruction = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

let commands: ReadonlyMap<string, Shown>;
beforeAll(async () => {
  commands = await shownCommands();
});

describe('the compose file', () => {
  test('is YAML without an error or a warning', () => {
    expect(parsed.errors).toEqual([]);
    expect(parsed.warnings).toEqual([]);
  });

  test('starts a command with flags that the program understands, twice', () => {
    const line = `catersheet ${worker.command?.join(' ')}`;
    expect(wrongWith(line, commands), line).toBeNull();
    expect(wrongWith(`${line} --wachtrij`, commands)).not.toBeNull();
    expect(worker.deploy?.replicas).toBe(2);
  });

  test('names a ledger in the database that it starts, without a password', () => {
    const { command = [] } = worker;
    const url = new URL(command[command.indexOf('--ledger') + 1] ?? '');
    expect(Object.keys(compose.services)).toContain(url.hostname);
    expect(url.username).toBe(database.environment?.POSTGRES_USER);
    expect(url.pathname).toBe(`/${database.environment?.POSTGRES_DB}`);
    expect(url.password).toBe('');
    expect(openDatabase(url.href, {}).place).toBe('postgres://catersheet@database/catersheet');
    expect(Object.keys(worker.depends_on ?? {})).toEqual([url.hostname]);
  });

  test('keeps what it stores in a volume that it has, and secrets in files beside it', () => {
    for (const volume of database.volumes ?? [])
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    expect([database.env_file, worker.env_file]).toEqual(['database.env', 'worker.env']);
    expect(read('compose.yaml')).not.toMatch(/(?:PASSWORD|TOKEN): /);
    for (const name of read('compose.yaml').match(/CATERSHEET_[A-Z_]+/g) ?? [])
      expect(paper('docs/settings.md').text + paper('docs/operations.md').text, name).toContain(name);
  });

  test('asks the port for its health that the worker serves, with JavaScript that runs', () => {
    const port = worker.command?.[worker.command.indexOf('--metrics') + 1];
    const script = worker.healthcheck.test.at(-1) ?? '';
    expect(script).toContain(`http://127.0.0.1:${port}/metrics`);
    expect(() => new Function(script)).not.toThrow();
  });

  test('is told of on the page for who runs it', () => {
    expect(paper('docs/operations.md').text).toContain('(compose/compose.yaml)');
    expect(paper('docs/operations.md').text).toContain('(compose/Dockerfile)');
  });
});

describe('the image of a worker', () => {
  const packed = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>;
    readonly engines: { readonly node: string };
    readonly files: readonly string[];
  };

  test('has the Node that the package asks for, and installs the package', () => {
    const [, major] = /^node:(\d+)/.exec(instruction('FROM')[0] ?? '') ?? [];
    expect(packed.engines.node).toContain(`>=${major}.`);
    expect(instruction('COPY')).toEqual(['catersheet-*.tgz /tmp/']);
    expect(instruction('RUN')[0]).toContain('npm install --global');
    expect(packed.files).toContain('docs');
  });

  test('starts the program that the package has, and a command that there is', () => {
    const [entry = ''] = JSON.parse(instruction('ENTRYPOINT')[0] ?? '[]') as string[];
    expect(Object.keys(packed.bin)).toContain(entry);
    const [command = ''] = JSON.parse(instruction('CMD')[0] ?? '[]') as string[];
    expect([...commands.keys()]).toContain(command);
    expect(instruction('USER')).toEqual(['node']);
  });
});
