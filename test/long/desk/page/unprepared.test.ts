import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { useBrowser } from '../../../desk/page/open-page.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { chromium } from '../../../import/report/chromium.ts';

const openPage = useBrowser();
const LIMIT = 300_000;

const HEADERS = ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'];
const ROWS = [
  [71_001, 'Buffet', 'Lentebuffet', 12.5],
  [71_002, 'Buffet', 'Zomerbuffet', 'nnb'],
  [71_003, 'Buffet', 'Herfstbuffet', 'nnb'],
];
/** As long as Excel lets a name be. */
const LONG = 'Prijslijst zomerkaart 2026 def.2';

test.skipIf(chromium === undefined)(
  'a long name of a sheet leaves the number of each row in sight, and a sheet of notes is named as left out',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
      [LONG.slice(0, 31)]: [HEADERS, ...ROWS],
      'Afspraken keuken': [['Bellen met de slager'], ['Koelcel nakijken']],
      Blad3: [],
    });
    const draft = await desk.bring(file);
    await desk.planned(draft);
    expect((await desk.ask('plan', { params: { draft } })).leftOut).toEqual(['Afspraken keuken']);

    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/plan`);
    await page.getByText('1 werkblad wordt niet geïmporteerd: Afspraken keuken.').waitFor();
    // In the language of the page, also where there are two.
    await page.getByRole('button', { name: '2 vragen werk' }).waitFor();
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const place = page.locator('.lines .line:not(.waits) .place').first();
      await place.waitFor();
      const number = await place.locator('b').boundingBox();
      const room = await place.boundingBox();
      expect(await place.locator('b').innerText()).toBe('2');
      expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThanOrEqual(
        (room?.x ?? 0) + (room?.width ?? 0),
      );
      expect((number?.y ?? 0) + (number?.height ?? 0)).toBeLessThanOrEqual(
        (room?.y ?? 0) + (room?.height ?? 0) + 1,
      );
    }
    await page.getByRole('link', { name: 'Zeg wat erop staat' }).click();
    await page.getByRole('heading', { name: 'Hoe het bestand gelezen wordt' }).waitFor();
    expect(page.wrong).toEqual([]);
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a sheet with its headers on row 5 is proposed as what it looks like, never said to be left out as well',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const file = await makeWorkbook(join(desk.service.folder, 'kaart.xlsx'), {
      Keukenlijst: [
        ['De Linde'],
        ['Prijslijst najaar'],
        ['Bijgewerkt door Marieke'],
        [],
        ['ExternalID', 'Soort', 'Omschrijving intern', 'Verkoopprijs', 'Actief'],
        [81_001, 'Buffet', 'Herfstbuffet', 19.5, 'Ja'],
      ],
    });
    const draft = await desk.bring(file);
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    const card = page.locator('.sheet-card');
    await card.getByText('voorstel: pakketten').waitFor();
    expect(await card.innerText()).not.toMatch(/overgeslagen\n|geen werkblad om te importeren/);
    await page.getByRole('button', { name: 'Alle voorstellen overnemen' }).click();
    await card.getByText('jij koos dit').first().waitFor();
    await card.getByText('voorstel: pakketten').waitFor({ state: 'detached' });
    await card.getByText('1 rij', { exact: true }).waitFor();
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'a file of which nothing is recognised shows at once where to say what it holds',
  async () => {
    const desk = await openDesk({}, { lang: 'nl' });
    const file = await makeWorkbook(join(desk.service.folder, 'metingen.xlsx'), {
      Blad1: [
        ['mpg', 'cyl'],
        [21, 6],
      ],
    });
    const draft = await desk.bring(file);
    const page = await openPage(desk);
    await page.goto(`${desk.origin}/#/draft/${draft}/read`);
    await page.getByRole('combobox', { name: 'Dit werkblad bevat' }).waitFor();
  },
  LIMIT,
);

test.skipIf(chromium === undefined)(
  'what the server says is in the language of the page too, once another is chosen',
  async () => {
    const desk = await openDesk({}, { lang: 'en' });
    const page = await openPage(desk);
    const kinds = page.getByRole('group', { name: /Sheets|Werkbladen/ });
    for (let turn = 0; turn < 4; turn++) {
      await page.getByRole('button', { name: 'EN, English' }).click();
      await kinds.getByText('stock count').waitFor();
      await page.getByRole('button', { name: 'NL, Nederlands' }).click();
      await kinds.getByText('stock count').waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      expect(await kinds.innerText()).not.toMatch(/packages|recipes|stock/);
    }
  },
  LIMIT,
);
