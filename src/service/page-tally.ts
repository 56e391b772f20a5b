import type { ProductPage } from '../schema/page.ts';
import type { Bilingual } from '../schema/value.ts';

/** What was read of a list, next to what the service said it holds. */
export interface PageTally {
  readonly pages: number;
  readonly records: number;
  /** As the first page told; null where the service does not say. */
  readonly total: number | null;
  /**
   * True at the end when nothing speaks against having read all: every page told the same total, that many records came, on as many
   * pages as there are, and nothing follows the last. False means that records were added, moved or removed meanwhile, or can't be
   * asked for, and some may be missing.
   */
  readonly complete: boolean;
  /**
   * Why what came can't be the whole list; null where nothing says so. `different`: how many of the records are not one that came before
   * on another page, where that is known.
   */
  shortage(different?: number): Bilingual | null;
}

type Counted = AsyncGenerator<ProductPage, void>;

export function openTally(): PageTally & { counted(pages: Counted): Counted } {
  let tally = fresh();
  const shortage = (different: number = tally.records): Bilingual | null => {
    const { pages, last, records, total, gaps, more } = tally;
    if (last !== null && pages < last) return fewPages(pages, last);
    if (total !== null && different < total) return fewRecords(different, records, total);
    if (gaps > 0) return EMPTY_PAGE;
    return more ? MORE : null;
  };
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
      const { ended, steady, total, records } = tally;
      return ended && steady && (total === null || total === records) && shortage() === null;
    },
    shortage,
    async *counted(pages) {
      tally = fresh();
      let empty = 0;
      for await (const page of pages) {
        const { total, last, more } = page.meta;
        const { length } = page.data;
        if (tally.pages === 0) tally = { ...tally, total, last };
        tally.steady &&= total === tally.total;
        // The last pages of a list may have been emptied; one before others holds what those of it would be.
        if (length > 0) tally.gaps += empty;
        empty = length === 0 ? empty + 1 : 0;
        tally.pages += 1;
        tally.records += length;
        tally.more = more;
        yield page;
      }
      tally.ended = true;
    },
  };
}

interface Tally {
  pages: number;
  records: number;
  total: number | null;
  last: number | null;
  /** Every page told the same total. */
  steady: boolean;
  /** Pages without records that pages with records follow. */
  gaps: number;
  /** The last page that came says that more follows. */
  more: boolean;
  ended: boolean;
}

const fresh = (): Tally => ({
  ...{ pages: 0, records: 0, total: null, last: null },
  ...{ steady: true, gaps: 0, more: false, ended: false },
});

function fewRecords(different: number, came: number, total: number): Bilingual {
  const other = different < came ? { en: 'different ', nl: 'verschillende ' } : { en: '', nl: '' };
  return {
    en: `${different} ${other.en}records came, where the list says it has ${total}`,
    nl: `er kwamen ${different} ${other.nl}records, terwijl de lijst er volgens zichzelf ${total} heeft`,
  };
}
const fewPages = (came: number, last: number): Bilingual => ({
  en: `${came} of its ${last} pages came`,
  nl: `er kwamen ${came} van de ${last} pagina’s`,
});
const EMPTY_PAGE: Bilingual = {
  en: 'a page without records came before others that have some',
  nl: 'er kwam een pagina zonder records vóór andere die er wel hebben',
};
const MORE: Bilingual = {
  en: 'it says that more follows, without a link to it',
  nl: 'hij zegt dat er meer volgt, zonder link daarheen',
};
