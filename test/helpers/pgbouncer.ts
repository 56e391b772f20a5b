import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, serverUser, type TestPostgres } from './postgres.ts';

/** Whether this machine has PgBouncer. */
export const hasPgbouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

/** A pooler in transaction mode in front of a server; answers an address by way of it. */
export async function startPgbouncer({ port }: TestPostgres) {
  const own = await freePort();
  const folder = mkdtempSync('/tmp/catersheet-bouncer-');
  chmodSync(folder, 0o755);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${port} user=beheer`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
    // Fewer connections than its users ask for: one that kept something would find another's.
    ...['pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 500'],
  ];
  writeFileSync(join(folder, 'bouncer.ini'), `${settings.join('\n')}\n`);
  const user = serverUser();
  const child = spawn('pgbouncer', [join(folder, 'bouncer.ini')], { ...user, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (child.exitCode === null && !(await answers(own)))
    await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    by: (address: string): string => address.replace(`:${port}/`, `:${own}/`),
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
