import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { t } from '../../core/language.ts';
import { answerRoutes } from './answering.ts';
import type { Desk } from './desk.ts';
import { fileRoutes } from './file-routes.ts';
import { type DeskGate, fromOwnPage, NO_SESSION, ownHeaders, withSession } from './guard.ts';
import { otherRoutes } from './other-routes.ts';
import { failed, NotFound, Refused } from './refusal.ts';
import { runRoutes } from './run-routes.ts';

/** The page and what answers it. Whoever has no session gets the page's files alone. */
export function deskApp(desk: Desk, gate: DeskGate): Hono {
  const app = new Hono();
  app.use(ownHeaders);
  app.use(fromOwnPage(gate));
  servePage(app);
  answerRoutes(app, {
    exchangeKey: async ({ key, language }) => {
      const session = gate.keys.exchange(key);
      if (session === null) throw new Refused(401, NO_SESSION);
      desk.hear(language);
      return { session };
    },
  });
  app.use('/api/*', withSession(gate));
  answerRoutes(app, { ticket: async ({ address }) => ({ ticket: gate.keys.ticketFor(address) }) });
  const { news, ...routes } = { ...fileRoutes(desk), ...runRoutes(desk), ...otherRoutes(desk) };
  // Who waits for news works with nothing that is open.
  answerRoutes(app, { news });
  app.use('/api/*', async (_, next) => await desk.users.during(next));
  answerRoutes(app, routes);
  app.notFound(() => {
    throw new NotFound(t('page', 'pagina'));
  });
  app.onError((error, context) => failed(context, error, desk.language));
  return app;
}

const PAGE_FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

/** The folder of the page's files: beside the program, or for the sources where the build put them. */
function folder(): URL {
  const built = import.meta.url.endsWith('.ts') ? '../../../dist/desk-page/' : './desk-page/';
  return new URL(built, import.meta.url);
}

/** Serves the files of the page. They hold nothing that is anybody's, and need no session. */
function servePage(app: Hono): void {
  for (const [path, [name, type]] of Object.entries(PAGE_FILES)) {
    const content = readFileSync(new URL(name, folder()), 'utf8');
    app.get(path, (context) => context.body(content, 200, { 'content-type': type }));
  }
}
