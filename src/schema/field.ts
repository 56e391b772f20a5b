import { z } from 'zod';
import type { Codec } from '../core/codec.ts';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { decimalCodec } from '../core/codecs/decimal.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { identifierCodec, textCodec } from '../core/codecs/text.ts';
import { timeOfDayCodec } from '../core/codecs/time-of-day.ts';
import type { Bilingual } from '../core/language.ts';
import type { Value, Values } from '../core/value.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Whether an input takes a field. `dialect`: no table of the interface names it there, but some services may
 * take it (ExternalID); sent only where the dialect says so. `unsent`: the interface takes it, this program never
 * sends it (LMT, which is the service's to set).
 */
type InputStatus = 'required' | 'optional' | 'dialect' | 'unsent' | 'none';

/** Which reads return a field: the detail, the allModified list, both, or none. */
export type FieldReads = 'both' | 'detail' | 'list' | 'none';

/**
 * A column that names another record by a key of its own, such as `Event.ExternalID`: never sent itself, but resolved
 * to the id that `sets` takes. The record may be one that the same workbook creates.
 */
export interface ReferredRecord {
  /** The resources it may be of, in the order in which they are asked. */
  readonly resources: readonly string[];
  readonly sets: string;
}

/** What a resource says of a field; what it leaves out is neither sent nor special. */
interface FieldOptions {
  readonly create?: InputStatus;
  readonly update?: InputStatus;
  readonly reads?: FieldReads;
  /** The list's own spelling, where it differs. */
  readonly listName?: string;
  readonly lookup?: Lookup;
  readonly refers?: ReferredRecord;
  /** Characters that a text of this kind has at most, as a rule; one that is longer is sent with a warning. */
  readonly sensible?: number;
  readonly help: Bilingual;
  readonly example?: string | number | boolean;
}

/** One column of a sheet and one member of a record: its type, where it may be sent, what people need to know. */
export interface Field<V extends Value = Value> {
  readonly codec: Codec<V>;
  readonly create: InputStatus;
  readonly update: InputStatus;
  readonly reads: FieldReads;
  readonly listName?: string;
  readonly lookup?: Lookup;
  readonly refers?: ReferredRecord;
  /** Characters that a text of this kind has at most, as a rule; one that is longer is sent with a warning. */
  readonly sensible?: number;
  readonly help: Bilingual;
  readonly example?: string | number | boolean;
}

/** The fields of a resource by the interface’s own names, in the order of their columns. */
export type Fields = Readonly<Record<string, Field>>;

const field =
  <V extends Value>(codec: Codec<V>) =>
  (options: FieldOptions): Field<V> => ({ create: 'none', update: 'none', reads: 'both', ...options, codec });

/** int in the interface's notation. */
export const integer = field(integerCodec);
/** float in the interface's notation. */
export const decimal = field(decimalCodec);
/** string in the interface's notation. */
export const text = field(textCodec);
/** string in the interface's notation, where it names something: a number, or a code. */
export const identifier = field(identifierCodec);
/** bool in the interface's notation. */
export const boolean = field(booleanCodec);
/** datetime in the interface's notation. */
export const datetime = field(datetimeCodec);
/** datetime in the interface's notation, where people write the time alone. */
export const timeOfDay = field(timeOfDayCodec);

/** True for a column that is exported and shown, never sent. */
export function readOnly(field: Field): boolean {
  if (field.refers !== undefined) return false;
  return [field.create, field.update].every((status) => status === 'none' || status === 'unsent');
}

/** Whether people write a day alone in the field, no time: its example tells. */
export function holdsDay({ codec, example }: Field): boolean {
  return codec === datetimeCodec && typeof example === 'string' && !example.includes(':');
}

/** Where the ids of a column come from, and how a name is turned into one (interface section 2, Lookup columns). */
export interface Lookup {
  /** Such as `producttype`; the key of its settings in the dialect. */
  readonly name: string;
  /** The list that holds every id, when the interface names one. */
  readonly endpoint?: Endpoint;
  /** The `{id}` of a dropdown list, when the interface gives its number; settings can supply it otherwise. */
  readonly dropdown?: number;
  /** The column takes ids of another list too: one that this list lacks may be right. */
  readonly partial?: true;
}

/** One entry of a lookup: an id, and the name people use for it. */
export interface LookupEntry {
  readonly id: number;
  readonly label: string;
}

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
