/**
 * What `work` makes of each item, in their order, up to `width` of them at a time. Whoever stops listening ends what is under way; a
 * failure is thrown when it is its item's turn.
 */
export async function* sideBySide<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const left = new AbortController();
  const flights: Promise<R>[] = [];
  try {
    for (const item of items) {
      if (flights.length >= Math.max(1, width)) yield await (flights.shift() as Promise<R>);
      const flight = work(item, left.signal);
      flight.catch(() => {});
      flights.push(flight);
    }
    for (const flight of flights.splice(0)) yield await flight;
  } finally {
    left.abort();
  }
}
