import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { usageStop } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { Desk, type DeskOptions } from './desk.ts';
import { deskApp } from './desk-app.ts';
import { DeskKeys } from './desk-keys.ts';
import { watchQueue } from './workers.ts';

/** A desk that is running. */
export interface RunningDesk {
  /** The page's address with the key that opens it next. */
  address(): string;
  /** Stops what is under way in good order, and the server. */
  close(): Promise<void>;
}

/** Where a desk listens, and where it keeps its files. */
interface DeskPlace {
  readonly port?: number | undefined;
  readonly onAddress?: (address: string) => void;
  /** In the user's private data folder when absent. */
  readonly folder?: string;
  /** Runs and exports go to workers, unless the user chooses otherwise. */
  readonly workers?: boolean | undefined;
  /** Holds its own answers against the contract too, for tests. */
  readonly checksAnswers?: boolean;
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
  options: DeskOptions,
  { port, onAddress, folder, workers, checksAnswers }: DeskPlace = {},
): Promise<RunningDesk> {
  const addressWith = (key: string): string => `http://${LOOPBACK}:${listening()}/#key=${key}`;
  const keys = new DeskKeys((key) => onAddress?.(addressWith(key)));
  const desk = new Desk(options, folder, workers);
  const server = createAdaptorServer({
    fetch: deskApp(desk, { port: () => listening(), keys }, checksAnswers).fetch,
    overrideGlobalObjects: false,
  }) as Server;
  const listening = (): number => (server.address() as AddressInfo | null)?.port ?? 0;
  await listen(server, port);
  const unwatch = watchQueue(desk);
  return {
    address: () => addressWith(keys.current),
    async close() {
      unwatch();
      await desk.close();
      server.close();
      // Streams of events never end by themselves.
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
      t(
        'Name another with --port, or leave it out.',
        'Noem een andere met --port, of laat het weg.',
        t('Name another.', 'Noem een andere.'),
      ),
    );
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
}
