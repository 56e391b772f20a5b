import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { t } from '../../core/language.ts';
import { SESSION_HEADER } from '../contract/answers.ts';
import { Refused } from './answering.ts';

/** Sessions that are kept; a person opens a page in a few browsers. */
const MOST_SESSIONS = 50;

/** Bytes of a key; so many can't be guessed. */
const KEY_BYTES = 32;

/**
 * Who may use the desk. A key opens it once: whoever has it gets a session, and a new key is made. None of them is
 * written down anywhere.
 */
export class DeskKeys {
  private key = newSecret();
  private sessions: readonly string[] = [];
  private readonly onRenewed: (key: string) => void;

  /** `onRenewed` hears of each key after the first. */
  constructor(onRenewed: (key: string) => void) {
    this.onRenewed = onRenewed;
  }

  /** The key that opens the desk next. */
  get current(): string {
    return this.key;
  }

  /** The secret of a new session. Throws Refused for a wrong key. */
  exchange(given: string): string {
    if (!isSame(given, this.key)) throw new Refused(401, NO_SESSION);
    const session = newSecret();
    this.sessions = [session, ...this.sessions].slice(0, MOST_SESSIONS);
    this.key = newSecret();
    this.onRenewed(this.key);
    return session;
  }

  /**
   * Refuses whoever has not the secret of a session. A cookie would go to every port of this machine, to a page of
   * another user too; what the page keeps and sends itself does not.
   */
  readonly withSession: MiddlewareHandler = async ({ req }, next) => {
    const session = req.header(SESSION_HEADER) ?? '';
    if (!this.sessions.some((one) => isSame(one, session))) throw new Refused(401, NO_SESSION);
    return await next();
  };
}

const newSecret = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** Tells it in the same time whatever stands in them. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(hashed(one), hashed(other));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What the page may load and do: its own files alone. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
  'cache-control': 'no-store',
};

/** Adds what keeps the page apart from all others. */
export const ownHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
};

/**
 * Refuses what does not come from the desk's own page: a name that another site made lead here (Host), a page
 * of another site or port (Origin, Sec-Fetch-Site), and a change that does not say where it comes from, as
 * every browser does. `localhost` is another name too: at ::1 it may be another user's program. `port`: the one
 * that the desk listens on.
 */
export function fromOwnPage(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const own = `127.0.0.1:${port()}`;
    if (req.header('host') !== own) throw new Refused(403, WRONG_HOST);
    const origin = req.header('origin');
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!(isRead && origin === undefined) && origin !== `http://${own}`) throw new Refused(403, OTHER_SITE);
    const site = req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && !isOpened(context))
      throw new Refused(403, OTHER_SITE);
    return await next();
  };
}

/** Whether a person opens the page itself: its files hold nothing that is anybody's. */
const isOpened = ({ req }: Context): boolean =>
  req.header('sec-fetch-site') === 'none' ||
  (req.header('sec-fetch-mode') === 'navigate' && !req.path.startsWith('/api/'));

const WRONG_HOST = t(
  'The desk is reached by the address that the terminal shows, and by no other name.',
  'Je bereikt deze pagina met het adres dat de terminal laat zien, en met geen andere naam.',
);
const OTHER_SITE = t(
  'Another site asked for this. Only the page itself may.',
  'Een andere site vroeg hierom. Alleen de pagina zelf mag dat.',
);
/** Said where no session is open, or a key is used up. */
const NO_SESSION = t(
  'Open the page with the address that the terminal shows last.',
  'Open de pagina met het adres dat de terminal het laatst laat zien.',
);
