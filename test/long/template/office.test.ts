import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../../helpers/run-cli.ts';
import { headersOf, partsOf, sheetParts, unescaped } from '../../template/fill-in.ts';
import { template } from '../../template/fixtures.ts';

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);

test.skipIf(office === undefined)(
  'LibreOffice opens a template and keeps its headers, notes, checks, tables and lists',
  { timeout: 120_000 },
  async () => {
    const folder = tempFolder();
    const lists = [
      {
        ...{ lookup: 'producttype', name: 'list_producttype' },
        choices: ['Arrangement', 'Buffet'].map((text, at) => ({ id: at + 1, text })),
      },
    ];
    const bytes = await template('nl', lists);
    const file = join(folder, 'sjabloon.xlsx');
    const saved = join(folder, 'saved');
    mkdirSync(saved);
    writeFileSync(file, bytes);
    // A profile of its own, as a second LibreOffice on the same one gives up.
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    execFileSync(office ?? '', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, file], {
      timeout: 100_000,
      stdio: 'ignore',
    });
    const [before, after] = [await partsOf(bytes), await partsOf(readFileSync(join(saved, 'sjabloon.xlsx')))];
    const [made, kept] = [sheetParts(before), sheetParts(after)];
    expect([...kept.keys()]).toEqual([...made.keys()]);
    for (const [sheet, part] of [...made].slice(1, -1)) {
      const place = kept.get(sheet) ?? '';
      const headers = headersOf(before, part);
      expect(headersOf(after, place), sheet).toEqual(headers);
      const prompts = (xml = ''): string[] =>
        [...xml.matchAll(/promptTitle="([^"]*)"/g)].map((match) => unescaped(match[1] ?? '')).sort();
      expect(prompts(after.get(place)), sheet).toEqual(prompts(before.get(part)));
    }
    const all = [...after].map(([name, xml]) => ({ name, xml }));
    const count = (parts: typeof all, pattern: RegExp): number =>
      parts.reduce((sum, { xml }) => sum + (xml.match(pattern)?.length ?? 0), 0);
    const notes = [...before].map(([name, xml]) => ({ name, xml }));
    expect(count(all, /<comment /g)).toBe(count(notes, /<comment /g));
    const tables = (parts: typeof all): number =>
      parts.filter(({ name }) => /^xl\/tables\//.test(name)).length;
    expect(tables(all)).toBe(tables(notes));
    expect(after.get('xl/workbook.xml')).toMatch(
      /name="list_producttype"[^>]*>\$?Keuzelijsten[^<]*\$A\$2:\$A\$3</,
    );
    expect(after.get('xl/workbook.xml')).toMatch(/name="Keuzelijsten"[^>]*state="hidden"/);
  },
);
