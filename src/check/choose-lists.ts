import { usageStop } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import type { UsedLookup } from '../run/lookup-lists.ts';
import { type FoundList, MOSTLY, numberedLookups, readLists, recall, shareOf } from './find-lists.ts';

/** A list of the service that a lookup may be, by what is in it. */
interface ListCandidate extends FoundList {
  /** Its names mostly look like those of the lookup. */
  readonly likely: boolean;
}

/** A lookup whose names are in a dropdown list, with the lists that it may be. */
export interface ListChoice {
  /** Its name in the settings, such as `producteenheid`. */
  readonly name: string;
  /** What it is for: the words of the first field that takes its names. */
  readonly words: Bilingual;
  /** The columns that take its names. */
  readonly columns: readonly string[];
  /** The number in use; null where none is known, and only numbers can be filled in. */
  readonly number: number | null;
  /** The interface itself gives the number: it can't be chosen. */
  readonly fixed: boolean;
  /** The lists that it may be, the likeliest first. */
  readonly candidates: readonly ListCandidate[];
}

/**
 * The dropdown lists that lookups may be. With `read` they are read, once a day each, with a request for each
 * number up to 150; else they are those that were read before, and none where they never were.
 * @throws as `Service.send` when the service is away.
 */
export async function listChoices(context: Context, { read }: { read: boolean }): Promise<ListChoice[]> {
  const numbered = numberedLookups(context);
  const lookups = numbered.map(({ lookup }) => lookup);
  const { found, failure } = read ? await readLists(context, lookups) : ((await recall(context)) ?? NONE);
  if (failure !== undefined) throw failure;
  // The interface says what these are.
  const fixed = new Set(lookups.flatMap(({ dropdown }) => dropdown ?? []));
  return numbered.map((used): ListChoice => {
    const { name, dropdown } = used.lookup;
    const number = dropdown ?? context.dialect.dropdowns[name] ?? null;
    const candidates = found
      .filter((one) => one.number === number || !fixed.has(one.number))
      .map((one) => ({ one, share: shareOf(used.lookup, one.entries) }))
      .sort((one, other) => other.share - one.share || one.one.number - other.one.number)
      .map(({ one, share }): ListCandidate => ({ ...one, likely: share >= MOSTLY }));
    return {
      ...{ name, words: wordsOf(context, used), columns: used.columns, number },
      fixed: dropdown !== undefined,
      candidates: dropdown === undefined ? candidates : candidates.filter((one) => one.number === number),
    };
  });
}

const NONE = { found: [], failure: undefined } as const;

function wordsOf({ resources }: Context, { lookup, columns }: UsedLookup): Bilingual {
  const fields = resources.flatMap((resource) => columns.flatMap((name) => resource.fields[name] ?? []));
  const own = fields.find(
    (field) => field.lookup?.name === lookup.name || field.updateLookup?.name === lookup.name,
  );
  return own?.help ?? t(lookup.name, lookup.name);
}

/** Throws StopError with EXIT.usage for numbers of what is no dropdown list, or has its number already. */
export function checkNumbers(context: Context, numbers: Readonly<Record<string, number>>): void {
  const open = numberedLookups(context).flatMap(({ lookup }) =>
    lookup.dropdown === undefined ? lookup.name : [],
  );
  for (const [name, number] of Object.entries(numbers)) {
    if (!open.includes(name))
      throw usageStop(
        t(`${name} is no dropdown list to choose.`, `${name} is geen keuzelijst om te kiezen.`),
        t(`Choose one of ${open.join(', ')}.`, `Kies een van ${open.join(', ')}.`),
      );
    if (!Number.isSafeInteger(number) || number < 0)
      throw usageStop(
        t(`${name} can’t be list ${number}.`, `${name} kan geen lijst ${number} zijn.`),
        t('The number of a list is a whole number.', 'Het nummer van een lijst is een geheel getal.'),
      );
  }
}
