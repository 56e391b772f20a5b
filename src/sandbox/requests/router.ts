import type { Endpoint } from '../../schema/endpoint.ts';

/** The endpoint of a request, and the values of its path's parameters by name. */
export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Route {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fits(route: Route, segments: readonly string[]): boolean {
  if (route.segments.length !== segments.length) return false;
  return route.segments.every((segment, index) =>
    isParameter(segment) ? segments[index] !== '' : segment === segments[index],
  );
}

function parametersOf(route: Route, segments: readonly string[]): RouteMatch['parameters'] {
  const pairs = route.segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), decode(segments[index] ?? '')]] : [],
  );
  return Object.fromEntries(pairs);
}

/** Matches requests to a table; `event/all` goes before `event/{ID}`. */
export function createRouter(table: readonly Endpoint[]) {
  const wordsFirst = (a: Route, b: Route): number =>
    a.segments.filter(isParameter).length - b.segments.filter(isParameter).length;
  const routes = table
    .map((endpoint): Route => ({ endpoint, segments: endpoint.path.split('/') }))
    .sort(wordsFirst);

  /** The endpoint of a request; `known`: the path exists under another method. */
  return (method: string, path: string): RouteMatch | { readonly known: boolean } => {
    const segments = path.replace(/^\//, '').split('/');
    const fitting = routes.filter((route) => fits(route, segments));
    const route = fitting.find(({ endpoint }) => endpoint.method === method);
    if (route === undefined) return { known: fitting.length > 0 };
    return { endpoint: route.endpoint, parameters: parametersOf(route, segments) };
  };
}
