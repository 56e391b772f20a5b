import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { requireKept } from '../../src/cli/kept-code.ts';
import { asStop, OTHER_BUILD } from '../../src/core/as-stop.ts';
import { tempFolder } from '../helpers/run-cli.ts';

const BUILD = '/* build abcdabcd */';

/** A bundle of two files whose second one tells a word; answers what running it as a command tells. */
function bundle(folder: string, word: string) {
  const entry = join(folder, 'catersheet-main.cjs');
  writeFileSync(entry, `${BUILD}module.exports = require("./catersheet-word.cjs").word;\n`);
  writeFileSync(join(folder, 'catersheet-word.cjs'), `${BUILD}exports.word = ${JSON.stringify(word)};\n`);
  return (command = 'import', { code = 0, env = {} } = {}): unknown => {
    let end = (_: number): void => {};
    const once = vi.spyOn(process, 'once').mockImplementation((_, listener) => {
      end = listener as typeof end;
      return process;
    });
    onTestFinished(() => once.mockRestore());
    const told = requireKept(entry, {}, command, { CATERSHEET_HOME: join(folder, 'home'), ...env });
    // What it does at the end of its process.
    end(code);
    once.mockRestore();
    return told;
  };
}

const kept = (folder: string): string => join(folder, 'home/code/import-catersheet-word.cjs.code');
const keptFiles = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Kept code under the checksum of what the second file holds now, in this Node. */
function plant(folder: string): Buffer {
  const bytes = readFileSync(kept(folder));
  const node = crc32(`${process.version} ${process.platform} ${process.arch}`);
  bytes.writeUInt32LE(crc32(readFileSync(join(folder, 'catersheet-word.cjs')), node), 0);
  writeFileSync(kept(folder), bytes);
  return bytes;
}

describe('the compiled code of the program', () => {
  test('is kept for each command, and is what runs while its text is the same', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    const before = [run(), statSync(kept(folder)).mtimeMs];
    expect([run(), statSync(kept(folder)).mtimeMs]).toEqual(before);
    run('export');
    expect(keptFiles(join(folder, 'home/code'))).toEqual(
      ['export', 'import'].flatMap((name) =>
        ['main', 'word'].map((part) => `${name}-catersheet-${part}.cjs.code`),
      ),
    );
    const other = bundle(folder, 'beer');
    plant(folder);
    expect(other()).toBe('soup');
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    [
      'a byte of it is another',
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte))),
    ],
    ['its end is lacking', (bytes) => bytes.subarray(0, -20)],
    ['it is empty', () => Buffer.alloc(0)],
  ])('is made anew where %s, and where the program is another, though its text is as long', (_, damage) => {
    const folder = tempFolder();
    bundle(folder, 'beer')();
    const run = bundle(folder, 'soup');
    expect([run(), run()]).toEqual(['soup', 'soup']);
    const whole = readFileSync(kept(folder));
    writeFileSync(kept(folder), damage(Buffer.from(whole)));
    expect(run()).toBe('soup');
    expect(readFileSync(kept(folder)).length).toBe(whole.length);
  });

  test.skipIf(process.getuid === undefined).each([
    ['a folder', 'home/code', 0o777],
    ['a file', 'home/code/import-catersheet-word.cjs.code', 0o666],
  ])('is not read from %s in which others can write, as it would be run', (_, path, mode) => {
    const folder = tempFolder();
    bundle(folder, 'soup')();
    const run = bundle(folder, 'beer');
    plant(folder);
    chmodSync(join(folder, path), mode);
    expect(run()).toBe('beer');
  });

  test('of another build is not loaded beside this one, which says that the program was replaced', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    writeFileSync(join(folder, 'catersheet-word.cjs'), '/* build 11111111 */exports.word = "beer";');
    expect(run).toThrow(expect.objectContaining({ code: OTHER_BUILD }));
    const { exit, texts } = asStop(Object.assign(new Error('x.cjs'), { code: OTHER_BUILD }));
    expect([exit, texts.message.en]).toEqual([
      1,
      'The program was replaced by another version while it ran.',
    ]);
  });
});
