import { eventRoutes } from './events.ts';
import { generalRoutes } from './general.ts';
import { linkRoutes } from './links.ts';
import { lookupRoutes } from './lookup-routes.ts';
import { productRoutes } from './products.ts';
import type { Route } from './route.ts';
import { stockRoutes } from './stock.ts';
import { tripRoutes } from './trips.ts';

// Every endpoint; the first one whose method and path fit is taken.
const routes: readonly Route[] = [
  ...productRoutes,
  ...stockRoutes,
  ...linkRoutes,
  ...eventRoutes,
  ...tripRoutes,
  ...lookupRoutes,
  ...generalRoutes,
];

/** The endpoint of a request, with the variable segments of its path. */
export function routeOf(method: string, path: string): { route: Route; params: string[] } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match) return { route, params: match.slice(1).map((part) => decodeURIComponent(part)) };
  }
  return undefined;
}

/** Whether some endpoint has this path with another method. */
export function hasPath(path: string): boolean {
  return routes.some((route) => route.pattern.test(path));
}
