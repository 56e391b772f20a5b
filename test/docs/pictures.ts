import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import exceljs from 'exceljs';
import { WITHOUT_LISTS } from '../helpers/make-workbook.ts';
import type { Picture } from './follow-page.ts';
import { ROOT } from './papers.ts';

const run = promisify(execFile);

/** Where the pictures stand. */
const PICTURES = join(ROOT, 'docs/tour');

/** The part of a sheet that a picture shows, in pixels: a screen of a laptop. */
const SHEET = ['-r', '84', '-x', '0', '-y', '0', '-W', '1400', '-H', '620'];

/** A page on a laptop. */
const PAGE = '1280,1400';

const isPage = (file: string): boolean => file.endsWith('.html');

/** The sheets of a workbook that are seen. */
async function visibleSheets(file: string): Promise<exceljs.Worksheet[]> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file, WITHOUT_LISTS);
  return book.worksheets.filter(({ state }) => state === 'visible');
}

/** Which of the visible sheets a picture shows, from 0. Throws where it is not there. */
function placeOf(sheets: readonly exceljs.Worksheet[], { file, sheet }: Picture): number {
  const at = sheet === undefined ? 0 : sheets.findIndex(({ name }) => name === sheet);
  if (at < 0) throw new Error(`${basename(file)} has no sheet ${sheet}.`);
  return at;
}

/** Draws a picture by LibreOffice or Chromium. Throws where that, or `pdftoppm`, is missing. */
export async function draw(picture: Picture): Promise<void> {
  const { name, file } = picture;
  mkdirSync(PICTURES, { recursive: true });
  const target = join(PICTURES, name);
  const folder = dirname(file);
  if (isPage(file)) {
    const flags = ['--headless', '--no-sandbox', '--hide-scrollbars', `--window-size=${PAGE}`];
    await run('chromium', [...flags, `--screenshot=${target}.png`, pathToFileURL(file).href]);
    return;
  }
  const filter = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}';
  const home = `-env:UserInstallation=${pathToFileURL(join(folder, 'office')).href}`;
  const out = join(folder, 'drawn');
  await run('soffice', [home, '--headless', '--convert-to', filter, '--outdir', out, file]);
  const pdf = join(out, `${basename(file).replace(/\.[^.]+$/, '')}.pdf`);
  // One page a visible sheet.
  const page = String(placeOf(await visibleSheets(file), picture) + 1);
  await run('pdftoppm', [...SHEET, '-f', page, '-singlefile', '-png', pdf, target]);
}
