// Puts the program in a few files: reading a thousand small ones takes longer than most commands.
import { licencesOf } from './scripts/licences.mjs';

/** Native, or reading files beside itself. */
const APART = ['libsql', 'yargs', 'open'];

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

/** Other letters than those of ASCII by their codes: with one of them V8 holds a whole file in two bytes a letter. */
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

const common = {
  // A package that requires what is imported on demand still runs it no sooner.
  checks: { ineffectiveDynamicImport: false },
  platform: 'node',
  external: [/^node:/, ...APART.map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [ascii, licences],
};

export default [
  {
    ...common,
    input: 'dist/cli/bin.js',
    output: { file: 'dist/catersheet.js', format: 'esm', codeSplitting: false },
  },
  {
    ...common,
    input: 'dist/cli/program.js',
    output: {
      dir: 'dist',
      // Node finds and reads files of CommonJS in half the time.
      format: 'cjs',
      strict: true,
      // Half a megabyte less to read at each start; the licences stand in a file of their own.
      comments: false,
      entryFileNames: 'catersheet-main.cjs',
      // Beside the entry: what looks for a file beside itself finds it wherever it ends up.
      chunkFileNames: 'catersheet-[name].cjs',
    },
  },
];
