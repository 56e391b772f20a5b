import type { Codec } from './codec.ts';
import { booleanCodec } from './codecs/boolean.ts';
import { datetimeCodec } from './codecs/datetime.ts';
import { decimalCodec } from './codecs/decimal.ts';
import { identifierCodec } from './codecs/identifier.ts';
import { integerCodec } from './codecs/integer.ts';
import { textCodec } from './codecs/text.ts';
import { timeOfDayCodec } from './codecs/time-of-day.ts';
import type { Lookup } from './lookup.ts';
import type { Bilingual, Value } from './value.ts';

/**
 * Whether an input takes a field. `dialect`: no table of the interface names it there, but some services may
 * take it (ExternalID); sent only where the dialect says so. `unsent`: the interface takes it, this program never
 * sends it (LMT, which is the service's to set).
 */
export type InputStatus = 'required' | 'optional' | 'dialect' | 'unsent' | 'none';

/** Which reads return a field: the detail, the allModified list, both, or none. */
export type Reads = 'both' | 'detail' | 'list' | 'none';

/**
 * A column that names another record by a key of its own, such as `Event.ExternalID`: never sent itself, but resolved
 * to the id that `sets` takes. The record may be one that the same workbook creates.
 */
export interface Refers {
  /** The resources it may be of, in the order in which they are asked. */
  readonly resources: readonly string[];
  readonly sets: string;
}

/** What a resource says of a field; what it leaves out is neither sent nor special. */
export interface FieldOptions {
  readonly create?: InputStatus;
  readonly update?: InputStatus;
  readonly reads?: Reads;
  /** The list's own spelling, where it differs. */
  readonly listName?: string;
  readonly lookup?: Lookup;
  readonly refers?: Refers;
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
  readonly reads: Reads;
  readonly listName?: string;
  readonly lookup?: Lookup;
  readonly refers?: Refers;
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
