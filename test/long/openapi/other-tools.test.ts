import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { interfaceDocument } from '../../../src/index.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { openTestService } from '../../helpers/test-service.ts';

const TYPES = join(import.meta.dirname, '../../../node_modules/@types');
const TOOLS = fileURLToPath(new URL('../../openapi/tools', import.meta.url));
const REDOCLY = join(TOOLS, 'node_modules/@redocly/cli/bin/cli.js');
const GENERATOR = join(TOOLS, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(TOOLS, 'node_modules/typescript/bin/tsc');
/** `npm ci --prefix test/openapi/tools` installs them. */
const lacking = (...tools: readonly string[]): boolean => tools.some((tool) => !existsSync(tool));

const execute = promisify(execFile);
/** Nothing of these tools asks or tells anyone on the network. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
const env = { PATH: process.env.PATH ?? '', ...SILENT };

function writtenDocument(folder: string, language: 'en' | 'nl' = 'en'): string {
  const file = join(folder, `interface-${language}.json`);
  writeFileSync(file, JSON.stringify(interfaceDocument(language)));
  return file;
}

test.skipIf(lacking(REDOCLY))(
  'the OpenAPI document has no error by the rules that Redocly recommends, and the one warning that the interface itself gives',
  async () => {
    const folder = tempFolder();
    const file = writtenDocument(folder, 'nl');
    const lint = async (which: string) => {
      const args = [REDOCLY, 'lint', which, '--extends=recommended', '--format=json'];
      const done = await execute(process.execPath, args, { cwd: folder, env }).catch((error) => error);
      const { totals, problems } = JSON.parse(String(done.stdout));
      return { totals, rules: problems.map(({ ruleId }: { ruleId: string }) => ruleId) };
    };
    // Of event/package/{ID} and event/{ID}/processevent only the numbers tell which is meant.
    expect(await lint(file)).toEqual({
      totals: { errors: 0, warnings: 1, ignored: 0 },
      rules: ['no-ambiguous-paths'],
    });
    const bare = interfaceDocument() as { paths: Record<string, Record<string, object>> };
    const path = bare.paths['/api/v1/event'];
    writeFileSync(
      file,
      JSON.stringify({ ...bare, paths: { '/api/v1/event': { put: { ...path?.put, summary: '' } } } }),
    );
    expect((await lint(file)).totals.errors).toBe(1);
  },
);

test.skipIf(lacking(GENERATOR, COMPILER))(
  'a client that openapi-typescript makes compiles, refuses what is wrong, and reads what the sandbox answers',
  async () => {
    const service = await openTestService();
    const { folder } = service;
    symlinkSync(join(TOOLS, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    copyFileSync(join(TOOLS, 'use-client.ts'), join(folder, 'use-client.ts'));
    const node = async (...args: readonly string[]) =>
      await execute(process.execPath, args, { cwd: folder, env }).catch((error) => {
        throw new Error(`${args[0]}: ${error.stdout}${error.stderr}`);
      });
    await node(GENERATOR, writtenDocument(folder), '-o', 'interface.d.ts');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
    await node(
      COMPILER,
      ...strict,
      ...target,
      ...['--types', 'node', '--typeRoots', TYPES],
      '--skipLibCheck',
      '--rewriteRelativeImportExtensions',
      'use-client.ts',
    );
    const { stdout } = await node('use-client.js', service.url, service.token);
    expect(JSON.parse(stdout)).toEqual({
      ...{ price: 4.5, name: 'Soep van de dag', listed: true, guests: 40, linked: 2 },
      ...{ departments: 5, sent: true, gone: true, missing: 404 },
    });
    expect(await service.records('document')).toHaveLength(1);
  },
  180_000,
);
