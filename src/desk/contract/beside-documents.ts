import { z } from 'zod';

const text = z.string();
const count = z.number().int().min(0);

/** A file that goes with a draft, or that its run fetched. */
const besideFile = z.object({ name: text, bytes: count });

/** The documents of a draft that uploads some: those that were brought, and what its rows name. */
export const broughtDocuments = z.object({
  /** `rows`: how many rows of the sheet each is for. */
  brought: z.array(besideFile.extend({ rows: count })),
  /** Names of files that rows name and that are not here, with their rows; only the first ones. */
  missing: z.array(
    z.object({
      name: text,
      /** `missing`: not brought; `several`: rows name other files by the same name. */
      why: z.enum(['missing', 'several']),
      rows: z.array(z.object({ sheet: text, row: count })),
      count,
    }),
  ),
  /** How many rows name a file, and how many of these have it here. */
  rows: z.object({ all: count, here: count }),
});

/** The invoices that a draft's run fetched, by name. */
export const fetchedInvoices = z.object({ files: z.array(besideFile), bytes: count });

/** What is known of purchase orders before they are sent. */
export const knownOrders = z.object({
  orders: z.array(
    z.object({
      id: text,
      /** `new`: not sent by this program; `unknown`: sent, and no answer tells whether it went out. */
      state: z.enum(['new', 'sent', 'unknown']),
      /** When that was, as shown; null for `new`. */
      at: text.nullable(),
    }),
  ),
  /** When all that the service had were sent last, as shown; null for never. */
  allSent: z.object({ at: text, state: z.enum(['sent', 'unknown']) }).nullable(),
});

/** What came of calls that are made one by one, such as sending orders. */
export const callsAnswer = z.object({
  /** The base URL of the service; `sandbox` for the one on this machine. */
  service: text,
  calls: z.array(
    z.object({
      id: text,
      /** `not sent`: something stopped the calls before it. */
      status: z.enum(['done', 'unchanged', 'failed', 'unknown', 'not sent']),
      message: text.optional(),
    }),
  ),
  requests: count,
});

/** What came of calls. */
export type CallsAnswer = z.output<typeof callsAnswer>;
/** The documents of a draft. */
export type BroughtDocuments = z.output<typeof broughtDocuments>;
/** What is known of purchase orders. */
export type KnownOrders = z.output<typeof knownOrders>;
