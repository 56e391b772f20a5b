// Puts what a report runs in the browser, its style and its script, in one module of the program; another file with its name as argument.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const report = fileURLToPath(new URL('../src/import/report/', import.meta.url));
const [target = `${report}page-parts.ts`] = process.argv.slice(2);

const bundle = await rolldown({ input: `${report}browser/main.ts`, platform: 'browser' });
const { output } = await bundle.generate({ format: 'iife', minify: true });
await bundle.close();

const script = output[0].code.trim();
const style = (
  await Promise.all(['shared', 'style'].map((name) => readFile(`${report}browser/${name}.css`, 'utf8')))
)
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s+/g, ' ')
  .trim();
for (const text of [script, style]) if (/<\/|<!--/.test(text)) throw new Error('it would end its element');

const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
await writeFile(
  target,
  `// Made by \`npm run build\` from browser/; not to be edited.
/** The script of a report's page. */
export const SCRIPT =
  ${literal(script)};
/** The style of a report's page. */
export const STYLE =
  ${literal(style)};
`,
);
