import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, tabTo, tooWide, useBrowser } from '../../../desk/page/open-page.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;
const PHONE = { width: 360, height: 740 };

/** A file as a browser gives it to a page. */
const asFile = (name: string, text: string, mimeType = 'application/pdf') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

test.skipIf(chromium === undefined)(
  'documents are dropped beside their sheet, completed where one is missing, and uploaded',
  async () => {
    const desk = await openDesk();
    const page = await open(desk, PHONE);
    await page.waitForSelector('main h1');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(
        asFile(
          'offertes.csv',
          ['PartijID;Submap;Document', '9001;Offertes;C:\\map\\a.pdf', '9002;Offertes;b.pdf'].join('\r\n'),
          'text/csv',
        ),
      );
    await onScreen(page, 'How the file is read');
    expect(await page.getByLabel('This file is for').inputValue()).toBe('documents');
    const part = page.locator('details.documents');
    await part.getByText('0 of 2 rows have their document.').waitFor();
    await part.getByText('row 3').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);

    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, 'Choose documents');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles([
      asFile('a.pdf', '%PDF-a'),
      asFile('los.pdf', '%PDF-los'),
      asFile('leeg.pdf', ''),
    ]);
    await part.getByText('1 of 2 rows have their document.').waitFor();
    await part.getByRole('alert').getByText('leeg.pdf').waitFor();
    await part.locator('summary', { hasText: '2 documents are here' }).press('Enter');
    await part.getByText('no row names it').waitFor();
    await part.getByRole('button', { name: 'Remove los.pdf' }).press('Enter');
    await part.locator('summary', { hasText: '1 document is here' }).waitFor();

    await page.getByRole('button', { name: 'Make the plan' }).click();
    await onScreen(page, 'What would change');
    await page.locator('.lines .line').getByText('b.pdf').first().waitFor();
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await part.getByText('1 van de 2 rijen hebben hun document.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);

    // What is dropped anywhere on the window goes there, and the plan is made anew.
    await page.evaluate(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(['%PDF-b'], 'b.pdf', { type: 'application/pdf' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await part.getByText('Elke rij heeft zijn document.').waitFor();
    await page.getByText('2 verzoeken').first().waitFor();
    await page.getByRole('link', { name: 'Verder naar versturen' }).click();
    await onScreen(page, 'Versturen?');
    await page.getByRole('button', { name: '2 rijen versturen' }).click();
    await onScreen(page, 'Alle rijen zijn klaar');
    const uploaded = await desk.service.records('document');
    // They go side by side.
    expect(uploaded.map(({ PartijID, Bestandsnaam }) => `${PartijID} ${Bestandsnaam}`).sort()).toEqual([
      '9001 a.pdf',
      '9002 b.pdf',
    ]);
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'invoices are fetched, and saved one by one and as one zip',
  async () => {
    const desk = await openDesk();
    const page = await open(desk, PHONE);
    await page.waitForSelector('main h1');
    const csv = asFile('Facturen.csv', 'id;extension\r\n2026001;pdf\r\n2026002;xml\r\n', 'text/csv');
    await page.locator('input[type=file]').first().setInputFiles(csv);
    await onScreen(page, 'What would change');
    await page.getByRole('link', { name: 'On to sending' }).click();
    await onScreen(page, 'Send it?');
    await page.getByRole('button', { name: 'Send 2 rows' }).click();
    await onScreen(page, 'All rows are done');
    await page.getByText('2 invoices').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    const saved = async (name: string): Promise<string> => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name }).press('Enter');
      return (await download).suggestedFilename();
    };
    expect(await saved('Download all as one zip')).toBe('Facturen.zip');
    expect(await saved('2026001.pdf')).toBe('2026001.pdf');
    expect(await page.getByRole('button', { name: 'Take this run back' }).count()).toBe(0);
    // They are with the run too, for later.
    const [run] = (await desk.ask('listRuns')).runs;
    await page.goto(`${desk.origin}/#/runs/${run?.run}`);
    await onScreen(page, 'Facturen.csv');
    await page.getByRole('link', { name: '2026002.xml' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a list of events that an import would take for something else is refreshed as its user says',
  async () => {
    const desk = await openDesk();
    const file = join(desk.service.folder, 'evenementen.csv');
    writeFileSync(file, 'PartijID\r\n9001\r\n9002\r\n');
    const draft = await desk.bring(file);
    const page = await open(desk);
    await page.waitForSelector('main h1');
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    await onScreen(page, 'How the file is read');
    await page.getByLabel('This file is for').selectOption({ label: 'refreshing events' });
    await page.locator('.reading:not(.busy)').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await onScreen(page, 'What would change');
    await page.getByRole('link', { name: 'On to sending' }).click();
    await page.getByRole('button', { name: 'Send 2 rows' }).click();
    await onScreen(page, 'All rows are done');
    const { requests } = await desk.service.log();
    expect(requests.filter(({ endpoint }) => endpoint === 'events.processevent')).toHaveLength(2);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'purchase orders are named, asked about and sent by keyboard, and go once more only where that is ticked',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const page = await open(desk, PHONE);
    await page.waitForSelector('main h1');
    await page.getByRole('link', { name: 'Orders', exact: true }).press('Enter');
    await onScreen(page, 'Inkooporders en verversen');
    expect(await tooWide(page)).toBe(0);
    const sent = async (): Promise<unknown[]> =>
      (await desk.service.records('orderCall')).map(({ InkooporderID }) => InkooporderID);

    const numbers = page.getByLabel('Nummers van inkooporders');
    await numbers.focus();
    await page.keyboard.type('4501, x');
    await page.getByText('“x” is geen nummer.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await numbers.fill('4501\n4502 4');
    await page.getByRole('checkbox', { name: /^4502/ }).uncheck();
    await tabTo(page, '2 orders versturen');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '2 inkooporders versturen?' });
    await dialog.getByText('4501, 4').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await sent()).toEqual([]);

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Versturen' }).press('Enter');
    const outcomes = page.getByRole('table').first();
    await outcomes.getByRole('row', { name: /^4501 gedaan/ }).waitFor();
    await outcomes.getByRole('row', { name: /^4 mislukt/ }).waitFor();
    expect(await sent()).toEqual([4501]);
    const first = page.getByRole('checkbox', { name: /^4501 eerder verstuurd/ });
    await first.waitFor();
    expect(await first.isChecked()).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    expect(await tooWide(page)).toBe(0);

    await numbers.fill('4501');
    await first.check();
    await page.getByRole('button', { name: '1 order versturen', disabled: false }).press('Enter');
    await page.getByRole('dialog').getByText('Deze gaan nog eens: 4501.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Versturen' }).press('Enter');
    await outcomes.getByRole('row', { name: /^4 mislukt/ }).waitFor({ state: 'detached' });
    expect(await sent()).toEqual([4501, 4501]);

    await page
      .getByRole('button', { name: 'Alles versturen wat het systeem heeft', disabled: false })
      .press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Versturen' }).press('Enter');
    await outcomes.getByRole('row', { name: /^Alles wat het systeem had gedaan/ }).waitFor();
    expect(await sent()).toEqual([4501, 4501, null]);

    await page.getByLabel('Nummers van evenementen').fill('9001 9002');
    await page.getByRole('button', { name: '2 evenementen verversen' }).press('Enter');
    await page
      .getByRole('table')
      .nth(1)
      .getByRole('row', { name: /^9002 gedaan/ })
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'documents that are dropped together with their sheet go with it',
  async () => {
    const desk = await openDesk();
    const page = await open(desk);
    await page.waitForSelector('main h1');
    const drop = async (files: readonly (readonly [string, string])[]): Promise<void> => {
      await page.evaluate(`(() => {
        const dropped = new DataTransfer();
        for (const [name, text] of ${JSON.stringify(files)}) dropped.items.add(new File([text], name));
        dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
      })()`);
    };
    const sheet = 'PartijID;Submap;Document\r\n9001;Offertes;a.pdf\r\n9002;Offertes;b.docx';
    await drop([
      ['b.docx', 'PK b'],
      ['documenten.csv', sheet],
      ['a.pdf', '%PDF-a'],
    ]);
    // Nothing is missing: the first step is passed by.
    await onScreen(page, 'What would change');
    await page.getByText('2 requests').first().waitFor();
    await page.locator('summary', { hasText: 'Every row has its document.' }).waitFor();
    await page.goto(`${desk.origin}/#/`);
    await onScreen(page, 'Send a workbook to the service');
    await drop([
      ['evenementen.csv', 'PartijID\r\n9001'],
      ['Facturen.csv', 'id\r\n2026001'],
    ]);
    await page.getByText('One file at a time: these were 2.').waitFor();
    await drop([
      ['Verversen.csv', 'PartijID\r\n9001'],
      ['a.pdf', '%PDF-a'],
    ]);
    await page.getByText('1 other file was not taken').first().waitFor();
    await onScreen(page, 'What would change');
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
