import { ok } from './answers.ts';
import type { Answer, Received } from './types.ts';
import type { World } from './world.ts';

/** One page of a product list with its links and its meta, as section 4.3 shows it. */
export function page(
  world: World,
  request: Received,
  count: number,
  write: (from: number, to: number) => Record<string, unknown>[],
): Answer {
  const { pageSize, page: wrapping } = world.knobs.answers;
  const last = Math.max(1, Math.ceil(count / pageSize));
  const current = Math.max(1, Math.floor(Number(request.query.get('page') ?? '1')) || 1);
  const from = (current - 1) * pageSize;
  const data = from < count ? write(from, Math.min(count, from + pageSize)) : [];
  const link = (number: number) => (number < 1 || number > last ? null : linkTo(world, request, number));
  const body = {
    data,
    links: { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) },
    meta: {
      current_page: current,
      from: data.length === 0 ? null : from + 1,
      last_page: last,
      path: linkTo(world, request, undefined),
      per_page: String(pageSize),
      to: data.length === 0 ? null : from + data.length,
      total: count,
    },
  };
  return ok(wrapping === 'array' ? [body] : body);
}

/** The address of a page as the service believes it to be: behind a proxy it can be wrong. */
function linkTo(world: World, request: Received, number: number | undefined): string {
  const { links } = world.knobs.answers;
  const path = `/${request.path}${number === undefined ? '' : `?page=${number}`}`;
  const host = String(request.headers.host ?? 'localhost');
  if (links === 'relative') return path;
  if (links === 'other scheme') return `https://${host}${path}`;
  return links === 'other host' ? `http://app.intern:8080${path}` : `http://${host}${path}`;
}
