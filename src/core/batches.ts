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
