// Puts the program in a few files: reading a thousand small ones takes longer than most commands, and so does
// compiling all of it for each of them.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';
import { licencesOf } from './scripts/licences.mjs';

/** Native, with files of its own beside it, or large and read by one command alone. */
const APART = ['libsql', 'exceljs', 'open'];

/** What a ledger in a database is worked with, and a queue beside it. */
const POSTGRES =
  /[\\/]node_modules[\\/](?:pg|pg-[^\\/]+|pgpass|postgres-[^\\/]+|kysely|split2|xtend|luxon|cron-parser)[\\/]/;

/** What is bundled, over both bundles. */
const files = new Set();

const licences = {
  name: 'licences',
  generateBundle(_options, bundle) {
    for (const { modules } of Object.values(bundle))
      for (const file of Object.keys(modules ?? {})) files.add(file);
    this.emitFile({ type: 'asset', fileName: 'catersheet.licences.txt', source: licencesOf(files) });
  },
};

/** The same at the beginning of each file of one build, so that none is loaded beside those of another. */
const build = {
  name: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const sum = chunks.reduce((before, { code }) => crc32(code, before), 0);
    for (const chunk of chunks) chunk.code = `/* build ${sum.toString(16).padStart(8, '0')} */${chunk.code}`;
  },
};

/**
 * Other letters than those of ASCII by their codes. With one of them V8 holds a whole file in two bytes a letter, and
 * takes 40 ms longer for it.
 */
const ascii = {
  name: 'ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

/** A script from kept code can't import a module itself: `src/cli/bin.ts` does. */
const modules = {
  name: 'modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replace(
        /\bimport\(("open"|"exceljs\/lib\/doc\/workbook\.js")\)/g,
        'require.modules[$1]()',
      );
      new Visitor({
        ImportExpression: () => this.error(`${chunk.fileName} imports what src/cli/bin.ts does not`),
      }).visit(parseAst(chunk.code));
    }
  },
};

/** In a module of a package, `what` replaced; an error where it isn't found, for then the package has changed. */
const replaced = (name, file, what, by, assets = () => []) => ({
  name,
  transform(code, id) {
    if (!file.test(id)) return null;
    if (!code.includes(what)) this.error(`${id} holds no ${what} any more`);
    for (const asset of assets(dirname(id))) this.emitFile({ type: 'asset', ...asset });
    return { code: code.replace(what, by), map: null };
  },
});

/** yargs reads its words from files of its own; they are put beside what it becomes a part of. */
const yargsWords = replaced(
  'yargs-words',
  /yargs[\\/]lib[\\/]platform-shims[\\/]esm\.mjs$/,
  "resolve(__dirname, '../../../locales')",
  "resolve(__dirname, '../locales')",
  (folder) =>
    ['en.json', 'nl.json'].map((name) => ({
      fileName: `locales/${name}`,
      source: readFileSync(join(folder, '../../locales', name), 'utf8'),
    })),
);

/** yargs lays out the help of every command that it runs, in case it is asked for afterwards; here it never is. */
const yargsHelp = replaced(
  'yargs-help',
  /yargs[\\/]build[\\/]lib[\\/]command\.js$/,
  'yargs.getInternalMethods().getUsageInstance().cacheHelpMessage();',
  '',
);

/** yargs looks up settings that extend others by a member of modules alone; here none do. */
const yargsExtends = replaced(
  'yargs-extends',
  /yargs[\\/]build[\\/]lib[\\/]utils[\\/]apply-extends\.js$/,
  'import.meta.resolve(config.extends)',
  'undefined',
);

/** undici loads HTTP/2 for every program; it is never asked for here, and loading it takes a start of 10 ms. */
const undiciHttp2 = replaced(
  'undici-http2',
  /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
  "http2 = require('node:http2')",
  "throw new Error('HTTP/2 is left out')",
);

/** The modules that are loaded, at once and not on demand, with any of these; without these themselves. */
function loadedWith(paths, context) {
  const roots = paths.map((path) => resolve(path));
  // In silence a root that is named wrongly would give a file too few, and every command a slower start.
  for (const root of roots)
    if (context.getModuleInfo(root) === null) throw new Error(`there is no module ${root}`);
  const found = new Set();
  const visit = (id) => {
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  roots.forEach(visit);
  return found;
}

/** A group of modules that is one file: what these load. */
function group(name, paths, priority) {
  let modules;
  return {
    debugName: name,
    priority,
    name(id, context) {
      modules ??= loadedWith(paths, context);
      return modules.has(id) ? name : null;
    },
  };
}

const common = {
  // A package that requires what is imported on demand still runs it no sooner.
  checks: { ineffectiveDynamicImport: false },
  platform: 'node',
  external: [/^node:/, ...APART.map((name) => new RegExp(`^${name}(/|$)`))],
};

export default [
  {
    ...common,
    input: 'dist/sandbox-worker.js',
    plugins: [ascii, licences],
    output: { file: 'dist/sandbox-worker.js', format: 'esm', codeSplitting: false },
  },
  {
    ...common,
    input: 'dist/cli/bin.js',
    plugins: [ascii, licences],
    output: { file: 'dist/catersheet.js', format: 'esm', codeSplitting: false },
  },
  {
    ...common,
    input: 'dist/cli/main.js',
    plugins: [yargsWords, yargsHelp, yargsExtends, undiciHttp2, modules, ascii, build, licences],
    output: {
      dir: 'dist',
      entryFileNames: 'catersheet-main.cjs',
      // Beside the entry: what looks for a file beside itself finds it wherever it ends up.
      chunkFileNames: 'catersheet-[name].cjs',
      // As modules are, and as the tests run it.
      strict: true,
      // V8 takes compiled code for scripts alone (`src/cli/kept-code.ts`).
      format: 'cjs',
      codeSplitting: {
        groups: [
          group('start', ['dist/cli/main.js'], 5),
          group(
            'ledger',
            ['dist/cli/parse.js', 'dist/cli/commands/runs.js', 'dist/cli/commands/sandbox.js'],
            4,
          ),
          group('service', ['dist/cli/commands/check.js'], 3),
          // Only for a ledger in a database.
          { name: 'postgres', test: POSTGRES, priority: 2 },
          { name: 'program', minShareCount: 2, priority: 1 },
        ],
      },
    },
  },
];
