import { z } from 'zod';
import { countsShape, rowShape } from '../../api/documents.ts';
import type { Made, ShownCounts } from '../../core/counts.ts';

const count = z.number().int().min(0);

/** Rows by what became of them, under the words that people know. */
export const shownCountsDocument = countsShape.extend({
  ...{ posted: count, fetched: count, uploaded: count },
}) satisfies z.ZodType<ShownCounts>;

/** What creates are called that make no record. */
export const madeDocument = z.enum(['posted', 'fetched', 'uploaded']) satisfies z.ZodType<Made>;

/** A row of a table: of a plan what would become of it, of a run what did. */
export const tableRow = rowShape.extend({
  /** One of its cells was corrected on the page. */
  corrected: z.boolean(),
  /** How its conflict was decided on the page. */
  decided: z.enum(['mine', 'theirs', 'skip']).nullable(),
  /** The cause of each of its issues. */
  causes: z.array(z.string()).readonly(),
});
