import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PRIVATE } from '../../files/write-aside.ts';

/** A slow machine opens its browser within this time, ms. */
const OPENED = 60_000;

/**
 * Opens a browser at an address with a key; false where there is none. The key goes by way of a file that
 * only the user can read: what stands on a command line, every user of the machine sees.
 */
export async function openBrowser(address: string): Promise<boolean> {
  const file = join(folder(), `catersheet-${randomBytes(6).toString('hex')}.html`);
  const remove = (): void => rmSync(file, { force: true });
  try {
    writeFileSync(file, redirectTo(address), { mode: PRIVATE, flag: 'wx' });
    process.once('exit', remove);
    setTimeout(remove, OPENED).unref();
    // On demand: a module, and the bundle is in CommonJS.
    const { default: open } = await import('open');
    const child = await open(pathToFileURL(file).href);
    return await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
      setTimeout(() => resolve(true), 2000).unref();
    });
  } catch {
    return false;
  }
}

/** Browsers that come as a snap or flatpak read no hidden folder, and have their own temporary one. */
const folder = (): string => (process.platform === 'linux' ? homedir() : tmpdir());

/** A page that leads on at once; the address holds no character that means anything in HTML. */
const redirectTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><title>catersheet</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">catersheet</a>\n`;
