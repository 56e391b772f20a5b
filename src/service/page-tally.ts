import type { ProductPage } from '../schema/page.ts';

/** What was read of a list, next to what the service said it holds. */
export interface PageTally {
  readonly pages: number;
  readonly records: number;
  /** As the first page told; null where the service does not say. */
  readonly total: number | null;
  /**
   * True at the end when nothing speaks against having read all: every page told the same total, and that many
   * records came. False means that records were added, moved or removed meanwhile, and some may be missing.
   */
  readonly complete: boolean;
}

export function openTally(): PageTally & {
  counted(pages: AsyncGenerator<ProductPage, void>): AsyncGenerator<ProductPage, void>;
} {
  let tally: { pages: number; records: number; total: number | null; steady: boolean; ended: boolean } =
    fresh();
  return {
    get pages() {
      return tally.pages;
    },
    get records() {
      return tally.records;
    },
    get total() {
      return tally.total;
    },
    get complete() {
      return tally.ended && tally.steady && (tally.total === null || tally.total === tally.records);
    },
    async *counted(pages) {
      tally = fresh();
      for await (const page of pages) {
        const { total } = page.meta;
        if (tally.pages === 0) tally.total = total;
        tally.steady &&= total === tally.total;
        tally.pages += 1;
        tally.records += page.data.length;
        yield page;
      }
      tally.ended = true;
    },
  };
}

const fresh = () => ({ pages: 0, records: 0, total: null, steady: true, ended: false });
