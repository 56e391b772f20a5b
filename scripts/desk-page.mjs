// Puts the page of the desk in dist/desk-page: its script in one file, its style in another; another folder as argument.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';

const page = fileURLToPath(new URL('../src/desk/page/', import.meta.url));
const [target = fileURLToPath(new URL('../dist/desk-page/', import.meta.url))] = process.argv.slice(2);

const packages = new Set();
const bundle = await rolldown({
  tsconfig: false,
  input: `${page}main.tsx`,
  platform: 'browser',
  transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, target: 'es2022' },
});
const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
await bundle.close();
for (const file of Object.keys(output[0].modules)) packages.add(file);

const style = (await readFile(`${page}style.css`, 'utf8'))
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s+/g, ' ')
  .trim();

await mkdir(target, { recursive: true });
await writeFile(join(target, 'index.html'), await readFile(`${page}index.html`, 'utf8'));
await writeFile(join(target, 'page.js'), output[0].code);
await writeFile(join(target, 'page.css'), style);
await writeFile(join(target, 'licences.txt'), licencesOf(packages));
