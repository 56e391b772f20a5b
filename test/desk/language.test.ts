import { expect, onTestFinished, test, vi } from 'vitest';
import type { Language } from '../../src/core/language.ts';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { askingOf, openSessionAt } from './open-desk.ts';

test.each<[string, Language | undefined, Language, string]>([
  ['en_US.UTF-8', 'nl', 'nl', 'recepten'],
  ['nl_NL.UTF-8', 'en', 'en', 'recipes'],
  ['nl_NL.UTF-8', undefined, 'nl', 'recepten'],
])(
  'on a machine in %s a browser that would rather have %j sees the page in %s',
  async (spoken, asked, shown, word) => {
    vi.stubEnv('CATERSHEET_HOME', tempFolder());
    vi.stubEnv('LC_ALL', spoken);
    vi.stubEnv('CATERSHEET_BASE_URL', undefined);
    const desk = await startDesk({}, { port: 0 });
    onTestFinished(() => desk.close());
    const { origin, session } = await openSessionAt(desk.address(), asked);
    const { ask } = askingOf(origin, session);
    const { language } = await ask('home');
    expect([language, JSON.stringify(await ask('exports'))]).toEqual([shown, expect.stringContaining(word)]);
  },
);
