/** The items of batches, one by one; an async generator would cost more than what is done with them. */
export const eachOf = <Item>(batches: AsyncGenerator<readonly Item[]>): AsyncIterableIterator<Item> =>
  new BatchIterator(batches);

class BatchIterator<Item> implements AsyncIterableIterator<Item> {
  private readonly batches: AsyncGenerator<readonly Item[]>;
  private batch: readonly Item[] = [];
  private at = 0;

  constructor(batches: AsyncGenerator<readonly Item[]>) {
    this.batches = batches;
  }

  next(): Promise<IteratorResult<Item>> {
    if (this.at >= this.batch.length) return this.nextBatch();
    return Promise.resolve({ value: this.batch[this.at++] as Item, done: false });
  }

  async return(): Promise<IteratorResult<Item>> {
    this.batch = [];
    await this.batches.return(undefined);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async nextBatch(): Promise<IteratorResult<Item>> {
    const { value, done } = await this.batches.next();
    if (done) return { value: undefined, done: true };
    this.batch = value;
    this.at = 0;
    return this.next();
  }
}

/** Does `work` on up to `width` items at a time, yields in their order; leaving the loop aborts the rest. */
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
