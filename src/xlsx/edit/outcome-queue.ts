import type { NumberedOutcome } from '../../files/result-sheet.ts';

const BATCH = 200;

/** A sheet's outcomes in the order of its rows, a few of them at hand, so that a row can ask for its own without waiting. */
export class OutcomeQueue {
  private readonly source: AsyncIterator<NumberedOutcome>;
  private waiting: NumberedOutcome[] = [];
  private at = 0;
  private ended = false;

  constructor(outcomes: AsyncIterable<NumberedOutcome>) {
    this.source = outcomes[Symbol.asyncIterator]();
  }

  /** Whether `fill` must be awaited before the next row can ask. */
  get dry(): boolean {
    return this.at >= this.waiting.length && !this.ended;
  }

  async fill(): Promise<void> {
    this.waiting = [];
    this.at = 0;
    while (this.waiting.length < BATCH) {
      const { value, done } = await this.source.next();
      if (done) {
        this.ended = true;
        return;
      }
      this.waiting.push(value);
    }
  }

  /** The outcome of a row, which is asked for once; none when the next one is another row's. */
  of(row: number): NumberedOutcome | undefined {
    const next = this.waiting[this.at];
    if (next?.row !== row) return undefined;
    this.at++;
    return next;
  }

  async close(): Promise<void> {
    await this.source.return?.();
  }
}
