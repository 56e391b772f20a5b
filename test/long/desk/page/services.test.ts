import { expect, test } from 'vitest';
import { axeFaults, onScreen, useBrowser } from '../../../desk/page/open-page.ts';
import { openTwo } from '../../../desk/two-services.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();
const LIMIT = 300_000;

test.skipIf(chromium === undefined)(
  'what one service answered is not shown under another, a choice of its lists neither, and the sandbox can be chosen',
  async () => {
    const { desk } = await openTwo();
    const page = await open(desk);
    const service = page.locator('.top .service');
    const use = async (name: string, shown: string): Promise<void> => {
      await page.getByRole('button', { name }).click();
      await service.getByText(shown).waitFor();
    };
    await page.getByRole('link', { name: 'Service' }).click();
    await onScreen(page, 'Service');
    await page.getByLabel('Also look which dropdown number is which list').check();
    await page.getByRole('button', { name: 'Check it' }).click();
    const good = page.getByText('Workbooks can be imported here.');
    await good.waitFor();
    await page.locator('.list-choice').first().getByRole('radio').last().check();
    const keep = page.getByRole('button', { name: 'Keep these lists' });
    await keep.waitFor();

    await use('Use winkel', 'winkel');
    await good.waitFor({ state: 'detached' });
    expect(await keep.count()).toBe(0);
    await use('Use the sandbox', 'made-up data');
    await page.getByText('in use', { exact: true }).waitFor();
    expect(await good.count()).toBe(0);
    await page.locator('.list-choice').first().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Also look which').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    // It holds of its own service as before.
    await use('Use keuken', 'keuken');
    await good.waitFor();
    await page.reload();
    await good.waitFor();

    await page.goto(`${desk.origin}/#/export?part=finance`);
    await page.getByRole('button', { name: 'Make the overview' }).click();
    const sums = page.locator('.finance');
    await sums.waitFor();
    await desk.ask('useProfile', { body: { profile: 'winkel' } });
    await service.getByText('winkel').waitFor();
    await sums.waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
