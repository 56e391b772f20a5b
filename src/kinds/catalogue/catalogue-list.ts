import { type Bilingual, t } from '../../core/language.ts';
import type { Time } from '../../core/time.ts';
import { momentIn, numberIn } from '../../records/existing-record.ts';
import {
  EPOCH,
  exportedRecord,
  newestOf,
  type OtherList,
  type RecordBatches,
  type RecordList,
  type RecordLister,
} from '../../records/listing.ts';
import { RecentRecords } from '../../records/reading-clock.ts';
import type { AnswerRecord } from '../../schema/answer.ts';
import type { ProductQuery } from '../../schema/page.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { type FirstPage, firstPage, type PageTally } from '../../service/pages.ts';
import { type CatalogueContext, wholeDownload } from './catalogue-source.ts';

/** Packages and recipes: the pages of their list by LMT (interface 4.3). */
export const catalogueLister: RecordLister<CatalogueResource> = {
  ways: () => ['all', 'since'],
  declaration: true,
  list(context, chosen, { declaration }) {
    const LMT = chosen.way === 'since' ? chosen.moment : EPOCH;
    return listedRecords(context, { LMT, ...(declaration ? { exportWithDeclaration: true } : {}) });
  },
  others: () => [DECLARED],
  read: (resource, record) => exportedRecord(resource, record),
};

/** What a list returns of a product's declaration, where that is asked for (interface 4.3). */
const DECLARED: OtherList = {
  option: '--declaration',
  orEmpty: true,
  fields: ['IngredientDeclaratie', 'IngredientDeclaratieCategorie'],
};

const MOST_READINGS = 5;
const MANY_PAGES = 10;

/** The member that says when a product was last written (interface 2.5). */
const MODIFIED = 'LMT';

/**
 * All records of a list, each once; a list that moved while it was read is read again for what slipped by.
 * Keeps ids and recent LMTs only. A list that stays shorter than it says gets a note.
 */
export function listedRecords(context: CatalogueContext, query: ProductQuery): RecordList {
  const { resource } = context;
  const seen = new Set<number>();
  const notes: Bilingual[] = [];
  let total: number | null = null;
  async function* read(): RecordBatches {
    let before = '';
    for (let reading = 1; reading <= MOST_READINGS; reading++) {
      const round = new ListRound(resource.id, { seen, reading, time: context.time });
      const first = await firstPage(context.service, resource.requests.list, query);
      total ??= first.page.meta.total;
      const answer = reading === 1 ? await inOneRequest(context, first, query) : null;
      if (answer !== null) {
        const found = round.unseen(answer.data);
        if (found.length > 0) yield found;
        // One answer can't move while it is read; what it may lack is read page by page.
        if (total !== null && round.different >= total) return;
        continue;
      }
      const pages = first.all(context.concurrency);
      for await (const { data } of pages) {
        const found = round.unseen(data);
        if (found.length > 0) yield found;
      }
      const { tally } = pages;
      const { found } = round;
      const whole = tally.complete && round.different === tally.records;
      const quiet = async () =>
        (reading > 1 && found === 0) ||
        !(await movedMeanwhile(context, query, { pages: tally.pages, recent: round.recent }));
      if (whole && (await quiet())) return;
      const now = `${tally.records} ${round.different} ${tally.total}`;
      const doubt = round.doubt(tally);
      // Pages that overlap in another way each time give all of it in the end.
      const all = tally.complete && tally.total !== null && doubt === null;
      if (!whole && found === 0 && (all || now === before)) {
        if (doubt !== null) notes.push(shortText(doubt));
        return;
      }
      before = now;
      context.log.warn({ resource: resource.name, reading, found }, 'the list moved while it was read');
    }
    notes.push(MOVING);
  }
  return {
    get total() {
      return total;
    },
    get complete() {
      return notes.length === 0;
    },
    notes,
    [Symbol.asyncIterator]: read,
  };
}

/** A list of many pages as one answer, where the service gives it so. */
const inOneRequest = async (context: CatalogueContext, first: FirstPage, query: ProductQuery) =>
  (first.page.meta.last ?? 0) < MANY_PAGES ? null : await wholeDownload(context, first, query);

/** One reading of a list, beside what earlier ones held. */
class ListRound {
  /** Records of this reading that were written lately. */
  readonly recent: RecentRecords<number>;
  found = 0;
  /** Records of this reading, without copies on several pages. */
  different = 0;
  private readonly own: Set<number>;
  private readonly id: string;
  private readonly seen: Set<number>;

  /** `seen`: the ids that earlier readings held; it is added to. */
  constructor(id: string, { seen, reading, time }: { seen: Set<number>; reading: number; time: Time }) {
    this.recent = new RecentRecords(time);
    this.id = id;
    this.seen = seen;
    this.own = reading === 1 ? seen : new Set();
  }

  /** The records of a page not seen yet; one without an id is taken in the first reading only. */
  unseen(page: readonly AnswerRecord[]): AnswerRecord[] {
    const { own, seen, recent } = this;
    const oldest = recent.oldest();
    const records = newestOf(page, this.id, MODIFIED);
    this.different += page.length - records.length;
    const unseen = records.filter((record) => {
      const id = numberIn(record, this.id);
      const moment = momentIn(record, MODIFIED);
      if (id !== null && moment !== null) {
        recent.reading.saw(moment);
        if (moment >= oldest) recent.keep(id, moment);
      }
      const first = id === null || isNew(own, id);
      if (first) this.different++;
      return first && (own === seen || (id !== null && isNew(seen, id)));
    });
    this.found += unseen.length;
    return unseen;
  }

  /** Why all readings together may not be the whole list; null where nothing says so. */
  doubt({ total, records, shortage }: PageTally): Bilingual | null {
    const known = this.seen.size + this.different - this.own.size;
    return shortage(known) ?? (total === null && this.different < records ? OVERLAP : null);
  }
}

const isNew = (known: Set<number>, id: number): boolean => known.size < known.add(id).size;

const OVERLAP: Bilingual = t(
  'the same records stand on several of its pages',
  'dezelfde records staan op verschillende pagina’s ervan',
);

const shortText = (why: Bilingual): Bilingual =>
  t(
    `the service's list came incomplete each time it was read (${why.en}): records are missing here; ask whoever runs the service, or export again later`,
    `de lijst van het systeem kwam elke keer onvolledig binnen (${why.nl}): hier ontbreken records; vraag het de beheerder van het systeem, of exporteer later opnieuw`,
  );

const MOVING: Bilingual = t(
  `the service's list changed each of the ${MOST_READINGS} times it was read: records that were added or moved meanwhile may be missing; export again when it is quieter`,
  `de lijst van het systeem veranderde alle ${MOST_READINGS} keren dat hij gelezen werd: records die intussen zijn toegevoegd of verplaatst, kunnen ontbreken; exporteer opnieuw als het rustiger is`,
);

/** So many pages of what was written lately are read, or a tenth of a long list. */
const FEW_PAGES = 10;

/**
 * Whether a record may have slipped by, moved to a page that was read already: one that was written since the
 * reading began shows it; a list without LMTs shows nothing. `recent`: what this reading held.
 */
async function movedMeanwhile(
  context: CatalogueContext,
  query: ProductQuery,
  { pages, recent }: { readonly pages: number; readonly recent: RecentRecords<number> },
): Promise<boolean> {
  const { resource } = context;
  const { reading } = recent;
  const [began, newest] = [reading.began(), reading.newest];
  if (pages < 2 || began === null || newest === null) return false;
  if (reading.sawWrites(context.service.stats.ahead ?? 0)) return true;
  const since = (LMT: string): Promise<FirstPage> =>
    firstPage(context.service, resource.requests.list, { LMT });
  const isUnread = (record: AnswerRecord, from: string): boolean => {
    const [id, moment] = [numberIn(record, resource.id), momentIn(record, MODIFIED)];
    return id !== null && moment !== null && moment > from && recent.stampOf(id) !== moment;
  };
  const from = began > query.LMT ? began : query.LMT;
  const first = await since(from);
  const most = Math.max(FEW_PAGES, Math.floor(pages / 10));
  if ((first.page.meta.last ?? 1) > most) {
    // So much was written lately that only what is newer than this reading is looked at.
    const { page } = await since(newest);
    return page.data.some((record) => isUnread(record, newest));
  }
  let walked = 0;
  for await (const { data } of first.all(context.concurrency)) {
    if (data.some((record) => isUnread(record, from))) return true;
    walked += 1;
    if (walked >= most) break;
  }
  return false;
}
