import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { waitFor } from './virtual-time.ts';

/** A PostgreSQL server of the tests' own. */
export interface TestPostgres {
  readonly port: number;
  /** Makes an empty database, and answers its address. */
  database(): Promise<string>;
  /** Does something as the server's administrator. */
  ask(sql: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** Stops it as a crash does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const FOLDERS = '/usr/lib/postgresql';

/** The newest PostgreSQL of this machine, 15 or newer; undefined where there is none. */
export function postgresFolder(): string | undefined {
  const found = existsSync(FOLDERS) ? readdirSync(FOLDERS) : [];
  const [newest] = found
    .filter((name) => Number(name) >= 15)
    .sort((one, other) => Number(other) - Number(one));
  if (newest !== undefined) return join(FOLDERS, newest, 'bin');
  const { stdout, status } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return status === 0 && existsSync(join(stdout.trim(), 'initdb')) ? stdout.trim() : undefined;
}

/** The server refuses to run as root. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/**
 * A port that nobody has, and that nobody gets until it is used: whoever asks the system for any port gets one
 * above these.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB'];

/** What asks a database: time that passes by itself waits for the answer. */
const ASKING = [
  [pg.Client.prototype, 'query'],
  [pg.Pool.prototype, 'query'],
  [pg.Pool.prototype, 'connect'],
] as const;

/** Lets what asks a database be waited for, until the answer is called. */
function waitForDatabases(): () => void {
  const before = ASKING.map(([on, name]) => [on, name, Reflect.get(on, name)] as const);
  for (const [on, name, ask] of before)
    Reflect.set(on, name, function (this: unknown, ...asked: unknown[]): unknown {
      const told: unknown = Reflect.apply(ask, this, asked);
      return told instanceof Promise ? waitFor(told) : told;
    });
  return () => {
    for (const [on, name, ask] of before) Reflect.set(on, name, ask);
  };
}

/** The server of all test files that this process runs, one after the other: starting one takes as long as a file. */
let server: TestPostgres | undefined;

/** A server to be used in the tests of a file; none where there is no PostgreSQL. */
export function usePostgres(): TestPostgres {
  let asAlways = (): void => {};
  beforeAll(async () => {
    if (postgresFolder() === undefined) return;
    if (server === undefined) {
      server = await startPostgres();
      // As those who run tests end their workers: the server ends with the process.
      process.once('SIGTERM', () => process.exit());
    }
    asAlways = waitForDatabases();
  });
  afterAll(() => asAlways());
  return new Proxy({} as TestPostgres, {
    get: (_, name: keyof TestPostgres) => {
      if (server === undefined) throw new Error('the server runs while tests do');
      return server[name];
    },
  });
}

/** Starts a server with a folder and port of its own. Throws where there is no PostgreSQL. */
export async function startPostgres(more: readonly string[] = []): Promise<TestPostgres> {
  const bin = postgresFolder();
  if (bin === undefined) throw new Error('there is no PostgreSQL here');
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-pg-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const flags = ['-D', data, '-U', 'beheer', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), flags, { ...user, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const options = [...SETTINGS, ...more].flatMap((setting) => ['-c', setting]);
  const address = (name: string): string => `postgres://beheer@127.0.0.1:${port}/${name}`;

  const start = async () => {
    // No socket in a folder, whose name has room for 107 characters.
    const where = ['-D', data, '-k', '', '-h', '127.0.0.1', '-p', String(port)];
    const child = spawn(join(bin, 'postgres'), [...where, ...options], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    for (;;) {
      try {
        const client = new pg.Client({ connectionString: address('postgres') });
        await client.connect();
        await client.end();
        return { child, ended };
      } catch (error) {
        if (child.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };

  let server = await start();
  let count = 0;
  const ask: TestPostgres['ask'] = async (sql, database = 'postgres') => {
    const client = new pg.Client({ connectionString: address(database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.child.kill(signal);
    await server.ended;
  };
  // Whatever ends the tests, no server stays.
  const last = (): void => void server.child.kill('SIGQUIT');
  process.once('exit', last);
  return {
    port,
    ask,
    async database() {
      const name = `proef_${++count}`;
      await ask(`create database ${name}`);
      return address(name);
    },
    async restart() {
      await end('SIGQUIT');
      server = await start();
    },
    async stop() {
      process.removeListener('exit', last);
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
