import { z } from 'zod';
import type { Counts, Made, ShownCounts } from '../../core/counts.ts';
import type { ShownStatus } from '../../core/plan.ts';
import type { IssueDocument, RowDocument } from '../../import/import-document.ts';

const text = z.string();
const count = z.number().int().min(0);

/** Rows by what became of them, or would. */
export const countsDocument = z.strictObject({
  ...{ read: count, created: count, updated: count, unchanged: count, deleted: count, skipped: count },
  ...{ conflict: count, invalid: count, failed: count, unknown: count, notSent: count },
}) satisfies z.ZodType<Counts>;

/** The same under the words that people know. */
export const shownCountsDocument = countsDocument.extend({
  ...{ posted: count, fetched: count, uploaded: count },
}) satisfies z.ZodType<ShownCounts>;

/** What creates are called that make no record. */
export const madeDocument = z.enum(['posted', 'fetched', 'uploaded']) satisfies z.ZodType<Made>;

const statusDocument = z.enum([
  ...(['created', 'updated', 'deleted', 'unchanged', 'skipped', 'conflict', 'invalid'] as const),
  ...(['failed', 'unknown', 'not sent', 'create', 'update', 'delete'] as const),
]) satisfies z.ZodType<ShownStatus>;

const value = z.union([text, z.number(), z.boolean(), z.null()]);
const names = z.record(text, text);

const changeDocument = z.strictObject({
  ...{ field: text, from: value, to: value },
  ...{ fromName: text.exactOptional(), toName: text.exactOptional() },
});

const conflictDocument = z.strictObject({
  ...{ field: text, was: value, now: value },
  ...{ mine: value.exactOptional(), names: names.readonly().exactOptional() },
});

const issueDocument = z.strictObject({
  /** One of the catalogue, which the page does not take along. */
  code: z.custom<IssueDocument['code']>((code) => typeof code === 'string'),
  severity: z.enum(['error', 'warning']),
  field: text.nullable(),
  cell: text.nullable(),
  ...{ found: text, expected: text, message: text },
}) satisfies z.ZodType<IssueDocument>;

const rowDocument = z.strictObject({
  sheet: text,
  row: count,
  status: statusDocument,
  key: z.record(text, value).readonly().exactOptional(),
  label: text.exactOptional(),
  id: z.number().exactOptional(),
  changes: z.array(changeDocument).readonly().exactOptional(),
  conflict: z.array(conflictDocument).readonly().exactOptional(),
  message: text.exactOptional(),
  issues: z.array(issueDocument).readonly().exactOptional(),
}) satisfies z.ZodType<RowDocument>;

/** A row of a table: of a plan what would become of it, of a run what did. */
export const tableRow = rowDocument.extend({
  /** One of its cells was corrected on the page. */
  corrected: z.boolean(),
  /** How its conflict was decided on the page. */
  decided: z.enum(['mine', 'theirs', 'skip']).nullable(),
  /** The cause of each of its issues. */
  causes: z.array(text).readonly(),
});
