import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askingOf, openSessionAt } from '../../../desk/open-desk.ts';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { startProgram } from '../../../desk/stories/desk-program.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { openTestService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

test.skipIf(chromium === undefined)(
  'the tabs of a program that was killed say so, and go on where they were with the address of the next one',
  async () => {
    const service = await openTestService();
    const first = await startProgram(service);
    const { origin, session } = await openSessionAt(first.address);
    const desk = askingOf(origin, session);
    const file = await makeWorkbook(join(service.folder, 'catalogus.xlsx'), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [71001, 'Buffet', 'Lentebuffet', 12.5],
      ],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const next = await first.nextAddress();
    const page = await open({ origin, key: () => new URL(next).hash.replace('#key=', '') });
    await page.waitForSelector('#content h1');
    await page.evaluate(`location.hash = '#/draft/${draft}/plan'`);
    await onScreen(page, 'What would change');
    const beside = await page.context().newPage();
    const onRuns = () => beside.getByRole('heading', { level: 1, name: 'Runs', exact: true }).waitFor();
    await beside.goto(`${origin}/#/runs`);
    await onRuns();

    await first.kill();
    for (const tab of [page, beside]) await tab.getByText('Then open the address that it shows').waitFor();
    expect(await axeFaults(page)).toEqual([]);

    const second = await startProgram(service, { port: first.port });
    expect(second.origin).toBe(origin);
    for (const tab of [page, beside])
      await tab.getByRole('heading', { name: 'catersheet was started anew' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    // As one pastes it in the address bar of the old tab: nothing is loaded anew then.
    await page.goto(second.address);
    await onScreen(page, 'What would change');
    await page.locator('.lines .line[aria-rowindex="2"]').getByText('to create').waitFor();
    expect(page.url()).toBe(`${origin}/#/draft/${draft}/plan`);
    await onRuns();

    // An address that was used is no obstacle where the browser has access.
    await beside.goto(second.address);
    await beside.reload();
    await onRuns();
    expect(await beside.evaluate('location.href')).not.toContain('key=');
    expect(page.wrong).toEqual([]);
  },
  300_000,
);
