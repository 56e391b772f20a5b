import { z } from 'zod';
import { usageStop } from '../core/errors.ts';
import { type Bilingual, same, t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { CommandName, PositionalsOf } from './commands.ts';
import { FUNCTIONS, type FunctionName, initialOf, type Option } from './option.ts';
import { OPTIONS } from './option-table.ts';

type Table = typeof OPTIONS;
type Key = keyof Table;
type NameOf<K extends Key> = Table[K] extends { readonly name: infer Name extends string } ? Name : K;
type FlagOf<K extends Key> = Table[K] extends { readonly flag: infer Flag extends string } ? Flag : NameOf<K>;
type TakenBy<F extends FunctionName> = {
  [K in Key]: [F] extends [Table[K]['functions'][number]] ? K : never;
}[Key];
type GivenTo<C extends CommandName> = {
  [K in Key]: [C] extends [Table[K]['commands'][number]] ? K : never;
}[Key];
type Typed<O> = O extends { readonly typed: infer T extends z.ZodType }
  ? z.infer<T>
  : O extends { readonly type: infer T extends z.ZodType }
    ? z.infer<T>
    : never;
type Filled = { readonly initial: unknown } | { readonly required: true };

/**
 * The options of a function of the library, or those that several share; `docs/commands.md` explains each.
 */
export type OptionsOf<F extends FunctionName> = {
  readonly [K in TakenBy<F> as NameOf<K>]?: z.infer<Table[K]['type']> | undefined;
};

/** The options of every function of the library: about the service and the program. */
export type ProgramOptions = OptionsOf<FunctionName>;

/** The options that a profile may hold too. */
export type ProfileOptions = {
  readonly [K in Key as Table[K] extends { readonly inProfile: true } ? NameOf<K> : never]?: z.infer<
    Table[K]['type']
  >;
};

/** The flags of a command, or those that several share, in camel case. */
export type FlagsOf<C extends CommandName> = {
  readonly [K in GivenTo<C> as FlagOf<K>]:
    | Typed<Table[K]>
    | (Table[K] extends Filled ? never : Typed<Table[K]> extends boolean ? never : undefined);
};

/** The input of a command: its flags and its positionals. */
export type Given<C extends CommandName> = FlagsOf<C> & PositionalsOf<C>;

/** The table's entries with their names: in the library (`name`) and as a flag (`flag`, in camel case). */
export const OPTION_LIST: readonly (Option & { readonly name: string; readonly flag: string })[] =
  Object.entries<Option>(OPTIONS).map(([key, option]) => {
    const name = option.name ?? key;
    return { ...option, name, flag: option.flag ?? name };
  });

/** The types of the options that a profile may hold too, by their names. */
export const PROFILE_TYPES: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  OPTION_LIST.filter(({ inProfile }) => inProfile === true).map(({ name, type }) => [name, type]),
);

/** The settings of a profile that count wherever it stands. */
export const HARMLESS: ReadonlySet<string> = new Set([
  'headers',
  ...OPTION_LIST.filter(({ harmless }) => harmless === true).map(({ name }) => name),
]);

const EVERYWHERE = new Set(
  OPTION_LIST.filter(({ functions }) => functions.length === FUNCTIONS.length).map(({ name }) => name),
);

/** The options of a function's own, without those about the service and the program. */
export function ownOptions<T extends object>(options: T): Omit<T, keyof ProgramOptions> {
  const own = Object.entries(options).filter(([name]) => !EVERYWHERE.has(name));
  return Object.fromEntries(own) as Omit<T, keyof ProgramOptions>;
}

/** Of these options those about the service and the program that are given. */
export function programOptions(options: ProgramOptions): Said<ProgramOptions> {
  const said = Object.entries(options).filter(([name, value]) => EVERYWHERE.has(name) && value !== undefined);
  return Object.fromEntries(said);
}

type Said<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The flags given to a command that the library function behind it does not take, in camel case. Those of the
 * command line alone, such as `--json`, are not meant.
 */
export function flagsNotTaken(
  command: CommandName,
  name: FunctionName,
  flags: Readonly<Record<string, unknown>>,
): readonly string[] {
  return OPTION_LIST.filter(
    (option) =>
      option.commands.includes(command) &&
      option.functions.length > 0 &&
      !option.functions.includes(name) &&
      isGiven(option, flags[option.flag]),
  ).map(({ flag }) => flag);
}

/** Whether a flag's value is another than the one that the command line fills in. */
const isGiven = (option: Option, value: unknown): boolean =>
  value !== undefined && JSON.stringify(value) !== JSON.stringify(initialOf(option));

/** The help of a flag, with the default in brackets. */
export function flagHelp({ help: { en, nl }, otherwise }: Option): Bilingual {
  if (otherwise === undefined) return t(en, nl);
  const unsaid = typeof otherwise === 'object' ? otherwise : same(String(otherwise));
  return t(`${en} (${unsaid.en})`, `${nl} (${unsaid.nl})`);
}

/** The types of options by their names. */
type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * The checked options of a function of the library, after what it takes in front of them; null counts as not
 * given, as in JSON. Throws StopError with EXIT.usage for an option that it does not take, or of another type, as
 * JavaScript may give: a `Date` for a day would be read in some time zone.
 */
export function checkOptions<F extends FunctionName>(
  name: F,
  options: object,
  taken: Taken = {},
): OptionsOf<F> {
  const own = OPTION_LIST.filter(({ functions }) => functions.includes(name));
  const shape = Object.fromEntries(own.map((option) => [option.name, option.type]));
  return checkShape(name, shape, options, taken) as OptionsOf<F>;
}

/** As `checkOptions`, for a function whose options are not those of the table. */
export function checkShape<S extends Shape>(
  name: string,
  shape: S,
  options: object,
  taken: Taken = {},
): CheckedShape<S> {
  const every = z.looseObject({
    ...Object.fromEntries(Object.entries(shape).map(([option, type]) => [option, type.nullish()])),
    ...Object.fromEntries(Object.keys(taken).map((one) => [one, ARGUMENTS[one as keyof Taken]])),
  });
  // JavaScript may give anything.
  const given = { ...options };
  const { error } = every.safeParse({ ...given, ...taken }, { reportInput: true });
  if (error !== undefined) {
    const { en, nl } = shapeWords(error);
    throw usageStop(
      t(
        `What ${name} was given is not as it should be: ${en}.`,
        `Wat ${name} kreeg is niet zoals het hoort: ${nl}.`,
      ),
      t(
        'Correct what is named; the types of this package say what each is.',
        'Verbeter wat genoemd is; de types van dit pakket zeggen wat alles is.',
      ),
    );
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined) {
    const all = Object.keys(shape).join(', ');
    throw usageStop(
      t(`${name} takes no option ${unknown}.`, `${name} kent geen optie ${unknown}.`),
      t(`It takes: ${all}.`, `Wel: ${all}.`),
    );
  }
  const said = Object.entries(given).filter(([, value]) => value != null);
  return Object.fromEntries(said) as CheckedShape<S>;
}

/** What functions take in front of their options. */
const ARGUMENTS = {
  file: z.string(),
  run: z.string(),
  record: z.string(),
  plan: z.union([z.string(), z.looseObject({ run: z.string() })]),
  ids: z.array(z.int()),
  kinds: z.array(z.unknown()),
} as const;

type Taken = { readonly [Kind in keyof typeof ARGUMENTS]?: unknown };

type CheckedShape<S extends Shape> = { readonly [K in keyof S]?: z.infer<S[K]> };
