import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateFile } from '../../../src/kinds/document.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';
import { put } from './fixtures.ts';

it('a file is found in its folder by any spelling of its name, and by no way that leads out of it', async () => {
  const outer = realpathSync(tempFolder());
  const folder = `${outer}/map`;
  const café = `${'café'.normalize('NFD')}.txt`;
  for (const name of ['a.pdf', 'sub/b c.pdf', café, '..verborgen']) put(`${folder}/${name}`, name);
  put(`${outer}/geheim.txt`, 'geheim');
  mkdirSync(`${folder}/leeg`);
  if (hasLinks) {
    for (const [target, name] of [
      [`${outer}/geheim.txt`, 'link.txt'],
      [outer, 'links'],
      [`${folder}/a.pdf`, 'ook-a.pdf'],
      [`${folder}/nergens`, 'los.txt'],
    ] as const)
      symlinkSync(target, `${folder}/${name}`);
    symlinkSync(folder, `${outer}/zelfde`);
  }
  const found: [string, string][] = [
    ['a.pdf', 'a.pdf'],
    ['./a.pdf', 'a.pdf'],
    ['café.txt', café],
    ['sub\\b c.pdf', 'sub/b c.pdf'],
    ['..verborgen', '..verborgen'],
    ...(hasLinks ? [['ook-a.pdf', 'a.pdf'] as [string, string]] : []),
  ];
  for (const [given, path] of found)
    for (const way of hasLinks ? [folder, `${outer}/zelfde`] : [folder])
      expect(await locateFile(way, given)).toEqual({
        ...{ path: join(folder, path), name: given.replace(/^.*[\\/]/, '') },
      });
  const outside = ['../geheim.txt', 'sub/../a.pdf', 'sub\\..\\..\\geheim.txt', '/etc/passwd', 'C:\\a.pdf'];
  outside.push('\\\\server\\deel\\a.pdf', 'c:a.pdf', 'a.pdf\0.txt', `${folder}/a.pdf`);
  if (hasLinks) outside.push('link.txt', 'links/geheim.txt', 'links/map/../geheim.txt');
  for (const given of outside) expect([given, await locateFile(folder, given)]).toEqual([given, 'outside']);
  for (const given of ['weg.pdf', 'leeg', 'a.pdf/b', 'los.txt', 'x'.repeat(300)])
    expect([given, await locateFile(folder, given)]).toEqual([given, { missing: expect.anything() }]);
});
