import { expect, it, onTestFinished, vi } from 'vitest';
import type { ImportDocument } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { type CliOptions, runCli, tempFolder } from '../../helpers/run-cli.ts';
import type { Failure } from '../../second-service/knobs.ts';
import { startSecondService } from '../../second-service/second-service.ts';
import type { Received } from '../../second-service/types.ts';

/** A service, and a file of so many packages that is imported with it. */
async function open(rows: number, choose?: (request: Received) => Failure | undefined) {
  const service = await startSecondService({ company: 'lookups', failures: { choose } });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const a = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(rows) });
  const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder };
  const run = (args: readonly string[], more: CliOptions = {}) => runCli(args, { cwd: folder, env, ...more });
  const importing = async (args: readonly string[], more?: CliOptions) => {
    const ended = await run([...args, '--yes', '--json=all', '--out', 'r.xlsx'], more);
    return { ...ended, document: JSON.parse(ended.stdout) as ImportDocument };
  };
  return { service, a, run, importing };
}

const isCreate = ({ endpoint }: { readonly endpoint: string }): boolean => endpoint === 'package.create';

// Windows has no signal that one program gives another: it would end at once.
const onPosix = it.skipIf(process.platform === 'win32');

onPosix('Ctrl-C while planning sends nothing, and says how to go on', async () => {
  const { service, run } = await open(3);
  let kill: (signal: NodeJS.Signals) => void = () => {};
  service.at(
    ({ write }) => !write,
    () => kill('SIGINT'),
  );
  const { code, stderr } = await run(['import', 'a.xlsx', '--yes'], { onStart: (send) => (kill = send) });
  expect([code, service.journal.writes]).toEqual([130, []]);
  expect(stderr).toContain('Give the same command again to go on');
});

onPosix(
  'a create in doubt at Ctrl-C is said to be unknown everywhere, and sent by the next import',
  async () => {
    let creates = 0;
    const { service, a, run, importing } = await open(4, (request) =>
      isCreate(request) && ++creates === 2 ? { kind: 'reset', when: 'before' } : undefined,
    );
    let kill: (signal: NodeJS.Signals) => void = () => {};
    // The other three are there, with their keys.
    service.at(
      ({ endpoint }) => endpoint === 'package.update' && service.journal.of('package.update').length === 3,
      () => setTimeout(() => kill('SIGINT'), 300),
      { side: 'after' },
    );
    const args = ['import', a, '--concurrency', '1', '--doubt', '60'];
    const first = await importing(args, { onStart: (send) => (kill = send) });
    expect(first.code).toBe(130);
    const { run: name, counts, rows } = first.document;
    expect(counts).toMatchObject({ created: 3, unknown: 1, notSent: 0 });
    const [unknown] = rows.filter(({ status }) => status === 'unknown');
    expect(unknown?.message).toMatch(
      /^sent on .*, and no answer is known; .* looks whether .* \(catersheet apply .*\)/,
    );
    expect(first.stderr).toContain(`catersheet apply ${name}`);
    const { stdout: shown } = await run(['runs', name]);
    expect(shown).toContain(`: unknown: ${unknown?.message}`);
    expect(shown).toContain('3 created, 1 unknown');
    const second = await importing(['import', a, '--doubt', '0.5']);
    expect(second).toMatchObject({ code: 0, document: { counts: { unknown: 0, notSent: 0, failed: 0 } } });
    expect(service.packages.where({ OmschrijvingIntern: unknown?.label ?? '' })).toHaveLength(1);
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
    expect((await importing(['import', a])).document.counts).toMatchObject({ unchanged: 4 });
  },
);

onPosix(
  'Ctrl-C says at once how many requests are out and until when it waits for them; a second one ends at once, and the next run finds what arrived',
  async () => {
    let creates = 0;
    let told = '';
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const { service, a, run, importing } = await open(6, (request) =>
      isCreate(request) && ++creates > 2 ? { kind: 'hang', when: 'after' } : undefined,
    );
    const ended = run(['import', a, '--yes', '--concurrency', '2', '--timeout', '600000'], {
      onStart: (send) => (kill = send),
      onTold: (text) => (told += text),
    });
    const soon = { timeout: 120_000, interval: 5 };
    await vi.waitFor(() => expect(creates).toBe(4), soon);
    kill('SIGINT');
    await vi.waitFor(() => expect(told).toContain('still out'), soon);
    kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(told).toMatch(
      /^Requests that are still out: 2; waiting until \d\d:\d\d:\d\d for the answers\. Ctrl-C/m,
    );
    service.set({ failures: { choose: undefined } });
    expect((await run(['runs'])).stdout).toContain('6 rows, 2 created, 2 unknown, 2 not sent');
    const { document } = await importing(['import', a, '--doubt', '0.3']);
    expect(document.counts).toMatchObject({ read: 6, created: 2, unknown: 0, failed: 0, notSent: 0 });
    expect(service.packages.doubles(['OmschrijvingIntern'])).toEqual([]);
    expect(service.faults).toEqual([]);
  },
);
