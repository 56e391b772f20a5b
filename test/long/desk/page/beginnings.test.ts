import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, useBrowser } from '../../../desk/page/open-page.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { ole, writeZip } from '../../../workbook/make-workbook.ts';

const openPage = useBrowser();
const LIMIT = 300_000;

/** A file as a picker hands it over. */
const named = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** What a drop of files brings, made in the page. */
const dropOf = (...names: string[]): string => `(() => {
  const files = new DataTransfer();
  for (const name of ${JSON.stringify(names)}) files.items.add(new File(['ExternalID;Prijs\\n1;2\\n'], name));
  return files;
})()`;

test.skipIf(chromium === undefined)(
  'a file that can’t be read is refused with the way out, and one at a time is taken',
  async () => {
    const desk = await openDesk();
    const page = await openPage(desk);
    const input = page.locator('input[type=file]');
    const told = page.getByRole('alert');
    await input.setInputFiles(named('prijzen.xls', ole('Workbook')));
    await told.getByText('prijzen.xls is an old Excel workbook (.xls)').waitFor();
    await told.getByText('save it as .xlsx').waitFor();
    expect(await axeFaults(page)).toEqual([]);

    // What it is, is told by its content: of two kinds whose names say nothing either.
    const ods = await writeZip(join(desk.service.folder, 'voorraad.ods'), { 'content.xml': '<x/>' });
    await input.setInputFiles(ods);
    await told.getByText('voorraad.ods is an OpenDocument file (.ods)').waitFor();
    await input.setInputFiles(named('kaart.pdf', '%PDF-1.7\n'));
    await told.getByText('kaart.pdf is a PDF, not a workbook').waitFor();

    await input.setInputFiles(named('kapot.xlsx', 'PK\x03\x04 not a workbook'));
    await told.getByText('kapot.xlsx').waitFor();
    expect((await desk.ask('listDrafts')).drafts).toEqual([]);

    const two = await page.evaluateHandle(dropOf('een.csv', 'twee.csv'));
    await page.locator('body').dispatchEvent('drop', { dataTransfer: two });
    await told.getByText('One file at a time: these were 2.').waitFor();

    // One that is dropped anywhere is taken.
    const one = await page.evaluateHandle(dropOf('lijst.csv'));
    await page.locator('header.top').dispatchEvent('drop', { dataTransfer: one });
    await page.getByRole('heading', { name: 'How the file is read' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a browser without the key is told where it stands, and a page whose server ends says so',
  async () => {
    const desk = await openDesk();
    const page = await openPage(desk);
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    expect(await page.evaluate('location.href + document.body.innerText')).not.toContain('key=');

    const stranger = await page.context().browser()?.newContext();
    const outside = await stranger?.newPage();
    if (outside === undefined) throw new Error('no page');
    await outside.goto(desk.origin);
    await outside.getByRole('heading', { name: 'This browser has no access yet' }).waitFor();
    expect(await outside.evaluate('document.body.innerText')).toContain(
      'the address that the terminal shows last',
    );
    expect(await axeFaults(outside)).toEqual([]);

    await desk.close();
    await page.getByText('catersheet was stopped, or is starting').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);
