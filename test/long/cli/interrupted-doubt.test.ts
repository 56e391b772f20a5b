import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ImportDocument } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { CLI, runCli, tempFolder } from '../../helpers/run-cli.ts';
import type { Failure } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import type { Received } from '../../second-service/types.ts';

async function open(choose: (request: Received) => Failure | undefined) {
  const service = await startSecondService({ company: 'lookups', failures: { choose } });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const env = {
    ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder },
  };
  const run = async (args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) =>
    await runCli(args, { cwd: folder, env, ...(onStart && { onStart }) });
  const importing = async (
    args: readonly string[],
    onStart?: (kill: (signal: NodeJS.Signals) => void) => void,
  ) => {
    const ended = await run([...args, '--yes', '--json=all', '--out', 'r.xlsx'], onStart);
    return { ...ended, document: JSON.parse(ended.stdout) as ImportDocument };
  };
  const file = async (rows: number) =>
    await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(rows) });
  return { service, folder, run, importing, file };
}

const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === 'package.create';

// Windows has no signal that one program gives another: it would end at once.
it.skipIf(process.platform === 'win32').each([
  ['arrives later, and apply finds it', { kind: 'late', giveUp: 'RST', commitAfterMs: 8000 }, 'apply'],
  ['never arrives, and importing again sends it', { kind: 'reset', when: 'before' }, 'import'],
] as const)('a create in doubt at Ctrl-C is said to be unknown everywhere; it %s', async (_, failure, by) => {
  let creates = 0;
  const { service, run, importing, file } = await open((request) =>
    isCreate(request) && ++creates === 2 ? failure : undefined,
  );
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const a = await file(4);
  // The other three are there, with their keys.
  service.at(
    ({ endpoint }) => endpoint === 'package.update' && service.journal.of('package.update').length === 3,
    () => setTimeout(() => kill('SIGINT'), 300),
    { side: 'after' },
  );
  const first = await importing(['import', a, '--concurrency', '1', '--doubt', '60'], (send) => {
    kill = send;
  });
  expect(first.code).toBe(130);
  const { run: name } = first.document;
  expect(first.document.counts).toMatchObject({ created: 3, unknown: 1, notSent: 0 });
  const [unknown] = first.document.rows.filter(({ status }) => status === 'unknown');
  expect(unknown?.message).toMatch(
    /^sent on .*, and no answer is known; .*catersheet apply .*, looks whether/,
  );
  expect(first.stderr).toContain(`catersheet apply ${name}`);
  const shown = await run(['runs', name]);
  expect(shown.stdout).toContain(`(ExternalID 600001): unknown: ${unknown?.message}`);
  expect(shown.stdout).toContain('3 created, 1 unknown');
  await service.settled();
  const second = await importing([...(by === 'apply' ? ['apply', name] : ['import', a]), '--doubt', '0.5']);
  expect(second.code).toBe(0);
  expect(second.document.counts).toMatchObject({ unknown: 0, notSent: 0, failed: 0 });
  expect(service.packages.where({ OmschrijvingIntern: 'Lunchbuffet 600001' })).toHaveLength(1);
  expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
  const { document } = await importing(['import', a]);
  expect(document.counts).toMatchObject({ unchanged: 4 });
});

// Windows has no signal that one program gives another: it would end at once.
it.skipIf(process.platform === 'win32')(
  'Ctrl-C says at once how many requests are out and until when it waits for them; a second one ends at once, and the next run finds what arrived',
  async () => {
    let creates = 0;
    const { service, folder, run, importing, file } = await open((request) =>
      isCreate(request) && ++creates > 2 ? { kind: 'hang', when: 'after' } : undefined,
    );
    const a = await file(6);
    const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token };
    const args = ['import', a, '--yes', '--concurrency', '2', '--timeout', '600000'];
    const child = spawn(process.execPath, [CLI, ...args], {
      ...{ cwd: folder, env: { PATH: process.env.PATH ?? '', CATERSHEET_HOME: folder, ...env } },
    });
    let told = '';
    child.stderr.on('data', (part: Buffer) => {
      told += part.toString('utf8');
    });
    const ended = once(child, 'close');
    const soon = { timeout: 120_000, interval: 5 };
    await vi.waitFor(() => expect(creates).toBe(4), soon);
    child.kill('SIGINT');
    await vi.waitFor(() => expect(told).toContain('still out'), soon);
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect(told).toMatch(
      /^2 requests are still out; waiting until \d\d:\d\d:\d\d for their answers\. Ctrl-C/m,
    );
    service.set({ failures: { choose: undefined } });
    expect((await run(['runs'])).stdout).toContain('6 rows, 2 created, 2 unknown, 2 not sent');
    const { document } = await importing(['import', a, '--doubt', '0.3']);
    expect(document.counts).toMatchObject({ read: 6, created: 2, unknown: 0, failed: 0, notSent: 0 });
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
    expect(service.faults).toEqual([]);
  },
);
