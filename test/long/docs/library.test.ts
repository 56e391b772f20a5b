import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { paper, ROOT } from '../../docs/papers.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

it.skipIf(!hasLinks)('the examples of docs/library.md compile under strict, and run', async () => {
  const folder = tempFolder();
  const examples = [...paper('docs/library.md').text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
  expect(examples.length).toBeGreaterThan(1);
  const names = examples.map(([, code = ''], at) => {
    writeFileSync(join(folder, `example-${at}.mts`), code);
    return `example-${at}`;
  });
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, to] of [
    ['catersheet', ROOT],
    ['@types', join(ROOT, 'node_modules', '@types')],
  ] as const)
    symlinkSync(to, join(folder, 'node_modules', name), 'junction');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--preserveSymlinks'];
  execFileSync(process.execPath, [TSC, ...strict, ...target, ...names.map((name) => `${name}.mts`)], {
    cwd: folder,
  });
  cpSync(join(ROOT, 'fixtures', 'samples', 'catalogus-voorjaar.xlsx'), join(folder, 'catalogus.xlsx'));
  writeFileSync(join(folder, 'offerte.pdf'), 'een offerte');
  await makeWorkbook(join(folder, 'offertes.xlsx'), {
    Documenten: [
      ['PartijID', 'Submap', 'Document'],
      [9001, 'Offertes', 'offerte.pdf'],
    ],
  });
  const said = names.map((name) => {
    const env = { PATH: process.env.PATH ?? '', CATERSHEET_HOME: join(folder, 'home') };
    return execFileSync(process.execPath, [`${name}.mjs`], { cwd: folder, env }).toString();
  });
  expect(said[0]).toContain('{"ProductID":');
  expect(said[0]).toContain('Pakketten 1 ');
});
