import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, type StopError } from '../../src/core/errors.ts';
import { resources } from '../../src/resources/registry.ts';
import { openSession } from '../../src/session/open-session.ts';
import { readLists, writeTemplateFile } from '../../src/template/write-template-file.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { openTestService } from '../helpers/test-service.ts';
import { partsOf, sheetParts } from './fill-in.ts';
import { DROPDOWNS, MADE, openTemplateService } from './fixtures.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const sheetsIn = async (file: string): Promise<string[]> => [
  ...sheetParts(await partsOf(readFileSync(file))).keys(),
];

describe('catersheet template', () => {
  test('writes the sheets that are named with the service’s lists, and says which lists it could not read', async () => {
    const service = await openTestService();
    const [, , shown] =
      /```\n\$ catersheet (template packages events -o week12\.xlsx)\n([\s\S]*?)```/.exec(README) ?? [];
    const { code, stdout, stderr } = await service.run([
      'template',
      'packages',
      'Evenementen',
      '-o',
      'week12.xlsx',
    ]);
    expect(code).toBe(0);
    // The page is about the embedded sandbox, which knows the numbers of its lists.
    expect(stdout).toBe(shown?.replace('with 6 lists', 'with 2 lists'));
    const note = stderr.trim().split('\n');
    expect(note).toHaveLength(1);
    expect(note[0]).toMatch(/^No list to choose from in BTWModusWaardeID, /);
    const file = join(service.folder, 'week12.xlsx');
    expect(await sheetsIn(file)).toEqual(['Guide', 'Pakketten', 'Evenementen', 'Lists']);
    expect((await partsOf(readFileSync(file))).get('xl/sharedStrings.xml')).toContain('Dranken (12)');
    const { counts } = await service.log();
    // One request a list, and none for a list without a number.
    expect(counts).toEqual({ 'lookups.producttype': 1, 'lookups.productcategory': 1 });
  });

  test('leaves out a list that the service lacks, and reads the others', async () => {
    const { context } = await openTemplateService({ dropdowns: { ...DROPDOWNS, bron: 9999 } });
    const { lists, missing } = await readLists(context, resources, 'nl');
    expect(missing.map(({ lookup, columns }) => [lookup.name, columns])).toEqual([
      ['bron', ['BronWaardeID']],
    ]);
    expect(missing[0]?.reason.nl).toContain('niet gevonden');
    expect(lists.map(({ lookup }) => lookup)).toContain('eventtype');
    expect(lists).toHaveLength(13);
  });

  test('stops where the service is away, and names --offline', async () => {
    const folder = tempFolder();
    const own = { ledger: join(folder, 'ledger.db'), log: join(folder, 'log.txt') };
    const away = { baseUrl: 'http://127.0.0.1:9/', token: 'x', retries: 0 };
    const session = await openSession({ ...away, ...own });
    onTestFinished(() => session.close());
    const stop = await readLists(session.context, resources, 'en').catch((error: StopError) => error);
    expect(stop).toMatchObject({ exit: EXIT.service, next: expect.stringContaining('--offline') });
  });

  test('makes no request with --offline, and writes all sheets to a file of its own name, but over no other', async () => {
    const folder = tempFolder();
    const options = {
      cwd: folder,
      env: { CATERSHEET_BASE_URL: 'http://127.0.0.1:9/', CATERSHEET_HOME: folder },
    };
    const { code, stdout } = await runCli(['template', '--offline', '--json'], options);
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as { file: string; sheets: { resource: string; columns: number }[] };
    expect(document).toMatchObject({ file: 'template.xlsx', lists: [], missing: [] });
    expect(document.sheets.map(({ resource }) => resource)).toEqual(resources.map(({ name }) => name));
    const file = join(folder, 'template.xlsx');
    expect(await sheetsIn(file)).toEqual(['Guide', ...resources.map(({ sheet }) => sheet)]);
    writeFileSync(file, 'ingevuld');
    const again = await runCli(['template', '--offline', '--json'], options);
    expect(again.code).toBe(2);
    expect(again.stdout).toContain('is there already');
    expect(readFileSync(file, 'utf8')).toBe('ingevuld');
  });

  test('refuses a sheet that does not exist', async () => {
    const { code, stderr } = await runCli(['template', '--offline', 'package'], { cwd: tempFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain('packages');
  });

  test('refuses a file name that does not end in .xlsx', async () => {
    const out = join(tempFolder(), 'week12.csv');
    const file = { chosen: resources, resources, language: 'en', made: MADE, out } as const;
    await expect(writeTemplateFile(file)).rejects.toMatchObject({ exit: EXIT.usage });
    expect(existsSync(out)).toBe(false);
  });
});
