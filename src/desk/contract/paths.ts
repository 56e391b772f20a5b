import type { AskedOf, RouteName } from './asked.ts';

/** Routes that answer a file: they are followed as a link. */
export const FILES = ['jobFile', 'result', 'report'] as const satisfies readonly RouteName[];

/** Holds the secret of the page's session, with every request. */
export const SESSION_HEADER = 'x-catersheet-session';

/** Names a ticket in the address of a file, which is followed without that header. */
export const TICKET = 'ticket';

/** The address of a route that a file goes to or comes from, with what it is asked. */
export const addressOf = <R extends (typeof FILES)[number] | 'addFile'>(
  route: R,
  asked: AskedOf<R>,
): string => `/api/${route}?${new URLSearchParams(asked as Record<string, string>)}`;
