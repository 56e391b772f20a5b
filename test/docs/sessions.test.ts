import { cpSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { wordsOf } from './command-lines.ts';
import { papers, ROOT } from './papers.ts';

/**
 * A step of a page: a command with what it prints, or what happens between two of them, out of a reader's sight:
 * `<!-- edit FILE CELL VALUE -->` types in a workbook's first visible sheet, `<!-- run COMMAND -->` is what someone else does.
 */
const STEP = /^```\n\$ (?<command>.+)\n(?<shown>[\s\S]*?)^```$|^<!-- (?<hidden>edit|run) (?<what>.+) -->$/gm;

const RUN = /\d{8}-\d{6}-[a-z0-9]{4}/g;

/** What is another each time: moments, durations, folders and the sandbox's own name. */
const masked = (text: string): string =>
  text
    .replace(RUN, 'RUN')
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g, 'MOMENT')
    // One more or less is read back, by the order in which rows end.
    .replace(/\d+ requests, \d+\.\d s/g, 'REQUESTS, SECONDS')
    .replace(/"requests": \d+/g, '"requests": REQUESTS')
    .replace(/, \d+\.\d s/g, ', SECONDS')
    .replace(/which takes .*\./g, 'which takes a while.')
    .replace(/"ms": \d+/g, '"ms": MS')
    .replace(/^Log: .*$/gm, 'Log: FILE')
    .replace(/sandbox \d+-\d+/g, 'sandbox NAME');

/** What was printed is what is shown, but for what `…` on a line of its own leaves out. */
function expectShown(printed: string, shown: string): void {
  const [first = '', ...others] = masked(shown).split(/^…\n/m);
  let rest = masked(printed);
  expect(others.length === 0 ? rest : rest.slice(0, first.length)).toBe(first);
  rest = rest.slice(first.length);
  for (const piece of others) {
    expect(rest).toContain(piece);
    rest = rest.slice(rest.indexOf(piece) + piece.length);
  }
  if (others.length > 0 && others.at(-1) !== '') expect(rest).toBe('');
}

async function type(file: string, [cell = '', value = '']: readonly string[]): Promise<void> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.worksheets.find(({ state }) => state === 'visible');
  if (sheet === undefined) throw new Error(`${file} has no visible sheet.`);
  sheet.getCell(cell).value = Number.isNaN(Number(value)) ? value : Number(value);
  await book.xlsx.writeFile(file);
}

/** Where the readers of the pages work. */
const DESK = '/home/jan/catering';

/** Goes through a page from its top as a reader would, in a folder with the files that it names. */
async function followPage(text: string): Promise<void> {
  const folder = realpathSync(tempFolder());
  for (const theme of ['samples', 'docs']) cpSync(join(ROOT, 'fixtures', theme), folder, { recursive: true });
  const runs = new Map<string, string>();
  const run = (line: string) => {
    const real = line.replace(RUN, (id) => runs.get(id) ?? id);
    return runCli(wordsOf(real), { cwd: folder, env: { CATERSHEET_HOME: join(folder, 'home') } });
  };
  for (const { groups = {} } of text.matchAll(STEP)) {
    const { command = '', shown = '', hidden, what = '' } = groups;
    const [file = '', ...typed] = what.split(' ');
    if (hidden === 'edit') await type(join(folder, file), typed);
    else if (hidden === 'run') expect((await run(what)).code).toBe(0);
    else if (command.startsWith('cat '))
      expect(readFileSync(join(folder, command.slice(4)), 'utf8')).toBe(shown);
    else if (!command.startsWith('catersheet sandbox')) {
      const { stdout } = await run(command);
      expectShown(stdout.replaceAll(`${folder}${sep}`, `${DESK}/`).replaceAll(folder, DESK), shown);
      // The page's run and the real one, for the commands that name it.
      const [told] = shown.match(RUN)?.slice(-1) ?? [];
      const [made] = stdout.match(RUN)?.slice(-1) ?? [];
      if (told !== undefined && made !== undefined) runs.set(told, made);
    }
  }
}

describe('what the program prints is what a page shows', () => {
  it.each(
    papers.filter(({ text }) => text.includes('```\n$ ')).map(({ path, text }) => [path, text] as const),
  )('when its commands are given one after the other: %s', { timeout: 120_000 }, async (_, text) => {
    await followPage(text);
  });
});
