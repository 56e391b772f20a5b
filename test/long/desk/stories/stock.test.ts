import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../../../desk/stories/desk-program.ts';
import { type Manner, useBrowser } from '../../../desk/stories/person.ts';
import { makeWorkbook } from '../../../helpers/make-workbook.ts';
import { openTestService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { recipeIds, stockOf } from '../../../kinds/posting/stock-fixtures.ts';

const sitDown = useBrowser();
const LIMIT = 300_000;
const ROWS = 24;
const HEADERS = [
  ...['ProductID', 'GeteldRekeneenheid', 'WerknemerID'],
  ...['DatumTijd', 'MutatieCategorieID', 'MutatieReden'],
];

const MANNERS: readonly Manner[] = [{ by: 'keyboard', lang: 'nl' }];

test.skipIf(chromium === undefined).each(MANNERS)(
  'a count goes on where the program was killed, and no difference is posted twice, by $by in $lang',
  async (manner) => {
    const service = await openTestService();
    const ids = await recipeIds(service, ROWS);
    const before = await Promise.all(ids.map((id) => stockOf(service, id)));
    const counted = ids.map((id, at) => [
      id,
      (before[at] ?? 0) + 3,
      12,
      '2026-11-20 08:00:00',
      4901,
      'Telling',
    ]);
    const file = await makeWorkbook(join(service.folder, 'telling.xlsx'), {
      Voorraadtelling: [HEADERS, ...counted],
    });
    const more = ['--concurrency', '2', '--doubt', '1'];
    const first = await startProgram(service, { ...manner, more });
    const person = await sitDown(first, manner);
    const { page } = person;
    await person.bring(file);

    // Everything is recognised: there is nothing to say of how it is read.
    await person.press('link', 'On to sending', 'Verder naar versturen');
    await person.comesTo('Send it?', 'Versturen?');
    await service.faults({ latencyMs: 150 });
    await person.pressBeginning('button', 'Send 24 rows', '24 rijen versturen');
    await page.locator('.sending .so-far .pill').first().waitFor();
    person.gone(true);
    await first.kill();
    await page.getByText(person.say('catersheet was stopped', 'catersheet is gestopt')).waitFor();
    await person.looks();
    await service.faults({ latencyMs: 0 });
    const posted = async (): Promise<number[]> => {
      const stocks = await Promise.all(ids.map((id) => stockOf(service, id)));
      return stocks.map((stock, at) => stock - (before[at] ?? 0));
    };
    expect((await posted()).filter((difference) => difference !== 0).length).toBeLessThan(ROWS);

    // Its key is a new one, as the terminal says; the page that was open says so, and another finds the run.
    const second = await startProgram(service, { ...manner, more, port: first.port });
    expect(second.origin).toBe(first.origin);
    await person.page
      .getByRole('heading', {
        name: person.say('catersheet was started anew', 'catersheet is opnieuw gestart'),
      })
      .waitFor();
    await person.looks();
    await person.opens(second.address);
    person.gone(false);
    await person.page
      .getByText(person.say('Stopped half-way. Going on', 'Halverwege gestopt. Verdergaan'))
      .waitFor();
    await person.looks();
    await person.press('link', 'Go on', 'Verder');
    const goOn = person.page.getByRole('button', { name: person.say('Go on sending', 'Verder versturen') });
    await goOn.waitFor();
    await person.comesTo('Stopped half-way', 'Halverwege gestopt');
    await person.use(goOn);
    await person.page.locator('.pills.big').waitFor();
    await person.looks();

    // What was on its way when the program was killed is in doubt: never sent again by itself.
    const { runs } = (await person.ask('home')) as { runs: { counts: Record<string, number> }[] };
    const { created = 0, unknown = 0 } = runs[0]?.counts ?? {};
    expect(created + unknown).toBe(ROWS);
    const differences = await posted();
    expect(differences.filter((difference) => difference === 3).length).toBeGreaterThanOrEqual(created);
    expect(differences.every((difference) => difference === 3 || difference === 0)).toBe(true);

    // What is in doubt is settled on the page, row by row.
    if (unknown > 0) {
      await person.press(
        'link',
        'Say of each whether it arrived',
        'Van elke rij zeggen of die is aangekomen',
      );
      await person.page.locator('.lines .line:not(.waits)').first().waitFor();
      await person.looks();
    }
    const journal = (await service.records('mutation')).filter(
      ({ MutatieReden }) => MutatieReden === 'Telling',
    );
    const products = journal.map(({ ProductID }) => ProductID);
    expect(products.length).toBe(new Set(products).size);
    expect(products.length).toBe(differences.filter((difference) => difference === 3).length);
    person.fine();
    await person.page.context().close();
  },
  LIMIT,
);
