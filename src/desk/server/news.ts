/** How long a page waits for news, and how long after the first of some these are told together, ms. */
const [PATIENCE, TOGETHER] = [15_000, 100];

/** What open pages hear of: a number that goes up with each change, and those who wait for the next. */
export class News {
  /** Never 0: that is a page that heard nothing yet, and is answered at once. */
  private count = 1;
  private wake: () => void = () => {};
  private next = this.newNext();
  /** When something else than a job changed last. */
  private changedAt = 0;

  get at(): number {
    return this.count;
  }

  /** Tells of a change. */
  tell(): void {
    this.count++;
    this.wake();
    this.next = this.newNext();
  }

  /** Tells that what pages show of runs, files or the service may be old. */
  changed(): void {
    this.tell();
    this.changedAt = this.count;
  }

  /** Whether something else than a job changed after a number. */
  hasChanged(since: number): boolean {
    return this.changedAt > since;
  }

  /** Resolves soon after something changed, or after a while. */
  async after(since: number): Promise<void> {
    if (since < this.count) return;
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, PATIENCE);
    });
    await Promise.race([this.next, patience]);
    clearTimeout(late);
    if (since < this.count) await new Promise((resolve) => setTimeout(resolve, TOGETHER));
  }

  private newNext(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
