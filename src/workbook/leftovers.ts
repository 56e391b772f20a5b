import { createHash, randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const DAY = 86_400_000;
/** After so long nobody is still writing, wherever that may be. */
const ABANDONED = 7 * DAY;

/** Processes with the same sign can see each other by their ids: of one machine and, where there are several, of one container. */
const SIGN = createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8);

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** A name for a file of our own that is to become another: short, and telling who writes it. */
export function partName(): string {
  return `.catersheet-${SIGN}-${process.pid}-${randomUUID()}.part`;
}

const PART = /^\.catersheet-(?:([0-9a-f]{8})-(\d{1,10})-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/**
 * Removes from a folder what writers that were killed left in it: of processes here that are no more, and of others, who may write to
 * the same folder from elsewhere, what nobody touched for a week. It is a courtesy: what can't be removed stays.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [whole, sign, id] = PART.exec(name) ?? [];
    if (whole === undefined) continue;
    const file = join(folder, name);
    const left = sign === SIGN ? !isAlive(Number(id)) : await isAbandoned(file);
    if (left) await rm(file, { force: true }).catch(() => {});
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (cause) {
    // Another user's process answers that it may not be asked.
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true && Date.now() - found.mtimeMs > ABANDONED;
}
