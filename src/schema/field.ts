import { z } from 'zod';
import type { Codec } from '../core/codec.ts';
import { booleanCodec } from '../core/codecs/boolean.ts';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { decimalCodec } from '../core/codecs/decimal.ts';
import { integerCodec } from '../core/codecs/integer.ts';
import { identifierCodec, textCodec } from '../core/codecs/text.ts';
import { endTimeCodec, timeOfDayCodec } from '../core/codecs/time-of-day.ts';
import { type Bilingual, type Language, same, t } from '../core/language.ts';
import { writtenText } from '../core/row-text.ts';
import { DAY_FORMAT, MINUTE_FORMAT, shownMoment } from '../core/shown-moment.ts';
import type { Value, Values } from '../core/value.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Whether a request takes a field. `dialect`: the interface does not name it there, but a service may take it
 * (ExternalID); sent only where the dialect says so. `unsent`: the interface takes it, this program never
 * sends it (LMT, which the service sets).
 */
type InputStatus = 'required' | 'optional' | 'dialect' | 'unsent' | 'none';

/** The reads that return a field: the detail, the lists, both, or none. */
type FieldReads = 'both' | 'detail' | 'list' | 'none';

/** A record that an id names, asked for by itself: its name is shown beside the id. */
export interface NamedRecord {
  /** What they are called, such as customers. */
  readonly called: Bilingual;
  /** Such as `locatie`; the key of its settings in the dialect. */
  readonly name: string;
  readonly each: Endpoint<undefined, unknown>;
  /** The member that holds its id: with another id it is not the record that was asked for. */
  readonly id: string;
  /** The members that make its name, where the interface says so. */
  readonly label?: readonly string[];
  /** The interface names the endpoint for the id itself: one without a record is wrong. */
  readonly isSure?: boolean;
}

/** One column of a sheet and one member of a record: its type, the requests that take it, its explanation. */
export interface Field<V extends Value = Value> {
  /** How a cell becomes a value and a value a cell, and its type in JSON. */
  readonly codec: Codec<V>;
  /** Whether a create takes it. */
  readonly create: InputStatus;
  /** Whether an update takes it. */
  readonly update: InputStatus;
  /** The reads that return it. */
  readonly reads: FieldReads;
  /** Lists tell it only where they are asked for the ingredient declaration (interface 4.3). */
  readonly declared?: true;
  /** Its name in lists, where that differs. */
  readonly listName?: string;
  /** The list that its ids are of. */
  readonly lookup?: Lookup;
  /** Where an update takes ids of another list than a create. */
  readonly updateLookup?: Lookup;
  /**
   * A column that names another record by its own key, such as `Event.ExternalID`: never sent, but resolved to
   * the id that `sets` takes. The same workbook may create the record.
   */
  readonly refers?: {
    /** The resources to look in, in order. */
    readonly resources: readonly string[];
    /** Their sheets, for people. */
    readonly sheets: Bilingual;
    /** The field that takes the id. */
    readonly sets: string;
    /** It names one by an article number, which only records that are there have. */
    readonly byArticle?: true;
  };
  /** The record that its id names. */
  readonly record?: NamedRecord;
  /** The same of an id that is not looked up, but where a row says the name of its record. */
  readonly said?: NamedRecord;
  /** Its other header. A field that has one is the program's own: read, and never sent. */
  readonly alias?: string;
  /** An amount of money, shown with two decimals. */
  readonly money?: true;
  /** Characters that such a text usually has at most; a longer one is sent with a warning. */
  readonly sensible?: number;
  /** What it is, in a sentence. */
  readonly help: Bilingual;
  /** A value as someone would write it. */
  readonly example?: string | number | boolean;
}

/** The fields of a resource by the interface’s own names, in the order of their columns. */
export type Fields = Readonly<Record<string, Field>>;

type Defaults = 'create' | 'update' | 'reads';
type FieldOptions = Omit<Field, 'codec' | Defaults> & Partial<Pick<Field, Defaults>>;

const field =
  <V extends Value>(codec: Codec<V>) =>
  (options: FieldOptions): Field<V> => ({ create: 'none', update: 'none', reads: 'both', ...options, codec });

/** int in the interface's notation. */
export const integer = field(integerCodec);
/** float in the interface's notation. */
export const decimal = field(decimalCodec);
/** float in the interface's notation, for an amount of money. */
export const money = (options: FieldOptions): Field<number> => decimal({ money: true, ...options });
/** string in the interface's notation. */
export const text = field(textCodec);
/** string in the interface's notation, for an id or a code. */
export const identifier = field(identifierCodec);
/** bool in the interface's notation. */
export const boolean = field(booleanCodec);
/** datetime in the interface's notation. */
export const datetime = field(datetimeCodec);
/** datetime in the interface's notation, for a begin that people write as a time alone. */
export const timeOfDay = field(timeOfDayCodec);
/** The same for an end, which may be 24:00. */
export const endTime = field(endTimeCodec);

/** Whether a column is only exported and shown, never sent. */
export function readOnly(field: Field): boolean {
  if (field.refers !== undefined || field.alias !== undefined) return false;
  return [field.create, field.update].every((status) => status === 'none' || status === 'unsent');
}

/** Whether people write a day alone in the field, as its example does. */
export function holdsDay({ codec, example }: Field): boolean {
  return codec === datetimeCodec && typeof example === 'string' && !example.includes(':');
}

/** Where the ids of a column come from, and the names for them (interface 2, under Values). */
export interface Lookup {
  /** Such as `producttype`; the key of its settings in the dialect. */
  readonly name: string;
  /** The list of all ids, when the interface names one. */
  readonly endpoint?: Endpoint;
  /** The `{id}` of a dropdown list, when the interface gives it; else settings can. */
  readonly dropdown?: number;
}

/** One entry of a lookup: an id and its name. */
export interface LookupEntry {
  readonly id: number;
  readonly label: string;
}

/** The strict schema of a create or update: required fields, optional ones (null clears), nothing else. */
export function bodySchema(fields: Fields, kind: 'create' | 'update'): z.ZodType<Values> {
  const shape = Object.entries(fields)
    .filter(([, field]) => field[kind] !== 'none')
    .map(([name, field]) => [name, member(field.codec.wire, field[kind])]);
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<Values>;
}

/** The same where at least one of some fields holds a value. */
export function withOneOf(schema: z.ZodType<Values>, oneOf: readonly string[]): z.ZodType<Values> {
  const holds = (body: Values): boolean => oneOf.some((name) => body[name] != null);
  return schema.refine(holds, { error: oneOf.join(' or '), params: { oneOf } });
}

function member(wire: z.ZodType, status: InputStatus): z.ZodType {
  return status === 'required' ? wire : wire.nullable().optional();
}

/** Whether a field holds a number, and no id that a name may stand for. */
export const holdsNumber = ({ codec: { type }, lookup, updateLookup }: Field): boolean =>
  (type === 'decimal' || type === 'integer') && lookup === undefined && updateLookup === undefined;

/** The cell type of a field; its example tells whether a time stands behind the day. */
export function cellTypeOf(field: Field): CellType {
  const { codec, lookup } = field;
  if (lookup !== undefined) return 'choice';
  if (codec.type !== 'datetime') return codec.type;
  if (codec === timeOfDayCodec || codec === endTimeCodec) return 'time';
  return holdsDay(field) ? 'day' : 'moment';
}

/** The number format of each cell type; programs show dates and decimals by their own locale. */
export const FORMATS = {
  integer: same('0'),
  decimal: same('#,##0.00########'),
  text: same('@'),
  boolean: same('General'),
  day: DAY_FORMAT,
  moment: MINUTE_FORMAT,
  time: same('hh:mm'),
  choice: same('General'),
};

/** How people write the cells of a field; a `choice` is a name or its number. */
type CellType = keyof typeof FORMATS;

/** The name of each cell type, for people. */
export const TYPE_WORDS: Readonly<Record<CellType, Bilingual>> = {
  integer: t('whole number', 'geheel getal'),
  decimal: t('number', 'getal'),
  text: t('text', 'tekst'),
  boolean: t('Yes or No', 'Ja of Nee'),
  day: t('date', 'datum'),
  moment: t('date and time', 'datum en tijd'),
  time: t('time', 'tijd'),
  choice: t('name or number', 'naam of nummer'),
};

/** A field's example as people would type it; empty when it has none. */
export function exampleText(field: Field, language: Language): string {
  const { example } = field;
  if (example === undefined) return '';
  if (typeof example !== 'string') return writtenText(example, language);
  const [, , time = ''] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?$/.exec(example) ?? [];
  if (field.codec.type !== 'datetime') return example;
  return cellTypeOf(field) === 'time' && time !== '' ? time : shownMoment(example)[language];
}
