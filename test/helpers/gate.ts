import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A door for requests in front of a service. Whatever the speed of a machine, none passes it while it is shut. */
export interface Gate {
  /** What programs take for the service. */
  readonly url: string;
  /**
   * Lets so many more writes through and holds the next ones, until `open`. Resolves when one is held, and the
   * service is done with those before.
   */
  shut(after: number, how?: How): Promise<void>;
  /** Lets all through: what was held too, where whoever sent it still waits. */
  open(): void;
}

interface How {
  /** Whether they are held before the service hears of them, or once it did them, before their answers. */
  readonly held?: 'requests' | 'answers';
  /** How many are held, where others are to go on. */
  readonly most?: number;
  /** What counts and is held, instead of writes. */
  readonly of?: 'writes' | 'reads';
}

/** What is asked for with POST, and changes nothing. */
const LIST = /\/all\w*$/;

/** What the gate does with the next requests. */
interface Shut extends Required<How> {
  after: number;
  most: number;
  /** Whether one stands before it. */
  isReached: boolean;
  readonly isHeld: () => void;
  readonly opened: Promise<void>;
  readonly open: () => void;
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends a request on; answers what hands its answer back. */
async function sendOn(incoming: IncomingMessage, body: Buffer, target: string) {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const onward = request(new URL(path, target), { method, headers }, resolve);
    onward.on('error', reject);
    onward.end(body);
  });
  const answered = await bodyOf(answer);
  return (outgoing: ServerResponse): void =>
    void outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
}

/** Opens a gate in front of a service; it ends with the test. */
export async function openGate(target: string): Promise<Gate> {
  let shut: Shut | undefined;
  /** What a request has to pass; undefined where it goes on as it comes. */
  const inTheWay = ({ method, url = '' }: IncomingMessage): Shut | undefined => {
    if (shut === undefined || shut.most === 0) return undefined;
    const isRead = method === 'GET' || LIST.test(url);
    if (isRead !== (shut.of === 'reads')) return undefined;
    if (shut.after > 0) {
      shut.after -= 1;
      return undefined;
    }
    shut.most -= 1;
    return shut;
  };
  let underWay = 0;
  /** Tells who waits for it that all stands still, or what is to be held does. */
  const look = (): void => {
    if (shut?.isReached === true && (underWay === 0 || shut.most === 0)) shut.isHeld();
  };
  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = await bodyOf(incoming);
      const door = inTheWay(incoming);
      const wait = async (side: Shut['held']): Promise<void> => {
        if (door?.held !== side) return;
        door.isReached = true;
        look();
        await door.opened;
      };
      await wait('requests');
      // What a dead program asked for is not done later.
      if (outgoing.destroyed) return;
      underWay += 1;
      const answer = await sendOn(incoming, body, target).finally(() => {
        underWay -= 1;
        look();
      });
      await wait('answers');
      answer(outgoing);
    } catch {
      // What the service breaks off, its caller sees broken off.
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const open = (): void => {
    shut?.open();
    shut = undefined;
  };
  onTestFinished(() => {
    open();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open,
    async shut(after, { held = 'requests', most = Number.POSITIVE_INFINITY, of = 'writes' } = {}) {
      open();
      let letGo = (): void => {};
      const opened = new Promise<void>((resolve) => (letGo = resolve));
      await new Promise<void>(
        (isHeld) => (shut = { after, held, most, of, isReached: false, isHeld, opened, open: letGo }),
      );
    },
  };
}
