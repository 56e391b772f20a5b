import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { usageStop } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { Desk } from './desk.ts';
import { deskApp } from './desk-app.ts';
import { DeskKeys } from './desk-keys.ts';

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
    fetch: deskApp(desk, { port: () => listening(), keys }).fetch,
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
