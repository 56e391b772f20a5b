import { signal } from '@preact/signals';

/** A screen; `lost` for an address that leads nowhere. */
type Screen =
  | { readonly page: 'home' | 'runs' | 'export' | 'service' | 'lost' }
  | { readonly page: 'file'; readonly file: string }
  | { readonly page: 'run'; readonly run: string; readonly step?: 'send' };

/** A screen with what stands behind the `?` of its address, such as which rows are shown. */
export type Place = Screen & { readonly query?: Readonly<Record<string, string>> };

/** What the address bar shows now. */
export const route = signal<Place>(routeOf(location.hash));

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

/** The part of an address that says which screen it is. */
export function pathOf(place: Place): string {
  if (place.page === 'home') return '/';
  if (place.page === 'file') return `/files/${encodeURIComponent(place.file)}`;
  if (place.page !== 'run') return `/${place.page}`;
  return ['/runs', encodeURIComponent(place.run), place.step].filter(Boolean).join('/');
}

function routeOf(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  const query = Object.fromEntries(new URLSearchParams(search));
  const [first = '', name = '', step] = path.split('/').filter(Boolean);
  if (first === '') return { page: 'home', query };
  if (first === 'files' && name !== '') return { page: 'file', file: name, query };
  if (first === 'runs' && name === '') return { page: 'runs', query };
  if (first === 'runs') return { page: 'run', run: name, ...(step === 'send' && { step }), query };
  return first === 'export' || first === 'service' ? { page: first, query } : { page: 'lost', query };
}

/** The key that stands in the address bar, if any. */
export const keyInAddress = (): string | undefined => /^#key=([\w-]+)$/.exec(location.hash)?.[1];

/** Another address was opened here: a key is no place, and what is shown stays. */
function whenMoved(): void {
  if (keyInAddress() === undefined) route.value = routeOf(location.hash);
}

addEventListener('hashchange', whenMoved);
addEventListener('popstate', whenMoved);
