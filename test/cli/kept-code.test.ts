import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { asStop, OTHER_BUILD } from '../../src/core/as-stop.ts';
import { CLI, tempFolder } from '../helpers/run-cli.ts';

const LOADER = pathToFileURL(join(CLI, '../cli/kept-code.js')).href;

/** A bundle of two files whose second one tells a word, and what runs it as a command. */
function bundle(folder: string, word: string) {
  const entry = join(folder, 'catersheet-main.cjs');
  writeFileSync(entry, '/* build abcdabcd */console.log(require("./catersheet-word.cjs").word);\n');
  writeFileSync(
    join(folder, 'catersheet-word.cjs'),
    `/* build abcdabcd */exports.word = ${JSON.stringify(word)};\n`,
  );
  const home = join(folder, 'home');
  return (
    command = 'import',
    { code = 0, env = {} }: { code?: number; env?: Record<string, string> } = {},
  ) => {
    const script = `import { requireKept } from ${JSON.stringify(LOADER)};
      requireKept(${JSON.stringify(entry)}, { 'node:path': () => import('node:path') }, ${JSON.stringify(command)}, process.env); process.exitCode = ${code};`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { CATERSHEET_HOME: home, ...env },
    });
    return `${run.stdout}${run.stderr}`.trim();
  };
}

const kept = (folder: string, command = 'import'): string =>
  join(folder, 'home/code', `${command}-catersheet-word.cjs.code`);

const keptFiles = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

describe('the compiled code of the program', () => {
  test('is kept for each command, is whole, and is left as it is by the next run', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    expect(run()).toBe('soup');
    const before = statSync(kept(folder)).mtimeMs;
    expect(run()).toBe('soup');
    expect(run('export')).toBe('soup');
    expect(statSync(kept(folder)).mtimeMs).toBe(before);
    expect(keptFiles(join(folder, 'home/code'))).toEqual([
      'export-catersheet-main.cjs.code',
      'export-catersheet-word.cjs.code',
      'import-catersheet-main.cjs.code',
      'import-catersheet-word.cjs.code',
    ]);
  });

  test('is what runs: code under the checksum of another text is taken for that text', () => {
    const folder = tempFolder();
    bundle(folder, 'soup')();
    const run = bundle(folder, 'beer');
    writeFileSync(kept(folder), plant(readFileSync(kept(folder)), folder));
    expect(run()).toBe('soup');
  });

  test('is made anew where the program is another, though its text is as long', () => {
    const folder = tempFolder();
    bundle(folder, 'soup')();
    const run = bundle(folder, 'beer');
    expect([run(), run()]).toEqual(['beer', 'beer']);
  });

  test.each([
    [
      'a byte of it is another',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte))),
    ],
    ['its end is lacking', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['it is empty', () => Buffer.alloc(0)],
    ['it is of another V8', (bytes: Buffer) => withSum(bytes.fill(1, 12, 16))],
  ])('is made anew where %s', (_what, damage) => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    run();
    const whole = readFileSync(kept(folder));
    writeFileSync(kept(folder), damage(Buffer.from(whole)));
    expect(run()).toBe('soup');
    expect(readFileSync(kept(folder)).length).toBe(whole.length);
    expect(readFileSync(kept(folder)).equals(damage(Buffer.from(whole)))).toBe(false);
  });

  test.each([
    [0, 2],
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 2],
    [6, 2],
  ])('is kept where the work was done: with exit code %i %i files', (code, files) => {
    const folder = tempFolder();
    expect(bundle(folder, 'soup')('import', { code })).toBe('soup');
    expect(keptFiles(join(folder, 'home/code'))).toHaveLength(files);
  });

  test('of another build is not loaded beside this one, and a file that could not be loaded is tried again', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    const word = join(folder, 'catersheet-word.cjs');
    const main = `const word = () => { try { return require("./catersheet-word.cjs").word; } catch (error) { return error.code ?? error.message; } };
      console.log(word()); require('node:fs').writeFileSync(${JSON.stringify(word)}, '/* build 00000000 */exports.word = "soup";'); console.log(word());`;
    writeFileSync(join(folder, 'catersheet-main.cjs'), `/* build 00000000 */${main}`);
    writeFileSync(word, '/* build 11111111 */exports.word = "beer";');
    expect(run()).toBe('ERR_OTHER_BUILD\nsoup');
    writeFileSync(word, '/* build 00000000 */throw new Error("no disk")');
    expect(run()).toBe('no disk\nsoup');
  });

  test('of another build says that the program was replaced, and not that it has a fault', () => {
    const { exit, texts } = asStop(Object.assign(new Error('x.cjs'), { code: OTHER_BUILD }));
    expect([exit, texts.message.en]).toEqual([
      1,
      'The program was replaced by another version while it ran.',
    ]);
    expect(texts.next?.en).toContain('Start it again.');
  });

  test('is kept where NODE_COMPILE_CACHE says, and nowhere with NODE_DISABLE_COMPILE_CACHE=1', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    const elsewhere = join(folder, 'elsewhere');
    run('import', { env: { NODE_COMPILE_CACHE: elsewhere, NODE_DISABLE_COMPILE_CACHE: '1' } });
    expect([keptFiles(elsewhere), keptFiles(join(folder, 'home'))]).toEqual([[], []]);
    run('import', { env: { NODE_COMPILE_CACHE: elsewhere } });
    expect(keptFiles(elsewhere)).toContain('import-catersheet-word.cjs.code');
    expect(keptFiles(join(folder, 'home'))).toEqual([]);
  });

  test.skipIf(process.getuid === undefined)(
    'is neither read nor kept in a folder where others can write, as it would be run',
    () => {
      const folder = tempFolder();
      bundle(folder, 'soup')();
      const run = bundle(folder, 'beer');
      const planted = plant(readFileSync(kept(folder)), folder);
      writeFileSync(kept(folder), planted);
      chmodSync(join(folder, 'home/code'), 0o777);
      expect(run()).toBe('beer');
      expect(readFileSync(kept(folder)).equals(planted)).toBe(true);
    },
  );

  test.skipIf(process.getuid === undefined)('is not read from a file in which others can write', () => {
    const folder = tempFolder();
    bundle(folder, 'soup')();
    const run = bundle(folder, 'beer');
    writeFileSync(kept(folder), plant(readFileSync(kept(folder)), folder));
    chmodSync(kept(folder), 0o666);
    expect(run()).toBe('beer');
  });

  test('imports modules also once it is kept, and warns of nothing', () => {
    const folder = tempFolder();
    const run = bundle(folder, 'soup');
    writeFileSync(
      join(folder, 'catersheet-main.cjs'),
      '/* build abcdabcd */require.modules["node:path"]().then(({ sep }) => console.log(sep, require("./catersheet-word.cjs").word));\n',
    );
    expect([run(), run()]).toEqual(['/ soup', '/ soup']);
  });

  test('is done without where its folder can’t be made', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'home'));
    copyFileSync(CLI, join(folder, 'home/code'));
    expect(bundle(folder, 'soup')()).toBe('soup');
  });

  test('is kept of the program itself, which answers the same with it', () => {
    const folder = tempFolder();
    const env = { CATERSHEET_HOME: folder, LANG: 'en_US.UTF-8' };
    const run = () => spawnSync(process.execPath, [CLI, 'import', '--help'], { encoding: 'utf8', env });
    const first = run();
    expect(keptFiles(join(folder, 'code'))).toContain('help-catersheet-start.cjs.code');
    const second = run();
    expect([second.status, second.stderr, second.stdout]).toEqual([0, '', first.stdout]);
  });

  test('is kept of the program itself, which writes a template by a library that it imports, time and again', () => {
    const folder = tempFolder();
    const env = { CATERSHEET_HOME: folder, LANG: 'en_US.UTF-8' };
    const args = [CLI, 'template', 'packages', '--offline', '--out', join(folder, 't.xlsx')];
    for (const _ of ['first', 'second']) {
      rmSync(join(folder, 't.xlsx'), { force: true });
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
      expect([status, stderr]).toEqual([0, '']);
      expect(statSync(join(folder, 't.xlsx')).size).toBeGreaterThan(5000);
    }
    expect(keptFiles(join(folder, 'code'))).toContain('template-catersheet-program.cjs.code');
  });
});

/** Kept code under the checksum of what the second file holds now, in this Node. */
function plant(bytes: Buffer, folder: string): Buffer {
  const node = crc32(`${process.version} ${process.platform} ${process.arch}`);
  bytes.writeUInt32LE(crc32(readFileSync(join(folder, 'catersheet-word.cjs')), node), 0);
  return bytes;
}

/** Kept code whose own checksum is right. */
function withSum(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}
