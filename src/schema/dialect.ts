import { z } from 'zod';

/** How a lookup's records name their id and their label, where finding out by itself goes wrong. */
const lookupNames = z.strictObject({ id: z.string().optional(), label: z.string().optional() });

/** What the interface leaves open, as settings with sensible defaults (design: Dialect). */
export const dialectSchema = z.strictObject({
  /** Which request stores an ExternalID: the update (default), the create, or none (then the ledger remembers). */
  externalId: z.enum(['update', 'create', 'never']).default('update'),
  /** The number of a dropdown list, by the lookup's name, where the interface gives none. */
  dropdowns: z.record(z.string(), z.int()).default({}),
  /** Around a day, so many days of events are searched for an ExternalID. */
  eventMargin: z.int().min(0).max(366).default(31),
  /** What event lists are asked for with; the interface does not say what it does (interface 4.4). */
  enkelEvenement: z.boolean().default(false),
  /** How a file goes along with an upload, which is not shown (interface 4.4): as a form, or as base64 in JSON. */
  upload: z.enum(['multipart', 'base64']).default('multipart'),
  lookups: z.record(z.string(), lookupNames).default({}),
});

/** How one service fills in what the interface leaves open. */
export type Dialect = z.infer<typeof dialectSchema>;

/** The dialect of a service of which nothing special is known. */
export const DEFAULT_DIALECT: Dialect = dialectSchema.parse({});
