import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasProgram, tempFolder } from '../helpers/run-cli.ts';
import { ROOT } from './papers.ts';

/** What each script makes in a folder, by where that is kept. */
const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'interface-page': { 'docs/interface.md': 'interface.md' },
  'licences-page': { 'docs/licences.md': 'licences.md' },
  'messages-page': { 'docs/messages.md': 'messages.md' },
  'man-page': { 'man/catersheet.1': 'man/catersheet.1' },
  'commands-page': {
    'docs/commands.md': 'docs/commands.md',
    'docs/json.md': 'docs/json.md',
    'README.md': 'README.md',
  },
  'api-page': {
    'docs/api.md': 'api.md',
    'schemas/catersheet-1.schema.json': 'catersheet-1.schema.json',
  },
  'architecture-picture': { 'docs/architecture.svg': '' },
};

for (const [script, files] of Object.entries(SCRIPTS)) {
  const isPicture = script === 'architecture-picture';
  // What makes a page loads the built program; the picture is drawn from the sources alone.
  test.skipIf(!hasProgram && !isPicture)(`what \`npm run docs\` makes is up to date: ${script}`, async () => {
    const made = join(tempFolder(), isPicture ? 'picture.svg' : '');
    await promisify(execFile)(process.execPath, [join(ROOT, `scripts/${script}.mjs`), made], { cwd: ROOT });
    for (const [kept, file] of Object.entries(files))
      expect(readFileSync(join(ROOT, kept), 'utf8'), `${kept} is out of date: npm run docs`).toBe(
        readFileSync(join(made, file), 'utf8'),
      );
  });
}
