import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { CLI, hasProgram } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { listed, listService } from './list-service.ts';

/** Its shells take a line apart in another way. */
const windows = process.platform === 'win32';

test.skipIf(windows)(
  'the import command that an export suggests works, whatever the flags and the name of the file',
  async () => {
    const service = await openTestService();
    const out = '-prijzen $(mei) 2026.csv';
    const given = [`--out=${out}`, '--locale', 'en', '--delimiter', ';', '--base-url', service.url];
    const { stdout } = await service.run(['export', 'packages', ...given]);
    const [, line = ''] = /^Edit the file and import it:\n {2}catersheet (import .*)$/m.exec(stdout) ?? [];
    // As a shell takes it apart.
    const shell = spawnSync('sh', ['-c', `printf '%s\\0' ${line}`]).stdout.toString();
    const words = shell.split('\0').slice(0, -1);
    expect(words.slice(0, 2)).toEqual(['import', `./${out}`]);
    const done = await service.run([...words, '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ counts: { read: 30, unchanged: 30 } });
  },
);

test('an export to stdout puts nothing else there, and one that can not be is refused', async () => {
  const service = await openTestService();
  const run = (...flags: string[]) => service.run(['export', 'recipes', '-o', ...flags]);
  const lines = await run('-', '--format', 'ndjson', '--declaration');
  const both = await run('-', '--json');
  const alone = await run('uit.xlsx', 'finance');
  const records = lines.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toHaveLength(30);
  expect(records[0]).toMatchObject({ ProductID: 7001, IngredientDeclaratie: expect.any(String) });
  expect(lines.stderr).toContain('Recepten: 30');
  expect(both).toMatchObject({ code: EXIT.usage, stderr: expect.stringContaining('both want stdout') });
  expect(alone).toMatchObject({
    ...{ code: EXIT.usage, stderr: expect.stringContaining('Export the others apart') },
  });
});

test.skipIf(windows || !hasProgram)(
  'an export to a stdout that nobody reads any more ends there, by the real program',
  async () => {
    const service = await listService(Array.from({ length: 3000 }, (_, at) => listed(at + 1)));
    const line = `set -o pipefail; "$0" "$1" export packages -o - --format csv --concurrency 1 | head -c 1 > /dev/null`;
    const shell = spawn('bash', ['-c', line, process.execPath, CLI], {
      env: {
        ...{ PATH: process.env.PATH, CATERSHEET_HOME: service.folder, CATERSHEET_TOKEN: 't' },
        CATERSHEET_BASE_URL: service.options.baseUrl,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [told, [ended]] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
    expect([told, ended]).toEqual(['', EXIT.ok]);
    expect(service.asked.length).toBeLessThan(20);
  },
);
