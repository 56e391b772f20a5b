import type { TableFeed } from '../../../workbook/write/write-book.ts';
import type { WrittenRow } from '../../../workbook/write/written-sheet.ts';

/** The first rows that a sheet gets tell how wide its columns are. */
const BATCH = 200;

/** Hands rows on when there are enough of them. */
export class RowBuffer {
  private readonly feed: TableFeed;
  private rows: WrittenRow[] = [];

  constructor(feed: TableFeed) {
    this.feed = feed;
  }

  async add(rows: readonly WrittenRow[]): Promise<void> {
    this.rows.push(...rows);
    if (this.rows.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    await this.feed.add(this.rows.splice(0));
  }
}
