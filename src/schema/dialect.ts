import { z } from 'zod';

/** The members of a lookup’s records that hold the id and the label, where they are not found otherwise. */
const lookupNames = z.strictObject({ id: z.string().optional(), label: z.string().optional() });

/** What the interface leaves open, as settings with defaults. */
export const dialectSchema = z.strictObject({
  /** The request that stores an ExternalID: update, create, or none (then the ledger remembers it). */
  externalId: z.enum(['update', 'create', 'never']).default('update'),
  /** The number of a dropdown list by the lookup’s name, where the interface gives none. */
  dropdowns: z.record(z.string(), z.int()).default({}),
  /** An event is looked for by its ExternalID within this many days around its day. */
  eventMargin: z.int().min(0).max(366).default(31),
  /** The flag that event lists are asked with; its meaning is not told (interface 4.4). */
  enkelEvenement: z.boolean().default(false),
  /** How a file is uploaded, which is not shown (interface 4.4): as a form, or as base64 in JSON. */
  upload: z.enum(['multipart', 'base64']).default('multipart'),
  lookups: z.record(z.string(), lookupNames).default({}),
});

/** How one service fills in what the interface leaves open. */
export type Dialect = z.infer<typeof dialectSchema>;

/** The dialect of a service without settings. */
export const DEFAULT_DIALECT: Dialect = dialectSchema.parse({});
