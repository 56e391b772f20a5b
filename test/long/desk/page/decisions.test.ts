import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BaselineRecord } from '../../../../src/files/baseline-sheet.ts';
import { openDesk, type TestDesk } from '../../../desk/open-desk.ts';
import { axeFaults, type DeskPage, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { changePackage, packageOf, serviceOf, withBaseline } from '../../../import/baseline/fixtures.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { MORNING, MUTATION_HEADER, recipeIds, stockOf } from '../../../kinds/stock/stock-fixtures.ts';

const open = useBrowser();
const LIMIT = 300_000;

async function openAt(desk: TestDesk, place: string): Promise<DeskPage> {
  const page = await open(desk);
  await page.waitForSelector('main h1');
  await page.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
  return page;
}

const line = (page: DeskPage, row: number) => page.locator(`.lines .line[aria-rowindex="${row}"]`);
const pill = (page: DeskPage, row: number) => line(page, row).locator('.pill');

/** An export of three packages, edited here while someone else changed them. */
async function conflictingExport(desk: TestDesk) {
  const { service } = desk;
  const ids = (await service.records('package')).slice(0, 3).map(({ id }) => Number(id));
  const records: BaselineRecord[] = [];
  for (const id of ids) {
    await changePackage(service, id, { Verkoopprijs: 34.5 });
    const values = await packageOf(service, id);
    records.push({ resource: 'packages', key: `id:${id}`, lmt: String(values.LMT), values });
  }
  const file = join(service.folder, 'export.xlsx');
  const rows = [['ProductID', 'Verkoopprijs'], ...ids.map((id) => [id, 50])];
  await withBaseline(file, { Pakketten: rows }, serviceOf(service), records);
  for (const id of ids) await changePackage(service, id, { Verkoopprijs: 40 });
  return { ids, draft: await desk.bring(file) };
}

test.skipIf(chromium === undefined)(
  'conflicts are decided on the page, each in its own way, and only mine is sent',
  async () => {
    const desk = await openDesk();
    const { ids, draft } = await conflictingExport(desk);
    await desk.planned(draft);
    const page = await openAt(desk, `/runs/${(await desk.plan(draft)).run}`);
    await pill(page, 2).getByText('conflict').waitFor();
    const choices = [
      ['Send mine', 'decided: mine'],
      ['Keep theirs', 'decided: theirs'],
      ['Leave this row', 'decided: leave it'],
    ] as const;
    for (const [at, [choice, becomes]] of choices.entries()) {
      await line(page, at + 2).click();
      const conflict = page.locator('.conflict');
      await conflict.getByRole('row', { name: 'Verkoopprijs' }).waitFor();
      expect(await conflict.getByRole('row', { name: 'Verkoopprijs' }).innerText()).toMatch(
        /34\.50\s+40\.00\s+50\.00/,
      );
      // It is decided between two values; nothing in it is wrong.
      expect(await page.locator('.row-panel .cell.bad').count()).toBe(0);
      if (at === 0) expect(await axeFaults(page)).toEqual([]);
      await conflict.getByRole('button', { name: choice }).focus();
      await page.keyboard.press('Enter');
      await line(page, at + 2)
        .getByText(becomes)
        .waitFor();
      // On to the next conflict, if any; what was decided can be decided otherwise.
      if (at === 0)
        await page.locator('.row-panel header').getByText('Pakketten 3', { exact: true }).first().waitFor();
      if (at === 0) await page.getByText('2 other conflicts are open. “Send mine” there too?').waitFor();
      if (at === 2) await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
      await line(page, at + 2).click();
      await page.locator('.conflict').getByRole('button', { name: choice, pressed: true }).waitFor();
    }
    // All rows are checked again before any is sent.
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Send 1 row' }).waitFor();
    const { run } = (await desk.ask('run', { file: draft })).run;
    await desk.ended((await desk.ask('send', { run, deletes: 0 })).job);
    const prices = await Promise.all(ids.map(async (id) => (await packageOf(desk.service, id)).Verkoopprijs));
    expect(prices).toEqual([50, 40, 40]);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'rows that were posted without an answer are settled on the page: one did arrive, one is sent again',
  async () => {
    // A posting may arrive for as long after it was given up, and is not sent again before.
    const desk = await openDesk({}, { retries: 0, doubt: 0.2 });
    const { service } = desk;
    const ids = await recipeIds(service, 2);
    const before = await Promise.all(ids.map((id) => stockOf(service, id)));
    const file = await makeWorkbook(join(service.folder, 'mutaties.xlsx'), {
      Voorraadmutaties: [[...MUTATION_HEADER], ...ids.map((id) => [id, 12, MORNING, 2, 4901, 'Levering'])],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    const page = await openAt(desk, `/runs/${(await desk.plan(draft)).run}`);
    await pill(page, 2).getByText('to post').waitFor();
    await page.locator('.chip').getByText('to post').waitFor();
    await service.faults({ lostAnswer: 1, onlyWrites: true });
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: /^Send 2 rows/ }).click();
    await page.getByText('2 rows were sent and no answer tells whether they arrived').waitFor();
    await service.faults({ lostAnswer: 0 });

    await page.getByRole('link', { name: 'Show them' }).click();
    await line(page, 2).click();
    await page.getByText('Did it arrive?').waitFor();
    const panel = page.locator('.row-panel');
    expect(await panel.innerText()).toContain('no answer came back');
    expect(await axeFaults(page)).toEqual([]);
    await panel.getByRole('button', { name: 'It did arrive' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 row was sent and no answer tells whether it arrived').waitFor();
    await page.getByText('Did it arrive?').waitFor({ state: 'detached' });

    // The other, the only one that is left of those.
    await page.locator('.rows').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('Did it arrive?').waitFor();
    await panel.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 row was sent and no answer').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'All rows' }).click();
    await page.locator('.chip').getByText('posted').waitFor();
    const added = async (): Promise<number[]> =>
      (await Promise.all(ids.map((id) => stockOf(service, id)))).map(
        (stock, at) => stock - (before[at] ?? 0),
      );
    // It is sent a moment after the page says so.
    await expect.poll(added).toEqual([2, 4]);
    await page.goto(`${desk.origin}/#/runs`);
    await page.locator('.runs-list').getByText('2 posted').waitFor();
    expect(await added()).toEqual([2, 4]);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  LIMIT,
);
