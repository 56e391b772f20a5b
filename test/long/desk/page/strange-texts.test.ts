import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

/** Texts that a page could take for a part of itself. */
const HTML = '<img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script>';
const LINK = 'javascript:globalThis.taken=1//';
const ENDS = `"'></td></script><style>*{display:none}</style>{{7*7}}\${7*7}`;

/** Elements of a page that only a text of the workbook could have made. */
const MADE =
  'img, iframe, object, embed, base, form[action], [onerror], [onclick], a[href^="javascript"], style, script:not([src])';

test.skipIf(chromium === undefined)(
  'a workbook with script in every text shows it as text on every screen, and in its report',
  async () => {
    const desk = await openDesk();
    const file = await makeWorkbook(join(desk.service.folder, 'kwaad.xlsx'), {
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'InterneOpmerking', HTML],
        [81_001, HTML, 'Buffet', 12, LINK, HTML],
        [81_002, ENDS, HTML, ENDS, HTML, LINK],
        [81_003, LINK, 'Buffet', HTML, ENDS, ENDS],
      ],
      '<b onclick=x>sheet': [
        [HTML, LINK],
        [ENDS, HTML],
      ],
    });
    const draft = await desk.bring(file, `${HTML}.xlsx`);
    const page = await open(desk);
    page.on('dialog', (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    const looked = async (): Promise<void> => {
      expect(await page.evaluate('globalThis.taken')).toBeUndefined();
      expect(await page.locator(MADE).count()).toBe(0);
      expect(page.wrong).toEqual([]);
    };
    await page.getByRole('heading', { level: 1 }).waitFor();
    await looked();
    await page.goto(`${desk.origin}/#/files/${draft}`);
    await page.getByText('onerror', { exact: false }).first().waitFor({ state: 'attached' });
    await looked();
    await desk.planned(draft);
    await page.goto(`${desk.origin}/#/runs/${(await desk.plan(draft)).run}`);
    await page.locator('.rows .line:not(.waits)').first().waitFor({ state: 'attached' });
    await looked();
    for (const row of [0, 1, 2]) {
      await page.locator('.rows .line:not(.waits)').nth(row).click();
      await page
        .getByText(`8100${row + 1}`)
        .first()
        .waitFor();
      await looked();
    }
    await page.goto(`${desk.origin}/#/runs/${(await desk.plan(draft)).run}/send`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await looked();
    const { run } = await desk.plan(draft);
    await desk.ended((await desk.ask('send', { run, deletes: 0 })).job);
    for (const place of [`runs/${run}/send`, `runs/${run}`, 'runs', '']) {
      await page.goto(`${desk.origin}/#/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // What it shows comes after its heading.
      await page.waitForTimeout(500);
      await looked();
    }
    const report = join(desk.service.folder, 'report.html');
    writeFileSync(report, Buffer.from(await (await desk.fetch('report', { run })).arrayBuffer()));
    await page.goto(`file://${report}`);
    await page.getByText('81001').first().waitFor({ state: 'attached' });
    expect(await page.evaluate('globalThis.taken')).toBeUndefined();
    expect(await page.locator('img, iframe, [onerror]').count()).toBe(0);
  },
  300_000,
);
