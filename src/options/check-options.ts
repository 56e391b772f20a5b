import { z } from 'zod';
import { type StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { FunctionName } from './option.ts';
import { OPTION_LIST, type OptionsOf } from './options.ts';

/** The types of options by their names. */
type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * The checked options of a function of the library, after what it takes in front of them; null counts as not
 * given, as in JSON. Throws StopError with EXIT.usage for an option that it does not take, or of another type, as
 * JavaScript may give: a `Date` for a day would be read in some time zone.
 */
export function checkOptions<F extends FunctionName>(
  name: F,
  options: unknown,
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
  options: unknown,
  taken: Taken = {},
): CheckedShape<S> {
  for (const [kind, given] of Object.entries(taken)) {
    const { type, expected } = ARGUMENTS[kind as keyof Taken];
    if (!type.safeParse(given).success)
      throw usageStop(t(`${name} takes ${expected.en}.`, `${name} neemt ${expected.nl}.`), SAYS_TYPES);
  }
  const every = z.looseObject(
    Object.fromEntries(Object.entries(shape).map(([option, type]) => [option, type.nullish()])),
  );
  const { error, data } = every.safeParse(options, { reportInput: true });
  if (error !== undefined) {
    const { en, nl } = shapeWords(error);
    throw usageStop(
      t(`The options are not as they should be: ${en}.`, `De opties zijn niet zoals het hoort: ${nl}.`),
      SAYS_TYPES,
    );
  }
  const unknown = Object.keys(data).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined) throw notTaken(name, unknown, Object.keys(shape));
  const given = Object.entries(options as object).filter(([, value]) => value != null);
  return Object.fromEntries(given) as CheckedShape<S>;
}

const name = z.string().min(1);

/** What a function takes in front of its options. */
const ARGUMENTS = {
  file: { type: name, expected: t('the path of a file, as text', 'het pad van een bestand, als tekst') },
  run: { type: name, expected: t('the name of a run, as text', 'de naam van een run, als tekst') },
  plan: {
    type: z.union([z.string(), z.looseObject({ run: z.string() })]),
    expected: t('a plan, or the name of its run', 'een plan, of de naam van zijn run'),
  },
  ids: { type: z.array(z.int()), expected: t('a list of whole numbers', 'een lijst van gehele getallen') },
  kinds: {
    type: z.array(z.unknown()),
    expected: t("a list of kinds, such as ['packages']", "een lijst van soorten, zoals ['packages']"),
  },
} as const;

type Taken = { readonly [Kind in keyof typeof ARGUMENTS]?: unknown };

type CheckedShape<S extends Shape> = { readonly [K in keyof S]?: z.infer<S[K]> };

const SAYS_TYPES = t(
  'Correct what is named; the types of this package say what each is.',
  'Verbeter wat genoemd is; de types van dit pakket zeggen wat alles is.',
);

function notTaken(name: string, option: string, known: readonly string[]): StopError {
  const near = nearest(option, known).join(', ');
  const all = known.join(', ');
  return usageStop(
    t(`${name} takes no option ${option}.`, `${name} kent geen optie ${option}.`),
    near === ''
      ? t(`It takes: ${all}.`, `Wel: ${all}.`)
      : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`),
  );
}
