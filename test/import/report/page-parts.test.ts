import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../../helpers/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test('the page’s script and style are what `npm run build` makes of browser/', () => {
  const fresh = join(tempFolder(), 'page-parts.ts');
  execFileSync(process.execPath, [join(ROOT, 'scripts/report-page.mjs'), fresh]);
  expect(readFileSync(join(ROOT, 'src/import/report/page-parts.ts'), 'utf8')).toBe(
    readFileSync(fresh, 'utf8'),
  );
});
