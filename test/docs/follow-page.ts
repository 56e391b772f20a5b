import { cpSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import exceljs from 'exceljs';
import { expect } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { WITHOUT_LISTS } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { wordsOf } from './command-lines.ts';
import { ROOT } from './papers.ts';
import { closestTo, RUN } from './prints.ts';

/**
 * A step of a page: a command with what it prints, or what a reader does not see:
 * - `<!-- edit FILE CELL VALUE -->` types in a workbook: in its first visible sheet, or in that of `SHEET!CELL`;
 * - `<!-- run COMMAND -->` is what someone else does meanwhile, or what is told elsewhere;
 * - `<!-- picture NAME FILE SHEET -->` is a picture of a sheet (the first visible one), or of a page of HTML.
 */
const STEP =
  /^```\n\$ (?<command>.+)\n(?<shown>[\s\S]*?)^```$|^<!-- (?<hidden>edit|run|picture) (?<what>.+) -->$/gm;

/** Where the readers of the pages work. */
const DESK = '/home/jan/catering';

/** What a page shows a picture of: a file as it is at that step, and a sheet of it by its name. */
export interface Picture {
  readonly name: string;
  readonly file: string;
  readonly sheet: string | undefined;
}

/** What to do along the way. */
export interface Following {
  /** A picture's turn. */
  readonly onPicture: (picture: Picture) => Promise<void>;
  /** Writes anew what the commands print, in place of comparing it. */
  readonly rewriting: boolean;
}

async function type(file: string, [where = '', ...rest]: readonly string[]): Promise<void> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file, WITHOUT_LISTS);
  const [cell = '', named] = where.split('!').reverse();
  const sheet = book.worksheets.find(({ state, name }) => (named ? name === named : state === 'visible'));
  if (sheet === undefined) throw new Error(`${file} has no sheet ${named ?? 'that is visible'}.`);
  const value = rest.join(' ');
  sheet.getCell(cell).value = Number.isNaN(Number(value)) ? value : Number(value);
  await book.xlsx.writeFile(file);
}

/**
 * Goes through a page from its top as a reader would, in a folder with the files that it names: every command does its
 * work. Answers the page with what they printed now, where that is rewritten.
 */
export async function followPage(text: string, { onPicture, rewriting }: Following): Promise<string> {
  const folder = realpathSync(tempFolder());
  for (const theme of ['samples', 'docs']) cpSync(join(ROOT, 'fixtures', theme), folder, { recursive: true });
  const runs = new Map<string, string>();
  const real = (words: string): string => words.replace(RUN, (id) => runs.get(id) ?? id);
  const run = (line: string) =>
    runCli(wordsOf(real(line)), { cwd: folder, env: { CATERSHEET_HOME: join(folder, 'home') } });
  let rewritten = text;
  for (const { 0: step, groups = {} } of text.matchAll(STEP)) {
    const { command = '', shown = '', hidden, what = '' } = groups;
    const [file = '', ...typed] = wordsOf(`step ${real(what)}`);
    if (hidden === 'edit') await type(join(folder, file), typed);
    else if (hidden === 'picture')
      await onPicture({ name: file, file: join(folder, typed[0] ?? ''), sheet: typed[1] });
    else if (hidden === 'run') {
      const { code, stderr } = await run(what);
      expect(code, `${what}: ${stderr}`).toBe(0);
    } else if (command.startsWith('cat '))
      expect(readFileSync(join(folder, command.slice(4)), 'utf8')).toBe(shown);
    else if (!command.startsWith('catersheet sandbox')) {
      const { code, stdout, stderr } = await run(command);
      expect([EXIT.ok, EXIT.file, EXIT.rows, EXIT.unknown], `${command}: ${stderr}`).toContain(code);
      const printed = stdout.replaceAll(`${folder}${sep}`, `${DESK}/`).replaceAll(folder, DESK);
      // The page's run and the real one, for the commands that name it.
      const [told] = shown.match(RUN)?.slice(-1) ?? [];
      const [made] = stdout.match(RUN)?.slice(-1) ?? [];
      if (told !== undefined && made !== undefined) runs.set(told, made);
      if (rewriting) {
        const known = new Map([...runs].map(([page, real]) => [real, page]));
        const now = closestTo(
          shown,
          printed.replace(RUN, (id) => known.get(id) ?? id),
        );
        rewritten = rewritten.replace(step, () => `\`\`\`\n$ ${command}\n${now}\`\`\``);
      }
    }
  }
  return rewritten;
}
