import { expect, onTestFinished, test, vi } from 'vitest';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { askingOf, openSessionAt } from './open-desk.ts';

test.each([
  ['en_US.UTF-8', 'nl-NL,nl;q=0.9,en-US;q=0.8', 'nl', 'recepten'],
  ['nl_NL.UTF-8', 'en-GB,en;q=0.9,nl;q=0.8', 'en', 'recipes'],
  ['nl_NL.UTF-8', 'de-DE,de;q=0.9', 'nl', 'recepten'],
])(
  'on a machine in %s a browser that asks for %j first sees the page in %s',
  async (spoken, asked, shown, word) => {
    vi.stubEnv('CATERSHEET_HOME', tempFolder());
    vi.stubEnv('LC_ALL', spoken);
    vi.stubEnv('CATERSHEET_BASE_URL', undefined);
    const desk = await startDesk({}, { port: 0 });
    onTestFinished(() => desk.close());
    const { origin, session } = await openSessionAt(desk.address(), { 'accept-language': asked });
    const { language, templates } = await askingOf(origin, session).ask('home');
    expect([language, JSON.stringify(templates)]).toEqual([shown, expect.stringContaining(word)]);
  },
);
