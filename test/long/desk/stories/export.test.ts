import { expect, test } from 'vitest';
import { readWorkbook } from '../../../../src/workbook/read-workbook.ts';
import { startProgram } from '../../../desk/stories/desk-program.ts';
import { type Person, useBrowser } from '../../../desk/stories/person.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { openTestService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';

const sitDown = useBrowser();
const LIMIT = 300_000;

/** A period in which the sandbox has events. */
const [FROM, TO] = ['2026-07-07', '2027-06-06'];

/** Fills in the days of a period. */
async function between({ page }: Person): Promise<void> {
  await page.getByLabel('Van', { exact: true }).last().fill(FROM);
  await page.getByLabel('Tot en met', { exact: true }).last().fill(TO);
}

/** The sheets of a workbook with how many rows each has. */
async function rowsIn(file: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const sheet of await readWorkbook(file)) {
    let rows = 0;
    for await (const _ of sheet.rows) rows++;
    found[sheet.name] = rows;
  }
  return found;
}

/** The tables of an overview that lie over another one, by their names. */
const overlapping = `(() => {
  const tables = [...document.querySelectorAll('.totals table')].map((table) => [table, table.getBoundingClientRect()]);
  return tables
    .filter(([one, a]) =>
      tables.some(([other, b]) =>
        one !== other && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom))
    .map(([table]) => table.innerText.split('\\n')[0]);
})()`;

test.skipIf(chromium === undefined)(
  'the events of a period and their packages are exported, its revenue is shown, and the page says that the program was ended and is there again',
  async () => {
    const manner = { by: 'mouse', lang: 'nl' } as const;
    const service = await openTestService();
    const desk = await startProgram(service, manner);
    const person = await sitDown(desk, manner);
    const { page } = person;
    // A file that is dropped on the page is planned.
    await person.bring(await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(2) }));
    await page.locator('.lines .line:not(.waits)').first().waitFor();
    await person.press('link', 'Export', 'Exporteren');
    await page.locator('.checks').first().waitFor();
    await person.comesTo('Export', 'Exporteren');
    await person.press('checkbox', 'Events', 'Evenementen');
    await person.press('checkbox', 'Arrangements', 'Arrangementen');
    await page.getByRole('button', { name: 'Dit jaar' }).first().click();
    await person.looks();
    await service.faults({ latencyMs: 40 });
    await person.press('button', 'Export', 'Exporteren');
    await page.getByRole('progressbar').first().waitFor();
    person.fine();
    await service.faults({ latencyMs: 0 });
    await page
      .locator('.box')
      .getByRole('button', { name: / downloaden/ })
      .waitFor();
    await person.looks();
    const shown = await page.locator('.box li').allInnerTexts();
    const workbook = await person.download(service.folder, 'button', 'Download ', '.* downloaden');
    const rows = await rowsIn(workbook);
    expect(shown.length).toBeGreaterThanOrEqual(2);
    for (const line of shown) {
      const [, sheet = '', count = ''] = /^(.*): ([\d.,]+) /.exec(line) ?? [];
      // One row more: the headers.
      expect([sheet, rows[sheet]]).toEqual([sheet, Number(count.replace(/\D/g, '')) + 1]);
      expect(rows[sheet]).toBeGreaterThan(1);
    }

    await between(person);
    await person.press(
      'checkbox',
      'All events, not only the definitive ones',
      'Alle evenementen, niet alleen de definitieve',
    );
    await person.press('button', 'Make the overview', 'Overzicht maken');
    await page.locator('.finance table').first().waitFor();
    await person.looks();
    for (const width of [1400, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      expect(await page.evaluate(overlapping)).toEqual([]);
    }
    expect(await page.locator('.finance td').first().innerText()).toMatch(/[1-9]/);
    const finance = await person.download(service.folder, 'button', 'Download ', '.* downloaden');
    expect(Object.keys(await rowsIn(finance)).length).toBeGreaterThan(2);
    await person.press(
      'checkbox',
      'The bookings as CSV, in place of a workbook',
      'De boekingen als CSV, in plaats van een werkmap',
    );
    await person.press('button', 'Make the overview', 'Overzicht maken');
    const bookings = await person.download(service.folder, 'button', '.*csv', '.*csv downloaden');
    expect(Object.values(await rowsIn(bookings))[0]).toBeGreaterThan(2);
    person.gone(true);
    await desk.kill();
    await page.getByText('catersheet is gestopt').waitFor();
    await person.looks();
    await startProgram(service, { ...manner, port: desk.port });
    await page.getByRole('heading', { name: 'catersheet is opnieuw gestart' }).waitFor();
    person.fine();
    await page.context().close();
  },
  LIMIT,
);
