import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { axeFaults, useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const openPage = useBrowser();
/** How long it is looked for whether rows arrived, s: longer than a busy machine takes to show it. */
const DOUBT = 15;

const TEXTS = {
  en: ['Sending', /^For 2 rows no answer came\. Until \d+:\d\d:\d\d they are looked for on the service/],
  nl: ['Versturen', /^Op 2 rijen kwam geen antwoord\. Tot \d+:\d\d:\d\d wordt in het systeem gekeken/],
} as const;

test.skipIf(chromium === undefined).each(['en', 'nl'] as const)(
  'while it is looked for whether rows arrived, the page says so, how many and until when; then they go once (%s)',
  async (lang) => {
    const desk = await openDesk({}, { lang, doubt: DOUBT, retries: 0 });
    const { service } = desk;
    const file = await makeWorkbook(join(service.folder, 'pakketten.xlsx'), { Pakketten: packageRows(2) });
    const draft = await desk.bring(file);
    expect((await desk.planned(draft)).state).toBe('done');
    const { run } = await desk.ask('plan', { params: { draft } });
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/send`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Every write is cut off before it is done: nothing tells but time that it will not arrive.
    await service.faults({ reset: 1, onlyWrites: true });
    const { job } = await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } });
    const [stage, whole] = TEXTS[lang];
    await page.getByText(whole).waitFor();
    await service.faults({ reset: 0 });
    const { progress } = (await desk.ask('job', { params: { job: job.id } })).job;
    const left = Date.parse(progress?.doubt?.until ?? '') - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(DOUBT * 1000);
    // What is looked up meanwhile does not take its place: not at the first look, nor at later ones.
    for (const end = Date.now() + Math.min(4000, left - 3000); Date.now() < end; ) {
      const told = (await desk.ask('job', { params: { job: job.id } })).job.progress;
      expect(told).toMatchObject({ stage: 'sending', doubt: { rows: 2 } });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await page.locator('.progress-head strong').innerText()).toBe(stage);
    expect(await axeFaults(page)).toEqual([]);
    const ended = await desk.ended(job);
    expect(ended.outcomes).toEqual({ created: 2 });
    await page.locator('.doubt').waitFor({ state: 'detached' });
    const keys = (await service.records('package')).map(({ ExternalID }) => Number(ExternalID));
    expect(keys.filter((key) => key === 600_000 || key === 600_001).sort()).toEqual([600_000, 600_001]);
    expect(page.wrong).toEqual([]);
    expect(page.refused).toEqual([]);
  },
  300_000,
);
