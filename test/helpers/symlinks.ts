import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

/** Whether links can be made here: Windows asks a right for it. */
export const hasLinks: boolean = triedLink();

function triedLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-test-'));
  try {
    writeFileSync(join(folder, 'echt'), 'a');
    symlinkSync(join(folder, 'echt'), join(folder, 'link'));
    return readFileSync(join(folder, 'link'), 'utf8') === 'a';
  } catch {
    return false;
  } finally {
    removeFolder(folder);
  }
}
