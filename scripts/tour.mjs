/**
 * Writes anew what the pages show of the program: what its commands print, and the pictures of its workbooks. All
 * pages, or those named: `npm run tour -- tour.md`. Needs LibreOffice, Chromium and pdftoppm where pictures change.
 */
import { spawnSync } from 'node:child_process';

const pages = process.argv.slice(2);
const named =
  pages.length === 0 ? [] : ['-t', `(${pages.map((page) => page.replace('.', '\\.')).join('|')})$`];
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/docs/sessions.test.ts', ...named],
  { stdio: 'inherit', env: { ...process.env, CATERSHEET_PAGES: 'write' } },
);
// Of the page there are pictures alone, on the tour.
const isDrawn = status === 0 && (pages.length === 0 || pages.includes('tour.md'));
const drawn = isDrawn
  ? spawnSync(process.execPath, ['scripts/desk-pictures.mjs'], { stdio: 'inherit' })
  : null;
process.exit(drawn?.status ?? status ?? 1);
