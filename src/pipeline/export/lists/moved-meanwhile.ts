import type { AnswerRecord } from '../../../schema/answer.ts';
import type { ProductQuery } from '../../../schema/page.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import { type FirstPage, firstPage } from '../../../service/pages.ts';
import type { Context } from '../../context.ts';
import type { Recent } from '../recent.ts';
import { momentIn, numberIn } from './record-members.ts';

/** A list that was read to its end. */
export interface ListRead {
  readonly resource: CatalogueResource;
  readonly query: ProductQuery;
  /** The member that says when a record was last written. */
  readonly modified: string;
  /** How many pages came. */
  readonly pages: number;
}

/** So few pages of what was written lately are read however short the list is; of a long one a tenth. */
const FEW_PAGES = 10;

/**
 * Whether a list that was read page by page may have moved meanwhile, though it holds as many records as before: where one goes and
 * another comes, those between them move to other pages, and one that moves to a page that was read already slips by. What was written
 * since the reading began shows it: a record that was not read, or not as it is now; or one that was read and may be as new as that. Where
 * no record says when it was written, nothing does. `recent`: what this reading held.
 */
export async function movedMeanwhile(
  context: Context,
  { resource, query, modified, pages }: ListRead,
  recent: Recent<number>,
): Promise<boolean> {
  const { reading } = recent;
  const [began, newest] = [reading.began(), reading.newest];
  if (pages < 2 || began === null || newest === null) return false;
  if (reading.sawWrites(context.service.stats.ahead ?? 0)) return true;
  const since = (LMT: string): Promise<FirstPage> =>
    firstPage(context.service, resource.requests.list, { LMT });
  const isUnread = (record: AnswerRecord, from: string): boolean => {
    const [id, moment] = [numberIn(record, resource.id), momentIn(record, modified)];
    return id !== null && moment !== null && moment > from && recent.stampOf(id) !== moment;
  };
  const from = began > query.LMT ? began : query.LMT;
  const first = await since(from);
  const most = Math.max(FEW_PAGES, Math.floor(pages / 10));
  if ((first.page.meta.last ?? 1) > most) {
    // So much was written before the reading that only what came after it can be looked at.
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
