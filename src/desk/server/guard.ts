import type { Context, MiddlewareHandler } from 'hono';
import { t } from '../../core/language.ts';
import { SESSION_HEADER, TICKET } from '../contract/paths.ts';
import type { DeskKeys } from './desk-keys.ts';
import { Refused } from './refusal.ts';

/** Where the desk listens, and who may use it. */
export interface DeskGate {
  /** The port it listens on. */
  readonly port: () => number;
  readonly keys: DeskKeys;
}

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

/** Adds what keeps the page apart from all others; an answer of its own policy keeps that. */
export const ownHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS))
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
};

/**
 * Refuses what does not come from the desk's own page: a name that another site made lead here (Host), a page
 * of another site or port (Origin, Sec-Fetch-Site), and a change that does not say where it comes from, as
 * every browser does. `localhost` is another name too: at ::1 it may be another user's program.
 */
export function fromOwnPage({ port }: DeskGate): MiddlewareHandler {
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
function isOpened({ req }: Context): boolean {
  const site = req.header('sec-fetch-site');
  return site === 'none' || (req.header('sec-fetch-mode') === 'navigate' && !req.path.startsWith('/api/'));
}

/**
 * Refuses whoever has neither the secret of a session nor a ticket for just this address. A cookie would go to
 * every port of this machine, to a page of another user too; what the page keeps and sends itself does not.
 */
export function withSession({ keys }: DeskGate): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (keys.knows(req.header(SESSION_HEADER))) return await next();
    if (req.method === 'GET' && keys.takeTicket(req.query(TICKET), req.url)) return await next();
    throw new Refused(401, req.header('sec-fetch-mode') === 'navigate' ? ONCE : NO_SESSION);
  };
}

const WRONG_HOST = t(
  'The desk is reached by the address that the terminal shows, and by no other name.',
  'Je bereikt deze pagina met het adres dat de terminal laat zien, en met geen andere naam.',
);
const OTHER_SITE = t(
  'Another site asked for this. Only the page itself may.',
  'Een andere site vroeg hierom. Alleen de pagina zelf mag dat.',
);
/** Said where no session is open, or a key is used up. */
export const NO_SESSION = t(
  'Open the page with the address that the terminal shows last.',
  'Open de pagina met het adres dat de terminal het laatst laat zien.',
);
/** Stands in a tab of its own. */
const ONCE = t(
  'This address works once. Go back to the page, and press its link again.',
  'Dit adres werkt één keer. Ga terug naar de pagina, en druk daar weer op de link.',
);
