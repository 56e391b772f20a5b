import { signal } from '@preact/signals';

/** The steps of a file on its way, in their order. */
export const STEPS = ['read', 'plan', 'send', 'done'] as const;

/** A step of a file on its way. */
export type Step = (typeof STEPS)[number];

/** What stands behind the `?` of an address, such as a filter. */
type Query = Readonly<Record<string, string>>;

type Screen =
  | { readonly page: 'home' | 'runs' | 'export' | 'orders' | 'service' | 'lost' }
  | { readonly page: 'run'; readonly run: string }
  | { readonly page: 'draft'; readonly draft: string; readonly step: Step };

/** What the page shows; `lost` for an address that leads nowhere. */
export type Route = Screen & { readonly query: Query };

/** Such a place, as a link names it. */
export type Place = Screen & { readonly query?: Query };

/** What the address bar shows now. */
export const route = signal<Route>(routeOf(location.hash));

/** The address of a place, for `href`. */
export function hrefOf(place: Place): string {
  const search = new URLSearchParams(place.query ?? {}).toString();
  return `#${pathOf(place)}${search === '' ? '' : `?${search}`}`;
}

/** Goes to a place; `replace` leaves no way back to the one before. */
export function goTo(place: Place, replace = false): void {
  if (replace) history.replaceState(null, '', hrefOf(place));
  else history.pushState(null, '', hrefOf(place));
  route.value = routeOf(location.hash);
}

/** Puts words such as a filter into the address of what is shown, for a reload or a bookmark. */
export function changeQuery(query: Query): void {
  goTo({ ...route.value, query }, true);
}

/** The part of an address that says which screen it is, without its words. */
export function pathOf(place: Place): string {
  if (place.page === 'home') return '/';
  if (place.page === 'draft') return `/draft/${encodeURIComponent(place.draft)}/${place.step}`;
  if (place.page === 'run') return `/runs/${encodeURIComponent(place.run)}`;
  return `/${place.page}`;
}

function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  const query = Object.fromEntries(new URLSearchParams(search));
  const [first = '', name = '', last = 'read', ...more] = path.split('/').filter(Boolean).map(plainText);
  const step = STEPS.find((one) => one === last);
  if (first === '') return { page: 'home', query };
  if (first === 'draft' && name !== '' && step !== undefined && more.length === 0)
    return { page: 'draft', draft: name, step, query };
  if (first === 'runs') return name === '' ? { page: 'runs', query } : { page: 'run', run: name, query };
  if (first === 'export' || first === 'orders' || first === 'service') return { page: first, query };
  return { page: 'lost', query };
}

function plainText(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const KEY = /^#key=([\w-]+)$/;

/** The key that stands in the address bar, if any. */
export const keyInAddress = (): string | undefined => KEY.exec(location.hash)?.[1];

/** Another address was opened here: a key is no place, and what is shown stays. */
function whenMoved(): void {
  if (keyInAddress() === undefined) route.value = routeOf(location.hash);
}

addEventListener('hashchange', whenMoved);
addEventListener('popstate', whenMoved);
