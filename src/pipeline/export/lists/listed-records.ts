import type { AnswerRecord } from '../../../schema/answer.ts';
import { integerCodec } from '../../../schema/codecs/integer.ts';
import type { ProductQuery } from '../../../schema/page.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { type FirstPage, firstPage } from '../../../service/pages.ts';
import type { Context } from '../../context.ts';
import type { RecordList } from './exporter.ts';

/** Times a list that moves while it is read is read at most. */
const MOST_READINGS = 5;

/**
 * All records of a list, page by page, each once: pages are fetched side by side, and of what was read only ids are kept. A list whose
 * records came, went or moved meanwhile is read again for those that slipped by, until a reading finds none; one that stands still and
 * is shorter than it says is said to be.
 */
export function listedRecords(
  context: Context,
  resource: CatalogueResource,
  query: ProductQuery,
): RecordList {
  const seen = new Set<number>();
  const notes: Bilingual[] = [];
  let total: number | null = null;
  let before = '';
  async function* read(): AsyncGenerator<readonly AnswerRecord[]> {
    for (let reading = 1; reading <= MOST_READINGS; reading++) {
      const first: FirstPage = await firstPage(context.service, resource.requests.list, query);
      total ??= first.page.meta.total;
      const pages = first.all(context.concurrency);
      const own = reading === 1 ? seen : new Set<number>();
      let [found, nameless] = [0, 0];
      for await (const { data } of pages) {
        const unseen = data.filter((record) => {
          const id = integerCodec.read(record[resource.id]);
          if (typeof id === 'number') return isNew(own, id) && (own === seen || isNew(seen, id));
          // What has no id can't be told from others: it is taken as it comes, once.
          nameless++;
          return reading === 1;
        });
        found += unseen.length;
        if (unseen.length > 0) yield unseen;
      }
      const { complete, records, total: told } = pages.tally;
      const different = own.size + nameless;
      if (complete && different === records) return;
      const now = `${records} ${different} ${told}`;
      if (found === 0 && now === before) {
        // Pages that repeat all of the first one are not what was asked for.
        const repeats = records > different && different <= first.page.data.length;
        if (told !== null && (repeats || records < told)) notes.push(shortText(different, told));
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

const isNew = (known: Set<number>, id: number): boolean => known.size < known.add(id).size;

const shortText = (came: number, total: number): Bilingual => ({
  en: `the service's list says it has ${total} records, and gave ${came} each time it was read: the others are missing here; ask whoever runs the service, or export again later`,
  nl: `de lijst van de dienst zegt ${total} records te hebben, en gaf er ${came}, elke keer dat hij gelezen werd: de andere ontbreken hier; vraag het de beheerder van de dienst, of exporteer later opnieuw`,
});

const MOVING: Bilingual = {
  en: `the service's list changed each of the ${MOST_READINGS} times it was read: records that were added or moved meanwhile may be missing; export again when it is quieter`,
  nl: `de lijst van de dienst veranderde elk van de ${MOST_READINGS} keer dat hij gelezen werd: records die intussen zijn toegevoegd of verplaatst, kunnen ontbreken; exporteer opnieuw als het rustiger is`,
};
