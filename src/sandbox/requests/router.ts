import type { Endpoint } from '../../schema/endpoint.ts';

/** The endpoint of a request, and the values of its path's parameters by name. */
export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Matches requests to a table; `event/all` goes before `event/{ID}`. */
export function createRouter(table: readonly Endpoint[]) {
  const routes = table
    .map((endpoint) => ({
      endpoint,
      open: endpoint.path.split('{').length,
      pattern: new RegExp(`^/${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }))
    .sort((one, other) => one.open - other.open);

  /** The endpoint of a request; `known`: the path exists under another method. */
  return (method: string, path: string): RouteMatch | { readonly known: boolean } => {
    const fitting = routes.filter(({ pattern }) => pattern.test(path));
    const route = fitting.find(({ endpoint }) => endpoint.method === method);
    if (route === undefined) return { known: fitting.length > 0 };
    return { endpoint: route.endpoint, parameters: route.pattern.exec(path)?.groups ?? {} };
  };
}
