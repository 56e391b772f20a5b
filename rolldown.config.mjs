// Puts the program in one file: reading a thousand small ones is more than half of the time it takes to start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Native, read when it is needed, with threads or with files of their own. */
const APART = ['libsql', 'exceljs', 'pino', 'yargs'];

/** Their authors ask that their licences go along with what is taken from them. */
const licences = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const packages = new Set();
    for (const { modules } of Object.values(bundle))
      for (const file of Object.keys(modules ?? {})) packages.add(packageOf(file));
    const texts = [...packages]
      .filter((folder) => folder !== undefined)
      .sort()
      .map(licenceOf);
    this.emitFile({ type: 'asset', fileName: 'catersheet.licences.txt', source: texts.join('\n\n') });
  },
};

function packageOf(file) {
  const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file.replace(/^\0/, ''))?.[1];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined;
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  return `${name} ${version} (${license})${text}`;
}

export default {
  input: 'dist/cli.js',
  platform: 'node',
  external: [/^node:/, ...APART.map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [licences],
  output: { dir: 'dist', entryFileNames: 'catersheet.js', format: 'esm', codeSplitting: false },
};
