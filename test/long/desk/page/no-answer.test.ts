import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../../desk/open-desk.ts';
import { useBrowser } from '../../../desk/page/open-page.ts';
import { type SlowServer, slowServer } from '../../../desk/page/slow-server.ts';
import { chromium } from '../../../import/report/chromium.ts';

const open = useBrowser();

/** The first page behind a server that holds answers back, and what sees that it hears of things again. */
async function openBehind() {
  const desk = await openDesk();
  const server = await slowServer(desk.port);
  const page = await open({ origin: server.origin, key: desk.key });
  let files = 0;
  const hears = async (): Promise<void> => {
    await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
    await page.getByText('catersheet was stopped, or is starting').waitFor({ state: 'detached' });
    // What the page sees of it, it has from events.
    const name = `file-${++files}.csv`;
    const file = join(desk.service.folder, name);
    await writeFile(file, 'ExternalID;Prijs\n1;2\n');
    await desk.bring(file);
    await page.getByText(name).first().waitFor();
  };
  await hears();
  return { page, server, hears };
}

type Opened = Awaited<ReturnType<typeof openBehind>>;

/** How a tab comes to ask its server again. */
const BEGINNINGS: Readonly<Record<string, (on: Opened, hold: () => void) => Promise<unknown>>> = {
  'is opened anew': async ({ page, server }, hold) => {
    // Nothing that a page asks while it goes is taken for what the next one asks.
    await page.goto('about:blank');
    hold();
    await page.goto(server.origin);
  },
  'lost its events': async ({ server }, hold) => {
    hold();
    server.cutEvents();
  },
};

const ROUTES = ['events', 'listJobs', 'home'] as const satisfies Parameters<SlowServer['next']>[0][];

for (const [how, begin] of Object.entries(BEGINNINGS))
  for (const route of ROUTES)
    test.skipIf(chromium === undefined)(
      `a tab that ${how} goes on by itself where ${route} is taken once and never answered`,
      async () => {
        const on = await openBehind();
        let came: Promise<unknown> = Promise.resolve();
        await begin(on, () => {
          came = Promise.all([on.server.next(route, 'silent'), on.server.next(route, 'on')]);
        });
        // Nobody touches the tab, and nothing is told to it: it asks again of itself.
        await came;
        await on.hears();
        expect(on.page.wrong).toEqual([]);
      },
      300_000,
    );

test.skipIf(chromium === undefined)(
  'a tab whose server was gone goes on by itself where the list of jobs is not answered after that',
  async () => {
    const on = await openBehind();
    // The second request for jobs is that of the stream that opens again.
    const gone = on.server.next('listJobs', 'cut');
    const silent = on.server.next('listJobs', 'silent');
    const again = on.server.next('listJobs', 'on');
    on.server.cutEvents();
    await gone;
    await on.page.getByText('catersheet was stopped, or is starting').waitFor();
    await silent;
    await again;
    await on.hears();
    expect(on.page.wrong).toEqual([]);
  },
  300_000,
);

test.skipIf(chromium === undefined).each([401, 500])(
  'a tab whose events are heard goes on by itself where the first page is refused once with %d',
  async (status) => {
    const { page, server, hears } = await openBehind();
    const tries = page.waitForRequest((asked) => asked.url().includes('/api/events?'));
    const refused = server.next('home', status);
    // Every change is followed by a new first page.
    await Promise.all([hears(), refused]);
    await tries;
    await hears();
    expect(page.refused).toEqual([`${status} ${server.origin}/api/home`]);
    expect(page.wrong).toEqual([]);
  },
  300_000,
);

test.skipIf(chromium === undefined)(
  'a tab goes on by itself where a new address is opened in it and its key is taken and never answered',
  async () => {
    const { page, server, hears } = await openBehind();
    const silent = server.next('exchangeKey', 'silent');
    await page.evaluate("location.hash = '#key=used-before'");
    await silent;
    await Promise.all([server.next('home', 'on'), server.next('events', 'on')]);
    await hears();
    expect(page.wrong).toEqual([]);
  },
  300_000,
);
