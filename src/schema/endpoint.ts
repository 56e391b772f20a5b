import type { z } from 'zod';

/** The methods of interface section 4; a GET may have a body. */
type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';

/**
 * What sending twice does: `none` a read; `same` a write that leaves the same state each time;
 * `each` a write that takes place anew each time (a create, a posting), never repeated blindly.
 */
export type RepeatEffect = 'none' | 'same' | 'each';

/** One endpoint of the interface: the only description of it, used by the client and by the sandbox. */
export interface Endpoint<Body = unknown, Answer = unknown> {
  /** Such as `packages.create`; unique in the table. */
  readonly name: string;
  /** The section of the interface that describes it, such as `4.1`. */
  readonly section: string;
  readonly method: HttpMethod;
  /** Relative to the base URL; `{ID}` stands for a path segment. */
  readonly path: string;
  /** The segments of the path that are text; the others are whole numbers. */
  readonly texts?: readonly string[];
  readonly effect: RepeatEffect;
  /** The strict shape of the JSON body; absent when the endpoint takes none. */
  readonly body?: z.ZodType<Body>;
  /** `multipart` where a file goes along; JSON otherwise. */
  readonly sends?: 'json' | 'multipart';
  /** `binary` where a file comes back; `any` where nothing is shown of it, and plain text is an answer too; JSON otherwise. */
  readonly returns?: 'json' | 'binary' | 'any';
  /** The lenient shape of the answer: text numbers, "0"/"1", nulls and unknown extra fields are understood. */
  readonly answer: z.ZodType<Answer>;
}

/** Declares an endpoint; only here so that body and answer types are inferred from their schemas. */
export function defineEndpoint<Body, Answer>(endpoint: Endpoint<Body, Answer>): Endpoint<Body, Answer> {
  return endpoint;
}

/** The names of the path's segments in braces, in order. */
export function pathParameters(endpoint: Endpoint): string[] {
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
