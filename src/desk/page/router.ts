import { signal } from '@preact/signals';

/** What stands behind the `?` of an address, such as which rows are shown. */
type Query = Readonly<Record<string, string>>;

/** The key that stands in the address bar, if any. */
export const keyInAddress = (): string | undefined => /^#key=([\w-]+)$/.exec(location.hash)?.[1];

/** What the address bar shows now: a key is no place. */
export const route = signal(placeOf(keyInAddress() === undefined ? location.hash : ''));

function placeOf(hash: string): { readonly path: string; readonly query: Query } {
  const [path, search] = hash.slice(1).split('?', 2);
  return { path: path || '/', query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a place, for `href`. */
export function hrefOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#${path}${search === '' ? '' : `?${search}`}`;
}

/** Goes to a place; `replace` leaves no way back to the one before. */
export function goTo(path: string, query: Query = {}, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(path, query));
  whenMoved();
}

/** Another address was opened here: of a key, what is shown stays. */
function whenMoved(): void {
  if (keyInAddress() === undefined) route.value = placeOf(location.hash);
}

addEventListener('hashchange', whenMoved);
addEventListener('popstate', whenMoved);
