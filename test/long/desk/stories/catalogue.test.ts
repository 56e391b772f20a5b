import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../../../desk/stories/desk-program.ts';
import { hasFocus, type Person, useBrowser } from '../../../desk/stories/person.ts';
import { makeWorkbook, readBack } from '../../../helpers/make-workbook.ts';
import { openTestService, type TestService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';

const sitDown = useBrowser();
const LIMIT = 300_000;

/** Five kinds of errors: no number, no name of a list, neither yes nor no, nothing where something must be, a header. */
const CATALOGUE = [
  ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Wat het kost', 'Actief'],
  [71001, 'Buffet', 'Lentebuffet', 'nnb', 'Ja'],
  [71002, 'Buffet', 'Zomerbuffet', 'nnb', 'Ja'],
  [71003, 'Buffet', 'Winterbuffet', 'nnb', 'Ja'],
  [71004, 'Bufet', 'Herfstbuffet', 19.5, 'Ja'],
  [71005, 'Buffet', 'Paasbuffet', 21, 'misschien'],
  [71006, 'Buffet', null, 22, 'Nee'],
  [71007, 'Buffet', 'Kerstbuffet', 31, 'Ja'],
];

/** The same as it is to come back; a Ja that was typed on the page is a text, as the others of its column. */
const CORRECTED = [
  [71001, 'Buffet', 'Lentebuffet', 24.5, 'Ja'],
  [71002, 'Buffet', 'Zomerbuffet', 24.5, 'Ja'],
  [71003, 'Buffet', 'Winterbuffet', 24.5, 'Ja'],
  [71004, 'Buffet', 'Herfstbuffet', 19.5, 'Ja'],
  [71005, 'Buffet', 'Paasbuffet', 21, 'Ja'],
  [71006, 'Buffet', 'Najaarsbuffet', 22, 'Nee'],
  [71007, 'Buffet', 'Kerstbuffet', 31, 'Ja'],
];

/** Says in Read what the header is that nobody knows. */
async function matchHeader(person: Person): Promise<void> {
  const { page } = person;
  await person.comesTo('How the file is read', 'Hoe het bestand gelezen wordt');
  const list = page.getByRole('combobox', { name: /Wat het kost/ });
  await person.choose(list, 'Sales price (Verkoopprijs)');
  await page.getByText('you chose this').waitFor();
  expect(await list.inputValue()).toBe('Verkoopprijs');
  await person.looks();
  await person.press('button', 'Continue');
}

/** Waits for the open row and its cell that is to be corrected, which has the focus. */
async function cellOpen(person: Person, row: number, header: string): Promise<void> {
  const { page } = person;
  await page.locator('.row-panel .cell-name', { hasText: new RegExp(`${header}.*\\w${row}$`) }).waitFor();
  const field = page.locator('.row-panel .cell.bad input');
  await expect.poll(() => field.evaluate(hasFocus)).toBe(true);
}

/** Writes a cell that is open, and saves it. */
async function save(person: Person, text: string): Promise<void> {
  await person.write(text);
  await person.page.keyboard.press('Enter');
}

/** Corrects all that is red, from the first row on: each leads to the next. */
async function correctAll(person: Person): Promise<void> {
  const { page } = person;
  await page.locator('.lines .line:not(.waits)').first().waitFor();
  await person.comesTo('What would change', 'Wat er zou veranderen');
  await person.reach(page.locator('.rows'));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await cellOpen(person, 2, 'Wat het kost');
  await person.looks();
  await save(person, '24,50');
  const all = page.getByRole('button', { name: 'Correct all 2' });
  await all.waitFor();
  await person.looks();
  await cellOpen(person, 3, 'Wat het kost');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await person.use(all);
  await all.waitFor({ state: 'detached' });

  // On to the next that needs work by itself.
  await cellOpen(person, 5, 'ProductTypeID');
  await person.write('buf');
  await page.locator('datalist option[value="Buffet"]').waitFor({ state: 'attached' });
  await person.looks();
  await save(person, 'Buffet');
  await cellOpen(person, 6, 'Actief');
  await save(person, 'Ja');
  await cellOpen(person, 7, 'OmschrijvingIntern');
  await save(person, 'Najaarsbuffet');
  const bad = page.locator('.row-panel .cell.bad');
  await bad.waitFor({ state: 'detached' });
  await person.looks();
}

async function expectCorrected(file: string, service: TestService): Promise<void> {
  const rows = (await readBack(file)).get('Pakketten');
  const headers = [...(rows?.get(1) ?? [])];
  const columns = CATALOGUE[0]?.map((name) => headers.find(([, header]) => header === name)?.[0] ?? 0) ?? [];
  const others = [...(rows?.values() ?? [])].slice(1);
  expect(others.map((row) => columns.map((column) => row.get(column)))).toEqual(CORRECTED);
  for (const row of others) expect([...row.values()].join(' ')).toMatch(/created|aangemaakt/);
  const made = await service.records('package');
  const held = CORRECTED.map(([key]) => made.filter(({ ExternalID }) => Number(ExternalID) === key));
  expect(held.map(({ length }) => length)).toEqual(CORRECTED.map(() => 1));
  expect(held.map(([one]) => Number(one?.Verkoopprijs))).toEqual(CORRECTED.map(([, , , price]) => price));
}

test.skipIf(chromium === undefined)(
  'a catalogue with five kinds of errors is corrected on the page, sent, given back and taken back, by keyboard',
  async () => {
    const manner = { by: 'keyboard', lang: 'en' } as const;
    const service = await openTestService();
    const file = await makeWorkbook(join(service.folder, 'catalogus.xlsx'), { Pakketten: CATALOGUE });
    const desk = await startProgram(service, manner);
    const person = await sitDown(desk, manner);
    const { page } = person;
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    await person.looks();
    await person.bring(file);
    await matchHeader(person);
    await correctAll(person);

    await person.press('button', 'Continue');
    const send = page.getByRole('button', { name: 'Send 7 rows' });
    await send.waitFor();
    await person.comesTo('Send it?', 'Versturen?');
    // Nothing has been written yet.
    const asked = (await service.log()).requests.map(({ endpoint }) => endpoint);
    expect(asked.filter((name) => /create|update|delete/.test(name ?? ''))).toEqual([]);
    await person.use(send);
    await person.comesTo('All rows are done', 'Alle rijen zijn klaar');
    const saved = await person.download(
      service.folder,
      'button',
      'Download the workbook',
      'De werkmap downloaden',
    );
    expect(basename(saved)).toBe('saved-catalogus.result.xlsx');
    await expectCorrected(saved, service);

    // Taking it back is a plan as any other: nothing goes before it is sent.
    await person.press('button', 'Take this run back');
    await page.locator('.lines .line:not(.waits)').first().waitFor();
    await person.comesTo('What would change', 'Wat er zou veranderen');
    expect(await page.locator('.lines .pill').allInnerTexts()).toEqual(CORRECTED.map(() => 'to delete'));
    expect(
      (await service.records('package')).filter(
        ({ ExternalID }) => Number(ExternalID) > 71_000 && Number(ExternalID) < 71_008,
      ),
    ).toHaveLength(7);
    person.fine();
    await page.context().close();
  },
  LIMIT,
);
