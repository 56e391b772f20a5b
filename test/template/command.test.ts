import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, type StopError } from '../../src/core/errors.ts';
import { resources } from '../../src/resources/registry.ts';
import { openSession } from '../../src/session/open-session.ts';
import { readLists, writeTemplateFile } from '../../src/template/write-template-file.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { partsOf, sheetParts } from './fill-in.ts';
import { DROPDOWNS, MADE, openTemplateService } from './fixtures.ts';

describe('catersheet template', () => {
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
    expect([...sheetParts(await partsOf(readFileSync(file))).keys()].slice(1)).toEqual(
      resources.map(({ sheet }) => sheet),
    );
    writeFileSync(file, 'ingevuld');
    const again = await runCli(['template', '--offline', '--json'], options);
    expect(again.code).toBe(2);
    expect(again.stdout).toContain('is there already');
    expect(readFileSync(file, 'utf8')).toBe('ingevuld');
  });

  test('refuses a file name that does not end in .xlsx', async () => {
    const out = join(tempFolder(), 'week12.csv');
    const file = { chosen: resources, resources, language: 'en', made: MADE, out } as const;
    await expect(writeTemplateFile(file)).rejects.toMatchObject({ exit: EXIT.usage });
    expect(existsSync(out)).toBe(false);
  });
});
