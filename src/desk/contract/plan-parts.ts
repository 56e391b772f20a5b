import { z } from 'zod';

const text = z.string();
const count = z.number().int().min(0);

/** Issues of one cause on one column of one sheet. */
const issueGroup = z.object({
  sheet: text,
  code: text,
  field: text.nullable(),
  /** What tells it apart from others of its code; null for all of them. */
  cause: text.nullable(),
  severity: z.enum(['error', 'warning']),
  /** What is wrong, in a sentence. */
  message: text,
  count,
  /** How many of them are of rows that send something. */
  sends: count,
  /** The first cells. */
  places: z.array(text),
});

/** What a plan says of its rows without naming each of them. */
export const planParts = {
  groups: z.array(issueGroup),
  /** Rows with a warning as it was made: all of them, and those that send something. */
  warned: z.object({ rows: count, sends: count }),
  /** Rows of the run that the file takes back which it leaves, and the first of them, with the reason. */
  left: z.object({ count, rows: z.array(z.object({ sheet: text, row: text, why: text })) }).nullable(),
  /** Rows that name no record and could be new, by sheet: the user is asked. */
  unnamed: z.array(z.object({ sheet: text, rows: count })),
};
