import { z } from 'zod';
import type { Fields, InputStatus } from './field.ts';
import type { Values } from './value.ts';

/** The strict JSON body of a create or update: required fields, optional ones (null clears), nothing else. */
export function bodySchema(fields: Fields, kind: 'create' | 'update'): z.ZodType<Values> {
  const shape = Object.entries(fields)
    .filter(([, field]) => field[kind] !== 'none')
    .map(([name, field]) => [name, member(field.codec.wire, field[kind])]);
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<Values>;
}

function member(wire: z.ZodType, status: InputStatus): z.ZodType {
  return status === 'required' ? wire : wire.nullable().optional();
}
