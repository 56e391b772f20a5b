import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { answerRoutes, failed, NotFound } from './answering.ts';
import { Desk } from './desk.ts';
import { fileRoutes } from './file-routes.ts';
import { DeskKeys, fromOwnPage, ownHeaders } from './guard.ts';
import { otherRoutes } from './other-routes.ts';
import { runRoutes } from './run-routes.ts';

/** A desk that is running. */
interface RunningDesk {
  /** The page's address with the key that opens it next. */
  address(): string;
  /** Stops what is under way in good order, and the server. */
  close(): Promise<void>;
}

/** Where a desk listens, and where it keeps its files: in the user's private data folder when absent. */
interface DeskPlace {
  readonly port?: number | undefined;
  readonly onAddress?: (address: string) => void;
  readonly folder?: string;
}

/** The port of the desk where none is named; another where it is taken, so that two desks can run. */
const USUAL_PORT = 4747;
const LOOPBACK = '127.0.0.1';

/**
 * Starts the page on this machine alone. `port`: the one to listen on; 0 any free one. `onAddress` hears of
 * each next address, as a key opens the page once. Throws StopError with EXIT.usage for a port that is taken
 * and for settings that can't be used.
 */
export async function startDesk(
  options: ProgramOptions,
  { port, onAddress, folder }: DeskPlace = {},
): Promise<RunningDesk> {
  const addressWith = (key: string): string => `http://${LOOPBACK}:${listening()}/#key=${key}`;
  const keys = new DeskKeys((key) => onAddress?.(addressWith(key)));
  const desk = new Desk(options, folder);
  const server = createAdaptorServer({
    fetch: deskApp(desk, keys, () => listening()).fetch,
    overrideGlobalObjects: false,
  }) as Server;
  const listening = (): number => (server.address() as AddressInfo | null)?.port ?? 0;
  await listen(server, port);
  return {
    address: () => addressWith(keys.current),
    async close() {
      await desk.close();
      server.close();
      // Who waits for news is not waited for.
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number | undefined): Promise<void> {
  try {
    await listenOn(server, port ?? USUAL_PORT);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (port === undefined && (code === 'EADDRINUSE' || code === 'EACCES')) return await listenOn(server, 0);
    throw usageStop(
      t(`Port ${port} can't be used: ${code}.`, `Poort ${port} is niet te gebruiken: ${code}.`),
      withFlag(t('Name another, or leave it out.', 'Noem een andere, of laat het weg.'), '--port'),
    );
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
}

/** The page and what answers it. Whoever has no session gets the page's files alone. */
function deskApp(desk: Desk, keys: DeskKeys, port: () => number): Hono {
  const app = new Hono();
  app.use(ownHeaders);
  app.use(fromOwnPage(port));
  servePage(app);
  answerRoutes(app, {
    exchangeKey: async ({ key, language }) => {
      const session = keys.exchange(key);
      desk.hear(language);
      return { session };
    },
  });
  app.use('/api/*', keys.withSession);
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
