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
process.exit(status ?? 1);
