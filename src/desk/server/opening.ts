import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
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

/** Where a starter is for, and what it starts. */
interface Starting {
  readonly platform?: string;
  readonly home?: string;
  /** Node, and the program's own file. */
  readonly node?: string;
  readonly program?: string;
}

/** Where desktops are, from the user's folder: one that is kept elsewhere too goes before. */
const DESKTOPS = ['OneDrive/Desktop', 'OneDrive/Bureaublad', 'Desktop', 'Bureaublad'];

/** Starts the page by a double-click, in a window that shows that it runs: its name and what stands in it. */
const STARTERS: Readonly<
  Record<string, readonly [name: string, text: (command: readonly string[]) => string]>
> = {
  win32: [
    'catersheet.cmd',
    (command) =>
      [
        '@chcp 65001 >nul',
        '@title catersheet',
        `@${command.map((one) => `"${one.replaceAll('%', '%%')}"`).join(' ')}`,
        '',
      ].join('\r\n'),
  ],
  darwin: [
    'catersheet.command',
    (command) => `#!/bin/sh\nexec ${command.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ')}\n`,
  ],
  linux: [
    'catersheet.desktop',
    (command) => {
      // Its own escapes are read twice: as a text, then as an argument.
      const words = command.map((one) =>
        `"${one.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`.replaceAll('\\', '\\\\'),
      );
      return `[Desktop Entry]\nType=Application\nName=catersheet\nTerminal=true\nExec=${words.join(' ')}\n`;
    },
  ],
};

/**
 * Puts a starter of the page on the user's desktop, in the place of one from before, and answers its path. Throws
 * StopError with EXIT.usage where there is no desktop.
 */
export function makeShortcut({
  platform = process.platform,
  home = homedir(),
  node = process.execPath,
  program = process.argv[1] ?? '',
}: Starting = {}): string {
  const folder = DESKTOPS.map((name) => join(home, name)).find((one) => existsSync(one));
  const starter = STARTERS[platform];
  if (folder === undefined || starter === undefined)
    throw usageStop(
      t('No desktop was found to put it on.', 'Er is geen bureaublad gevonden om het op te zetten.'),
      t('Open the page from a terminal.', 'Open de pagina vanuit een terminal.'),
    );
  const [name, text] = starter;
  const file = join(folder, name);
  writeFileSync(file, text([node, program, 'desk']), { mode: 0o755 });
  return file;
}
