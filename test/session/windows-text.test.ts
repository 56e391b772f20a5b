import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMap } from '../../src/import/map/header-names.ts';
import { resources } from '../../src/resources/registry.ts';
import { readProfile, readToken } from '../../src/session/profile.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** The ways in which programs on Windows save a text. */
const WAYS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark, as Notepad does', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16, as PowerShell does', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
];

describe.each(WAYS)('a file of settings that was saved in %s', (_, save) => {
  const saved = (name: string, text: string): string => {
    const file = join(tempFolder(), name);
    writeFileSync(file, save(text));
    return file;
  };

  it('gives its token', () => {
    expect(readToken(saved('token.txt', 'a1b2c3\r\n'), {})).toBe('a1b2c3');
  });

  it('gives its profile', () => {
    const text = JSON.stringify({ profiles: { proef: { baseUrl: 'https://één.example/' } } }, null, 2);
    const file = saved('catersheet.config.json', text.replaceAll('\n', '\r\n'));
    const places = { own: file, here: join(tempFolder(), 'none.json'), trusted: 'none.json' };
    expect(readProfile('proef', places)).toEqual({ name: 'proef', baseUrl: 'https://één.example/' });
  });

  it('gives its headers', async () => {
    const file = saved('koppen.json', '{ "Prijs per stuk": "Verkoopprijs" }');
    expect(await readMap(file, resources)).toEqual([
      expect.objectContaining({ header: 'Prijs per stuk', field: 'Verkoopprijs' }),
    ]);
  });
});
