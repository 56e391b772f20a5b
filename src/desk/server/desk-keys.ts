import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { TICKET } from '../contract/paths.ts';

/** Sessions that are kept; a person opens a page in a few browsers. */
const MOST_SESSIONS = 50;

/** How long a browser takes to follow a link, at most, ms. */
const TICKET_MS = 30_000;

/** Bytes of a key; so many can't be guessed. */
const KEY_BYTES = 32;

/**
 * Who may use the desk. A key opens it once: whoever has it gets a session, and a new key is made. Whoever has
 * a session gets tickets, each for one address and once. None of them is written down anywhere.
 */
export class DeskKeys {
  private key = newSecret();
  private sessions: readonly string[] = [];
  private readonly tickets = new Map<string, { readonly address: string; readonly until: number }>();
  private readonly onRenewed: (key: string) => void;
  private readonly now: () => number;

  /** `onRenewed` hears of each key after the first; `now` in ms. */
  constructor(onRenewed: (key: string) => void = () => {}, now: () => number = () => performance.now()) {
    this.onRenewed = onRenewed;
    this.now = now;
  }

  /** The key that opens the desk next. */
  get current(): string {
    return this.key;
  }

  /** The secret of a new session; null for a wrong key. */
  exchange(given: string): string | null {
    if (!isSame(given, this.key)) return null;
    const session = newSecret();
    this.sessions = [session, ...this.sessions].slice(0, MOST_SESSIONS);
    this.key = newSecret();
    this.onRenewed(this.key);
    return session;
  }

  /** Whether a session was opened with a key. */
  knows(session = ''): boolean {
    return this.sessions.some((one) => isSame(one, session));
  }

  /** A ticket for an address of the desk; it is good for half a minute. */
  ticketFor(address: string): string {
    for (const [old, { until }] of this.tickets) if (until < this.now()) this.tickets.delete(old);
    const ticket = newSecret();
    this.tickets.set(ticket, { address: plainAddress(address), until: this.now() + TICKET_MS });
    return ticket;
  }

  /** Whether a ticket opens an address, which may name the ticket itself; it is used up in any case. */
  takeTicket(ticket: string | undefined, address: string): boolean {
    if (ticket === undefined) return false;
    const found = this.tickets.get(ticket);
    this.tickets.delete(ticket);
    return found !== undefined && found.address === plainAddress(address) && this.now() <= found.until;
  }
}

const newSecret = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** Tells it in the same time whatever stands in them. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(hashed(one), hashed(other));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The path and the words of an address, spelled in one way, without a ticket. */
function plainAddress(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  searchParams.delete(TICKET);
  return `${pathname}?${searchParams}`;
}
