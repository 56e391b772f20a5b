// Writes templates/: every sheet alone and all in one workbook, offline, in Dutch and English.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resources } from '../dist/resources/registry.js';
import { writeTemplateFile } from '../dist/template/write-template-file.js';

/** Templates of one version of the program are the same whenever they are made. */
const made = new Date('2027-01-01T00:00:00Z');
const [root = 'templates'] = process.argv.slice(2);

for (const language of ['nl', 'en']) {
  const folder = join(root, language);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const chosen of [resources, ...resources.map((resource) => [resource])])
    await writeTemplateFile({ chosen, resources, folder, language, made });
}
