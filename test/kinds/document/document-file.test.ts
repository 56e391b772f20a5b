import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateFile } from '../../../src/kinds/document/document.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';
import { put } from './fixtures.ts';

describe('a file of the folder', () => {
  const folders = () => {
    const outer = realpathSync(tempFolder());
    const folder = `${outer}/map`;
    put(`${outer}/geheim.txt`, 'geheim');
    put(`${folder}/a.pdf`, 'a');
    put(`${folder}/sub/b c.pdf`, 'b');
    put(`${folder}/${'café'.normalize('NFD')}.txt`, 'c');
    put(`${folder}/..verborgen`, 'd');
    mkdirSync(`${folder}/leeg`);
    if (hasLinks) {
      symlinkSync(`${outer}/geheim.txt`, `${folder}/link.txt`);
      symlinkSync(outer, `${folder}/links`);
      symlinkSync(`${folder}/a.pdf`, `${folder}/ook-a.pdf`);
      symlinkSync(`${folder}/nergens`, `${folder}/los.txt`);
      symlinkSync(folder, `${outer}/zelfde`);
    }
    return { outer, folder };
  };

  it.each<[given: string, found: string]>([
    ['a.pdf', 'a.pdf'],
    ['./a.pdf', 'a.pdf'],
    ['sub/b c.pdf', 'sub/b c.pdf'],
    ['sub\\b c.pdf', 'sub/b c.pdf'],
    ['café.txt', `${'café'.normalize('NFD')}.txt`],
    ['..verborgen', '..verborgen'],
    ...(hasLinks ? [['ook-a.pdf', 'a.pdf'] as [string, string]] : []),
  ])('%s is found', async (given, found) => {
    const { outer, folder } = folders();
    const name = given.replace(/^.*[\\/]/, '');
    const path = join(folder, found);
    expect(await locateFile(folder, given)).toEqual({ path, name });
    // Also where the folder is itself reached through a link.
    if (hasLinks) expect(await locateFile(`${outer}/zelfde`, given)).toEqual({ path, name });
  });

  it.each([
    '../geheim.txt',
    'sub/../a.pdf',
    'sub\\..\\..\\geheim.txt',
    '/etc/passwd',
    '\\\\server\\deel\\a.pdf',
    'C:\\a.pdf',
    'c:a.pdf',
    'a.pdf\0.txt',
    ...(hasLinks ? ['link.txt', 'links/geheim.txt', 'links/map/../geheim.txt'] : []),
  ])('%j leads out of it', async (given) => {
    expect(await locateFile(folders().folder, given)).toBe('outside');
  });

  it.each(['weg.pdf', 'leeg', 'a.pdf/b', 'los.txt', 'x'.repeat(300)])('%s is no file', async (given) => {
    const missing = { en: expect.any(String), nl: expect.any(String) };
    expect(await locateFile(folders().folder, given)).toEqual({ missing });
  });

  it('is refused by its absolute path', async () => {
    const { folder } = folders();
    expect(await locateFile(folder, `${folder}/a.pdf`)).toBe('outside');
  });
});
