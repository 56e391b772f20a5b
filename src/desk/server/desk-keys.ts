import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Sessions that are kept; a person opens a page in a few browsers. */
const MOST_SESSIONS = 50;

/** Bytes of a key; so many can't be guessed. */
const KEY_BYTES = 32;

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Who may use the desk. A key opens it once: whoever has it gets a session, and a new key is made. Neither is
 * written down anywhere.
 */
export class DeskKeys {
  private key = newSecret();
  private readonly sessions: Buffer[] = [];
  private readonly onRenewed: (key: string) => void;

  /** `onRenewed` hears of each key after the first. */
  constructor(onRenewed: (key: string) => void = () => {}) {
    this.onRenewed = onRenewed;
  }

  /** The key that opens the desk next. */
  get current(): string {
    return this.key;
  }

  /** The secret of a new session; null for a wrong key. */
  exchange(given: string): string | null {
    if (!timingSafeEqual(hashed(given), hashed(this.key))) return null;
    const session = newSecret();
    this.sessions.push(hashed(session));
    if (this.sessions.length > MOST_SESSIONS) this.sessions.shift();
    this.key = newSecret();
    this.onRenewed(this.key);
    return session;
  }

  /** Whether a session was opened with a key. */
  knows(session: string | undefined): boolean {
    if (session === undefined) return false;
    const own = hashed(session);
    return this.sessions.some((one) => timingSafeEqual(one, own));
  }
}

const newSecret = (): string => randomBytes(KEY_BYTES).toString('base64url');
