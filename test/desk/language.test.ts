import { expect, onTestFinished, test, vi } from 'vitest';
import type { DeskOptions } from '../../src/desk/server/desk.ts';
import { startDesk } from '../../src/desk/server/start-desk.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { askingOf } from './open-desk.ts';

/** A machine that is set to a language, and desks that are started on it one after the other. */
function machine(spoken: string) {
  const folder = tempFolder();
  for (const [name, value] of Object.entries({ CATERSHEET_HOME: folder, LC_ALL: spoken }))
    vi.stubEnv(name, value);
  vi.stubEnv('CATERSHEET_BASE_URL', undefined);
  const start = async (options: DeskOptions = {}) => {
    const desk = await startDesk(options, { port: 0 });
    onTestFinished(() => desk.close());
    /** Opens the page in a browser that asks for these languages. */
    const openedIn = async (asked: string) => {
      const { origin, hash } = new URL(desk.address());
      const headers = { origin, 'content-type': 'application/json', 'accept-language': asked };
      const body = JSON.stringify({ key: hash.replace('#key=', '') });
      const opened = await fetch(`${origin}/api/key`, { method: 'POST', headers, body });
      const { ask } = askingOf(origin, ((await opened.json()) as { session: string }).session);
      return { ask, language: async () => (await ask('home')).language };
    };
    return { openedIn };
  };
  return { folder, start };
}

test.each([
  ['en_US.UTF-8', 'nl-NL,nl;q=0.9,en-US;q=0.8', 'nl'],
  ['nl_NL.UTF-8', 'en-GB,en;q=0.9,nl;q=0.8', 'en'],
  ['nl_NL.UTF-8', 'de-DE,de;q=0.9', 'nl'],
])(
  'on a machine in %s a browser that asks for %j first sees the page in %s',
  async (spoken, asked, shown) => {
    const desk = await machine(spoken).start();
    const { language, ask } = await desk.openedIn(asked);
    expect(await language()).toBe(shown);
    const word = shown === 'nl' ? 'recepten' : 'recipes';
    expect(JSON.stringify((await ask('home')).templates)).toContain(word);
  },
);
