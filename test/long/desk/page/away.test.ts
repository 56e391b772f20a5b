import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../../../desk/stories/desk-program.ts';
import { useBrowser } from '../../../desk/stories/person.ts';
import { openGatedService } from '../../../helpers/test-service.ts';
import { chromium } from '../../../import/report/chromium.ts';
import { newPackages } from '../../../promises/world.ts';

const sitDown = useBrowser();

test.skipIf(chromium === undefined)(
  'a page whose program was killed while it sent tells no progress, and has no button that nothing hears',
  async () => {
    const service = await openGatedService();
    const file = join(service.folder, 'kaart.csv');
    writeFileSync(
      file,
      newPackages(24)
        .map((row) => row.join(';'))
        .join('\n'),
    );
    const desk = await startProgram(service, { more: ['--concurrency', '2', '--doubt', '2'] });
    const person = await sitDown(desk, { by: 'mouse', lang: 'en' });
    const { page } = person;
    await person.bring(file);
    await person.press('button', 'Continue');
    const send = page.getByRole('button', { name: 'Send 24 rows' });
    await send.waitFor();
    const isHalfway = service.gate.shut(6, { held: 'answers' });
    await send.click();
    await isHalfway;
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    person.gone(true);
    await desk.kill();
    await page.getByText('can’t be seen while catersheet is away').waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    service.gate.open();
    await page.context().close();
  },
);
