import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import envPaths from 'env-paths';
import { EXIT } from '../core/errors.ts';

/** Checksums of the source and of the code, before the code itself, bytes. */
const HEADER = 8;

/** A file that was compiled anew: where its code is to be kept, and the checksum of its source. */
interface Made {
  readonly place: string;
  readonly sum: number;
  readonly script: Script;
}

/** What the bundle imports, by name: a script from kept code can't import on Node 20. */
type Modules = Readonly<Record<string, () => Promise<unknown>>>;

type Bundled = (
  module: object,
  exports: object,
  require: NodeJS.Require,
  file: string,
  folder: string,
) => void;

/**
 * Runs a bundle of CommonJS files with the code that V8 made of them when the same command ran before, and
 * keeps what it makes of them now. V8 compiles what is called, so each command keeps its own; a word that is
 * no command leaves nothing. NODE_COMPILE_CACHE names the folder and NODE_DISABLE_COMPILE_CACHE=1 turns it
 * off, as in later versions of Node; why not by theirs: docs/adr/0011.
 * @throws what the bundle throws.
 */
export function requireKept(
  entry: string,
  modules: Modules,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): unknown {
  const folder = keepingFolder(env);
  const command = words.find((word) => /^[a-z]+$/.test(word)) ?? 'start';
  const loaded = new Map<string, { readonly exports: object }>();
  const made: Made[] = [];
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const place = folder && join(folder, `${command}-${basename(file)}.code`);
    const native = createRequire(file);
    const require = (name: string) =>
      name.startsWith('./catersheet-') ? load(join(dirname(file), name)) : native(name);
    const run = compiled(file, place, made).runInThisContext() as Bundled;
    run(module, module.exports, Object.assign(require, native, { modules }), file, dirname(file));
    return module.exports;
  };
  process.once('exit', (code) => {
    if (code !== EXIT.usage) made.forEach(keep);
  });
  return load(entry);
}

/** Where compiled code is kept, or undefined: what others could write there would be run. */
function keepingFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { CATERSHEET_HOME: home, NODE_COMPILE_CACHE: given, NODE_DISABLE_COMPILE_CACHE: off } = env;
  if (off === '1') return undefined;
  const folder = given || (home ? join(home, 'code') : envPaths('catersheet', { suffix: '' }).cache);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    const own = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return own ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** A file of the bundle, compiled; `place`: where its code is kept; `made` takes what was compiled anew. */
function compiled(file: string, place: string | undefined, made: Made[]): Script {
  const source = readFileSync(file);
  const sum = crc32(source);
  const kept = place && readKept(place, sum);
  // The bundle is in ASCII. Nothing is put on a line of its own, so that lines of errors stay right.
  const script = new Script(
    `(function (module, exports, require, __filename, __dirname) {${source.toString('latin1')}\n})`,
    { filename: file, ...(kept && { cachedData: kept }) },
  );
  if (place && script.cachedDataRejected !== false) made.push({ place, sum, script });
  return script;
}

/** The code kept of a source, where it is whole and of this text: V8 itself looks at the length alone. */
function readKept(place: string, sum: number): Buffer | undefined {
  try {
    const bytes = readFileSync(place);
    const code = bytes.subarray(HEADER);
    return bytes.readUInt32LE(0) === sum && bytes.readUInt32LE(4) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps code in one step. Where that fails, the next start takes longer, and nothing else. */
function keep({ place, sum, script }: Made): void {
  const fresh = `${place}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(sum, 0);
    header.writeUInt32LE(crc32(code), 4);
    writeFileSync(fresh, Buffer.concat([header, code]), { mode: 0o600 });
    renameSync(fresh, place);
  } catch {
    removeQuietly(fresh);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // What is left of it is never read.
  }
}
