import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { t } from '../../core/language.ts';
import { OWN_HEADER } from '../contract/paths.ts';
import type { DeskKeys } from './desk-keys.ts';
import { refusal } from './refusal.ts';

/** Where the desk listens, and who may use it. */
export interface DeskGate {
  /** The port it listens on. */
  readonly port: () => number;
  readonly keys: DeskKeys;
}

/** A browser that is closed for a week asks for a new key. */
const SESSION_SECONDS = 7 * 24 * 3600;

/** Ports have no cookies of their own: two desks on one machine would take each other's. */
const cookieName = (port: number): string => `catersheet_desk_${port}`;

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

/** The names under which a browser on this machine reaches the desk. */
const hostsOf = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/**
 * Refuses what does not come from the desk's own page: a name that another site made lead here (Host), a page
 * of another site (Origin, Sec-Fetch-Site), and a change without the page's own header.
 */
export function fromOwnPage({ port }: DeskGate): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const hosts = hostsOf(port());
    const host = req.header('host') ?? '';
    if (!hosts.includes(host)) return refusal(context, 403, WRONG_HOST);
    const origin = req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) return refusal(context, 403, OTHER_SITE);
    const site = req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && !isOpened(context))
      return refusal(context, 403, OTHER_SITE);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead && req.header(OWN_HEADER) === undefined) return refusal(context, 403, OTHER_SITE);
    return await next();
  };
}

/** Whether a person opens the page itself: its files hold nothing that is anybody's. */
function isOpened({ req }: Context): boolean {
  const site = req.header('sec-fetch-site');
  return site === 'none' || (req.header('sec-fetch-mode') === 'navigate' && !req.path.startsWith('/api/'));
}

/** Refuses whoever has not opened the desk with its key. */
export function withSession({ port, keys }: DeskGate): MiddlewareHandler {
  return async (context, next) => {
    if (!keys.knows(getCookie(context, cookieName(port())))) return refusal(context, 401, NO_SESSION);
    return await next();
  };
}

/** Opens a session for whoever has the key; whether it was the right one. */
export function openSession(context: Context, { port, keys }: DeskGate, key: string): boolean {
  const session = keys.exchange(key);
  if (session === null) return false;
  setCookie(context, cookieName(port()), session, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: SESSION_SECONDS,
  });
  return true;
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
