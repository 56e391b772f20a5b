import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { systemTime } from '../../src/core/time.ts';
import { readMap } from '../../src/import/map/header-names.ts';
import { resources } from '../../src/resources/registry.ts';
import { isTrusted } from '../../src/session/config-file.ts';
import { openLog } from '../../src/session/log.ts';
import { readProfile, readToken } from '../../src/session/profile.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const deep = `{"profiles":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;

/** Ways to put something at a path that is no file of settings. */
const ODD: readonly (readonly [string, (file: string) => unknown])[] = [
  ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file])],
  ['a device without an end', (file) => symlinkSync('/dev/zero', file)],
  ['a link to itself', (file) => symlinkSync(file, file)],
  [
    '100 MB',
    (file) => {
      writeFileSync(file, '{');
      truncateSync(file, 100 * 2 ** 20);
    },
  ],
  ['100,000 levels', (file) => writeFileSync(file, deep)],
  ['a million headers', (file) => writeFileSync(file, `{${manyHeaders(200_000)}}`)],
  ['a number that is out of range', (file) => writeFileSync(file, '{"profiles":{"a":{"timeout":1e999}}}')],
];

const manyHeaders = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"k${at}":"ExternalID"`).join(',');

const stopped = (exit: number, name: string) =>
  expect.objectContaining({
    exit,
    texts: expect.objectContaining({
      message: { en: expect.stringContaining(name), nl: expect.stringContaining(name) },
      next: expect.objectContaining({
        en: expect.stringMatching(/.{10}\.$/),
        nl: expect.stringMatching(/.{10}\.$/),
      }),
    }),
  });

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

describe.skipIf(process.platform === 'win32')('in the place of settings', () => {
  it.each(ODD)('%s ends at once with what is wrong with which file', async (_, put) => {
    const folder = tempFolder();
    const file = join(folder, 'catersheet.config.json');
    put(file);
    const places = { own: join(folder, 'own.json'), here: file, trusted: file };
    expect(await thrownBy(() => readProfile(undefined, places))).toEqual(stopped(EXIT.usage, file));
    expect(isTrusted({ file, text: '' }, file)).toBe(false);
    const map = (await thrownBy(() => readMap(file, resources))) as { exit?: number };
    expect([EXIT.usage, EXIT.file]).toContain(map.exit);
  });

  it.each(ODD.slice(0, 5))('of a token, %s is refused and not waited for', async (_, put) => {
    const file = join(tempFolder(), 'token.txt');
    put(file);
    const stop = (await thrownBy(() => readToken(file, {}))) as { exit?: number };
    expect(stop.exit).toBe(EXIT.usage);
  });

  it('of a log, a pipe that nobody reads is refused and not waited for', async () => {
    const file = join(tempFolder(), 'run.log');
    execFileSync('mkfifo', [file]);
    const options = { file, folder: '', verbose: false, time: systemTime };
    expect(await thrownBy(() => openLog(options))).toEqual(stopped(EXIT.usage, file));
  });

  it('names of a prototype are names like any other', () => {
    const folder = tempFolder();
    const here = join(folder, 'catersheet.config.json');
    writeFileSync(here, '{"profiles":{"__proto__":{"default":{"baseUrl":"http://x/"}},"default":{}}}');
    const places = { own: join(folder, 'own.json'), here, trusted: join(folder, 'trusted.json') };
    expect(readProfile(undefined, places)).toEqual({ name: 'default' });
    expect(Object.getPrototypeOf(readProfile(undefined, places))).toBe(Object.prototype);
    expect(() => readProfile('__proto__', places)).toThrow('no profile __proto__');
  });
});
