import { signal } from '@preact/signals';

/** A screen; `lost` for an address that leads nowhere. */
type Screen =
  | { readonly page: 'home' | 'runs' | 'export' | 'service' | 'lost' }
  | FilePlace
  | { readonly page: 'run'; readonly run: string };

/** A file that was brought, at one of its steps: how it is read, where none is named. */
interface FilePlace {
  readonly page: 'file';
  readonly file: string;
  readonly step?: 'check' | 'send' | undefined;
}

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
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(place));
  whenMoved();
}

/** The part of an address that says which screen it is. */
export function pathOf(place: Place): string {
  if (place.page === 'home') return '/';
  if (place.page === 'run') return `/runs/${place.run}`;
  return place.page === 'file'
    ? ['/files', place.file, place.step].filter(Boolean).join('/')
    : `/${place.page}`;
}

function routeOf(hash: string): Place {
  const [path = '', search = ''] = hash.slice(1).split('?', 2);
  const query = Object.fromEntries(new URLSearchParams(search));
  const [first, name, step] = path.split('/').filter(Boolean);
  if (first === undefined) return { page: 'home', query };
  if (first === 'files' && name !== undefined)
    return { page: 'file', file: name, step: step === 'check' || step === 'send' ? step : undefined, query };
  if (first === 'runs' && name !== undefined) return { page: 'run', run: name, query };
  return { page: first === 'runs' || first === 'export' || first === 'service' ? first : 'lost', query };
}

/** The key that stands in the address bar, if any. */
export const keyInAddress = (): string | undefined => /^#key=([\w-]+)$/.exec(location.hash)?.[1];

/** Another address was opened here: a key is no place, and what is shown stays. */
function whenMoved(): void {
  if (keyInAddress() === undefined) route.value = routeOf(location.hash);
}

addEventListener('hashchange', whenMoved);
addEventListener('popstate', whenMoved);
