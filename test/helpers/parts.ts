import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Makes what runs apart from the sources, so that the tests need no build: the page. */
export default function makeParts(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/desk-page.mjs', import.meta.url))]);
}
