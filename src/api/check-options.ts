import { z } from 'zod';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { shapeWords } from '../core/shape-words.ts';
import { EXPORT_FORMATS } from '../export/export-target.ts';
import { dialectSchema } from '../schema/dialect.ts';

const text = z.string().nullish();
const number = z.number().nullish();
const truth = z.boolean().nullish();
const language = z.enum(['nl', 'en']).nullish();

/** What every function takes; whether a number or a name can be used, is told where it is. */
const programOptions = {
  ...{ baseUrl: text, token: text, tokenFile: text, profile: text, ledger: text, log: text },
  ...{ concurrency: number, rate: number, timeout: number, retries: number },
  ...{ allowHttp: truth, verbose: truth, locale: language, lang: language },
  dialect: dialectSchema.partial().nullish(),
  signal: z.instanceof(AbortSignal).nullish(),
};

const shapes = {
  program: z.object(programOptions),
  export: z.object({
    ...programOptions,
    ...{ since: text, from: text, to: text, file: text, out: text, delimiter: text },
    ...{ format: z.enum(EXPORT_FORMATS).nullish() },
    ...{ definitive: truth, declaration: truth, all: truth, overwrite: truth, raw: truth },
  }),
};

/**
 * Refuses options of another kind than they are to be, which a program without types may give: a `Date` for a day is read in some time
 * zone. Null stands for what is not given, as in JSON; what is not known here is left alone. Throws StopError with EXIT.usage.
 */
export function checkOptions(of: keyof typeof shapes, options: unknown): void {
  const { error } = shapes[of].safeParse(options, { reportInput: true });
  if (error === undefined) return;
  const { en, nl } = shapeWords(error);
  throw new StopError(
    EXIT.usage,
    t(`The options are not as they should be: ${en}.`, `De opties zijn niet zoals het hoort: ${nl}.`),
    {
      next: t(
        'Correct what is named; the types of this package say what each is.',
        'Verbeter wat genoemd is; de types van dit pakket zeggen wat elke optie is.',
      ),
    },
  );
}
