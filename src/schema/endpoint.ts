import type { z } from 'zod';
import type { Bilingual } from '../core/language.ts';

/** The methods of interface section 4; a GET may have a body. */
type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';

/**
 * What sending twice does: `none` for a read; `same` for a write that leaves the same state; `each` for a
 * write that takes effect each time (a create, a posting), never repeated blindly.
 */
type RepeatEffect = 'none' | 'same' | 'each';

/** One endpoint of the interface, described here alone for the client and the sandbox. */
export interface Endpoint<Body = unknown, Answer = unknown> {
  /** Such as `packages.create`; unique in the table. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary?: Bilingual;
  /** The section of the interface that describes it, such as `4.1`. */
  readonly section: string;
  /** The method of its request. */
  readonly method: HttpMethod;
  /** Relative to the base URL; `{ID}` stands for a path segment. */
  readonly path: string;
  /** The path segments that are text; the others are whole numbers. */
  readonly texts?: readonly string[];
  /** What sending twice does: `none` (a read), `same` (the same state), `each` (once more). */
  readonly effect: RepeatEffect;
  /** The strict shape of the JSON body; absent when the endpoint takes none. */
  readonly body?: z.ZodType<Body>;
  /** `multipart` where it sends a file; JSON otherwise. */
  readonly sends?: 'json' | 'multipart';
  /** `binary` for a file; `any` where nothing is shown, and text is an answer too; JSON otherwise. */
  readonly returns?: 'json' | 'binary' | 'any';
  /** The lenient schema of the answer: understands text numbers, "0"/"1", nulls and unknown members. */
  readonly answer: z.ZodType<Answer>;
}

/** Declares an endpoint; its body and answer types are inferred from the schemas. */
export function defineEndpoint<Body, Answer>(endpoint: Endpoint<Body, Answer>): Endpoint<Body, Answer> {
  return endpoint;
}

/** The names of the path's segments in braces, in order. */
export function pathParameters(endpoint: Endpoint): string[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
