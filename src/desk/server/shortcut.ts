import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';

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
