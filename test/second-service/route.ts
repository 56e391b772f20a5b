import { refuse } from './answers.ts';
import { check } from './check.ts';
import type { Field } from './schema.ts';
import type { Answer, Received, Source, Values } from './types.ts';
import type { World } from './world.ts';

/** One request on its way through a handler. */
export interface Call {
  readonly world: World;
  readonly request: Received;
  readonly source: Source;
}

/** One endpoint: what it is called here, where it is and what it does. */
export interface Route {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly write: boolean;
  readonly handle: (call: Call) => Answer;
}

/** An endpoint by its path below api/v1, in which {} is a segment; a name with a ! is a write. */
export function route(name: string, method: string, path: string, handle: (call: Call) => Answer): Route {
  const pattern = new RegExp(`^api/v1/${path.replaceAll('{}', '([^/]+)')}$`);
  return { name: name.replace('!', ''), method, pattern, write: name.endsWith('!'), handle };
}

/** The path's segment as a number; NaN names no record. */
export function pathId(call: Call, position = 0): number {
  return Number(call.request.params[position] ?? Number.NaN);
}

/** Reads the body as a handler needs it, or answers what is wrong with it. */
export function withBody(
  call: Call,
  fields: readonly Field[],
  idName: string,
  handle: (values: Values) => Answer,
): Answer {
  const { values, errors } = check(fields, call.request.body);
  return Object.keys(errors).length > 0 ? refuse(call.world, errors, idName) : handle(values);
}

/** A field's value as a number; a field that is missing is NaN. */
export function number(values: Values, name: string): number {
  const value = values[name];
  return typeof value === 'number' ? value : Number.NaN;
}

/** A field's value as a text. */
export function text(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}
