/** `{data, links, meta}` of interface 4.3. */
export interface Page {
  readonly data: readonly unknown[];
  readonly links: Readonly<Record<'first' | 'last' | 'prev' | 'next', string | null>>;
  readonly meta: Readonly<Record<string, number | string | null>>;
}

/** The number of the page asked for, 1 when it makes no sense. */
export function pageNumber(query: URLSearchParams): number {
  const asked = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
}

/** One page with its links and counts; `per_page` is text, as the interface shows it. */
export function pageOf(
  data: readonly unknown[],
  place: {
    readonly address: string;
    readonly current: number;
    readonly size: number;
    readonly total: number;
  },
): Page {
  const { address, current, size, total } = place;
  const last = Math.max(1, Math.ceil(total / size));
  const link = (page: number): string | null =>
    page >= 1 && page <= last ? `${address}?page=${page}` : null;
  const from = data.length === 0 ? null : (current - 1) * size + 1;
  return {
    data,
    links: { first: link(1), last: link(last), prev: link(current - 1), next: link(current + 1) },
    meta: {
      current_page: current,
      from,
      last_page: last,
      path: address,
      per_page: String(size),
      to: from === null ? null : from + data.length - 1,
      total,
    },
  };
}
