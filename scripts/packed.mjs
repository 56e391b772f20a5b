// Packs the program, installs it in a folder of its own as a user would, and has it import a real workbook.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const NAME = 'catalogus-voorjaar';

const folder = mkdtempSync(join(tmpdir(), 'catersheet-packed-'));
try {
  npm(['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  cpSync(join(ROOT, 'fixtures', 'samples', `${NAME}.xlsx`), join(folder, `${NAME}.xlsx`));
  npm(['init', '--yes', '--silent'], { cwd: folder });
  npm(['install', '--no-audit', '--no-fund', '--silent', `./${archive}`], { cwd: folder });
  const program = join(folder, 'node_modules', 'catersheet', 'dist', 'catersheet.js');
  const { status } = spawnSync(process.execPath, [program, 'import', `${NAME}.xlsx`, '--yes'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, CATERSHEET_HOME: join(folder, 'home') },
  });
  if (status !== 0) throw new Error(`the packed program ended with ${status}`);
  if (statSync(join(folder, `${NAME}.result.xlsx`)).size === 0) throw new Error('the result is empty');
  const said = npm(['exec', '--', 'catersheet', '--version'], { cwd: folder }).trim();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (said !== version) throw new Error(`the packed program says that it is ${said}, not ${version}`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
