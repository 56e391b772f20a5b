import { z } from 'zod';

/** An answer of which the interface shows nothing. */
export interface OpenAnswer {
  /** The JSON that it is, or its text. */
  readonly content: unknown;
  /** What it says in words: one short line, fit to show; null where it says nothing. */
  readonly words: string | null;
}

/** A file that was asked for, or what came in its place. */
export interface FileAnswer {
  readonly bytes: Uint8Array;
  /** The media type that the service gives it, in lower case and without parameters; null where it gives none. */
  readonly type: string | null;
  /** What it says where it is a text: one short line, fit to show; null for any other content. */
  readonly words: string | null;
}

/** Reads an answer of which nothing is shown. */
export const openAnswer: z.ZodType<OpenAnswer> = z.object({
  content: z.unknown(),
  words: z.string().nullable(),
});

/** Reads a file. */
export const fileAnswer: z.ZodType<FileAnswer> = z.object({
  bytes: z.instanceof(Uint8Array),
  type: z.string().nullable(),
  words: z.string().nullable(),
});
