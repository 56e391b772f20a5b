import { z } from 'zod';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { FunctionName } from './option.ts';
import { OPTION_LIST, type OptionsOf } from './options.ts';

/** The types of options by their names. */
type Shape = Readonly<Record<string, z.ZodType>>;

const shapes = new Map<FunctionName, Shape>();

function shapeOf(name: FunctionName): Shape {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const taken = OPTION_LIST.filter(({ functions }) => functions.includes(name));
  const shape = Object.fromEntries(taken.map((option) => [option.name, option.type]));
  shapes.set(name, shape);
  return shape;
}

/**
 * The checked options of a function of the library; null counts as not given, as in JSON. Throws StopError
 * with EXIT.usage for an option that it does not take, or of another type, as JavaScript may give: a `Date`
 * for a day would be read in some time zone.
 */
export function checkOptions<F extends FunctionName>(name: F, options: unknown): OptionsOf<F> {
  return checkShape(name, shapeOf(name), options) as OptionsOf<F>;
}

/** As `checkOptions`, for a function whose options are not those of the table. */
export function checkShape<S extends Shape>(name: string, shape: S, options: unknown): CheckedShape<S> {
  const every = z.looseObject(
    Object.fromEntries(Object.entries(shape).map(([option, type]) => [option, type.nullish()])),
  );
  const { error, data } = every.safeParse(options, { reportInput: true });
  if (error !== undefined) throw wrongType(error);
  const unknown = Object.keys(data).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined) throw notTaken(name, unknown, Object.keys(shape));
  const given = Object.entries(options as object).filter(([, value]) => value != null);
  return Object.fromEntries(given) as CheckedShape<S>;
}

/** What a function takes in front of its options. */
const ARGUMENTS = {
  file: {
    isRight: (given: unknown): boolean => typeof given === 'string' && given !== '',
    expected: t('the path of a file, as text', 'het pad van een bestand, als tekst'),
  },
  run: {
    isRight: (given: unknown): boolean => typeof given === 'string' && given !== '',
    expected: t('the name of a run, as text', 'de naam van een run, als tekst'),
  },
  plan: {
    isRight: (given: unknown): boolean =>
      typeof given === 'string' || typeof (given as { run?: unknown } | null)?.run === 'string',
    expected: t('a plan, or the name of its run', 'een plan, of de naam van zijn run'),
  },
  ids: {
    isRight: (given: unknown): boolean => Array.isArray(given) && given.every(Number.isSafeInteger),
    expected: t('a list of whole numbers', 'een lijst van gehele getallen'),
  },
  kinds: {
    isRight: (given: unknown): boolean => Array.isArray(given),
    expected: t("a list of kinds, such as ['packages']", "een lijst van soorten, zoals ['packages']"),
  },
} as const;

/** Throws StopError with EXIT.usage where what a function takes first is no such thing. */
export function checkArgument(name: string, kind: keyof typeof ARGUMENTS, given: unknown): void {
  const { isRight, expected } = ARGUMENTS[kind];
  if (isRight(given)) return;
  throw usageStop(t(`${name} takes ${expected.en}.`, `${name} neemt ${expected.nl}.`), SAYS_TYPES);
}

type CheckedShape<S extends Shape> = { readonly [K in keyof S]?: z.infer<S[K]> };

function wrongType(error: z.ZodError): StopError {
  const { en, nl } = shapeWords(error);
  const words = t(
    `The options are not as they should be: ${en}.`,
    `De opties zijn niet zoals het hoort: ${nl}.`,
  );
  return usageStop(words, SAYS_TYPES);
}

const SAYS_TYPES = t(
  'Correct what is named; the types of this package say what each is.',
  'Verbeter wat genoemd is; de types van dit pakket zeggen wat alles is.',
);

function notTaken(name: string, option: string, known: readonly string[]): StopError {
  const near = nearest(option, known).join(', ');
  const all = known.join(', ');
  return new StopError(
    EXIT.usage,
    t(`${name} takes no option ${option}.`, `${name} kent geen optie ${option}.`),
    {
      next:
        near === ''
          ? t(`It takes: ${all}.`, `Wel: ${all}.`)
          : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`),
    },
  );
}
