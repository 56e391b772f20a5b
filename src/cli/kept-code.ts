import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import envPaths from 'env-paths';
import { NOT_LOADED, OTHER_BUILD } from '../core/as-stop.ts';
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
 * keeps what it makes of them now. V8 compiles what is called, so each command keeps its own, once it has
 * done its work. NODE_COMPILE_CACHE names the folder and NODE_DISABLE_COMPILE_CACHE turns it off, as in later
 * versions of Node; why not by theirs: docs/adr/0011.
 * @throws what the bundle throws.
 */
export function requireKept(
  entry: string,
  modules: Modules,
  command: string,
  env: NodeJS.ProcessEnv,
): unknown {
  const folder = keepingFolder(env);
  const loaded = new Map<string, { readonly exports: object }>();
  const made: Made[] = [];
  const build = buildOf(part(entry));
  const load = (file: string): unknown => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const source = part(file);
    if (buildOf(source) !== build)
      throw Object.assign(new Error(`${file} is of another build`), { code: OTHER_BUILD });
    const module = { exports: {} };
    loaded.set(file, module);
    const place = folder && join(folder, `${command}-${basename(file)}.code`);
    const native = createRequire(file);
    const require = (name: string) =>
      name.startsWith('./catersheet-') ? load(join(dirname(file), name)) : native(name);
    try {
      const run = compiled(file, source, place, made).runInThisContext() as Bundled;
      run(module, module.exports, Object.assign(require, native, { modules }), file, dirname(file));
    } catch (error) {
      loaded.delete(file);
      throw error;
    }
    return module.exports;
  };
  process.once('exit', (code) => {
    if (DONE.has(code)) made.forEach(keep);
  });
  return load(entry);
}

/** A file of the bundle. Throws an error with NOT_LOADED where it can't be read. */
function part(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw notLoaded(cause);
  }
}

const notLoaded = (cause: unknown): Error =>
  Object.assign(new Error((cause as Error).message, { cause }), { code: NOT_LOADED });

/** A run that was stopped before its work has called little of what the next one calls. */
const DONE: ReadonlySet<number> = new Set([EXIT.ok, EXIT.rows, EXIT.unknown]);

/** What the build wrote at the beginning of each of its files, the same in all. */
const buildOf = (source: Buffer): string => source.toString('latin1', 0, BUILD_LENGTH);
const BUILD_LENGTH = '/* build 00000000 */'.length;

/**
 * Where compiled code is kept, or undefined: what others could write there would be run. Windows tells no
 * mode: there it is the user's own folder for caches, or one that was named for it.
 */
function keepingFolder(env: NodeJS.ProcessEnv): string | undefined {
  const { CATERSHEET_HOME: home, NODE_COMPILE_CACHE: given, NODE_DISABLE_COMPILE_CACHE: off } = env;
  if (off) return undefined;
  const own = home && process.platform !== 'win32' ? join(home, 'code') : undefined;
  const folder = given || (own ?? envPaths('catersheet', { suffix: '' }).cache);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(statSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nobody else can write to it. */
const isOwn = ({ uid, mode }: Stats): boolean =>
  process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);

/** A file of the bundle, compiled; `place`: where its code is kept; `made` takes what was compiled anew. */
function compiled(file: string, source: Buffer, place: string | undefined, made: Made[]): Script {
  // V8 looks at its own version and flags, not at the builds of Node, nor at more of a text than its length.
  const sum = crc32(source, crc32(`${process.version} ${process.platform} ${process.arch}`));
  const kept = place && readKept(place, sum);
  // The bundle is in ASCII. Nothing is put on a line of its own, so that lines of errors stay right.
  const text = `(function (module, exports, require, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = scriptOf(text, file, kept);
  if (place && script.cachedDataRejected !== false) made.push({ place, sum, script });
  return script;
}

function scriptOf(text: string, filename: string, kept: Buffer | undefined | ''): Script {
  try {
    return new Script(text, { filename, ...(kept && { cachedData: kept }) });
  } catch (cause) {
    // It was cut off.
    throw notLoaded(new Error(`${filename}: ${(cause as Error).message}`, { cause }));
  }
}

/** The code kept of a source, where it is whole, of this source, and written by this user. */
function readKept(place: string, sum: number): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(place, 'r');
    if (!isOwn(fstatSync(handle))) return undefined;
    const bytes = readFileSync(handle);
    const code = bytes.subarray(HEADER);
    return bytes.readUInt32LE(0) === sum && bytes.readUInt32LE(4) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
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
    // One that a kill left there is not written to, nor what somebody else put there.
    rmSync(fresh, { force: true });
    writeFileSync(fresh, Buffer.concat([header, code]), { mode: 0o600, flag: 'wx' });
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
