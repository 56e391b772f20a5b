/** Taller than this no browser draws an element: the rows of a longer table share what there is. */
const TALLEST = 8_000_000;

/**
 * Where the rows of a table stand while it is scrolled. Up to some height a row's place is its number times
 * its height. Above that the scroll bar goes faster than the rows: a jump goes to its share of the whole, a
 * small step to the rows beside those that are seen, and at rest both are brought together again.
 */
export class ScrollSpace {
  private rows = 0;
  private height = 1;
  private view = 1;
  /** Where the view would begin if the table were as tall as its rows. */
  private top = 0;
  private seen = 0;

  /** `view`: how much of the rows is seen; all in pixels. */
  resize(rows: number, height: number, view: number): void {
    Object.assign(this, { rows, height: Math.max(1, height), view: Math.max(1, view) });
    this.top = this.clamp(this.top);
  }

  /** How tall the element is that the rows stand in. */
  get tall(): number {
    return Math.min(this.rows * this.height, TALLEST);
  }

  /** The first row that is seen, wholly or in part, and the last. */
  get first(): number {
    return Math.floor(this.top / this.height);
  }

  get last(): number {
    return Math.max(0, Math.min(this.rows - 1, Math.ceil((this.top + this.view) / this.height) - 1));
  }

  /** How many rows fit into the view, at least one. */
  get fit(): number {
    return Math.max(1, Math.floor(this.view / this.height));
  }

  /** Where a row is drawn. */
  placeOf(row: number): number {
    return row * this.height - this.top + this.seen;
  }

  /** The element was scrolled to here. */
  scrolled(to: number): void {
    const step = to - this.seen;
    this.seen = to;
    if (step === 0) return;
    const isSmall = Math.abs(step) < 3 * this.view;
    this.top = this.isWhole || !isSmall ? this.share(to) : this.clamp(this.top + step);
  }

  /** Where the element is to be scrolled to, so that the scroll bar tells where the rows are. */
  settle(): number {
    return this.isWhole ? this.seen : Math.round(this.top / this.scale);
  }

  /** Where the element is to be scrolled to for a row to be in sight; `middle`: with others around it. */
  reach(row: number, middle = false): number {
    const at = row * this.height;
    const margin = middle ? Math.max(0, (this.view - this.height) / 2) : 0;
    if (at < this.top) this.top = this.clamp(at - margin);
    else if (at + this.height > this.top + this.view)
      this.top = this.clamp(at + this.height - this.view + margin);
    return this.isWhole ? this.top : Math.round(this.top / this.scale);
  }

  /** The element was put here by the program: the rows stay where they are. */
  put(at: number): void {
    this.seen = at;
    if (this.isWhole) this.top = at;
  }

  private get isWhole(): boolean {
    return this.rows * this.height <= TALLEST;
  }

  private get scale(): number {
    return Math.max(1, this.rows * this.height - this.view) / Math.max(1, this.tall - this.view);
  }

  private share(at: number): number {
    return this.clamp(at * this.scale);
  }

  private clamp(top: number): number {
    return Math.max(0, Math.min(top, this.rows * this.height - this.view));
  }
}
