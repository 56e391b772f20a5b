import { checkNumbers, listChoices } from '../check/choose-lists.ts';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { orStop } from '../run/stop.ts';
import type { LookupEntry } from '../schema/field.ts';
import type { Session } from '../session/open-session.ts';
import { saveDropdowns } from '../session/save-profile.ts';

/** Entries of a list that are told of. */
const SHOWN = 8;

/** A list of the service that a lookup may be: people know it by what is in it. */
export interface DropdownCandidate {
  /** The number that the service knows it by. */
  readonly number: number;
  /** The first of its entries. */
  readonly entries: readonly LookupEntry[];
  /** How many entries it has. */
  readonly total: number;
  /** Its names mostly look like those that are looked for. */
  readonly likely: boolean;
}

/** A lookup whose names are in a dropdown list of the service, and the lists that it may be. */
export interface DropdownDocument {
  /** Its name in the settings, such as `producteenheid`. */
  readonly name: string;
  /** What it is for, in the session's language. */
  readonly words: string;
  /** The columns that take its names. */
  readonly columns: readonly string[];
  /** The number in use; null where none is known, so that its columns take numbers alone. */
  readonly number: number | null;
  /** The interface itself gives the number: there is nothing to choose. */
  readonly fixed: boolean;
  /** The lists that it may be, the likeliest first; none where the lists were never read. */
  readonly candidates: readonly DropdownCandidate[];
}

/**
 * Tells of each dropdown list that sheets need which number it has, and which lists of the service it may be,
 * by their first entries. With `read` the lists are read from the service, once a day, one request a number
 * up to 150, as `check --lists` does; else they are those that were read before. Throws StopError.
 */
export async function dropdownListsIn(
  { context, settings }: Session,
  { read = false }: { readonly read?: boolean } = {},
): Promise<DropdownDocument[]> {
  const choices = await orStop(context, () => listChoices(context, { read }));
  return choices.map(({ words, candidates, ...choice }) => ({
    ...choice,
    words: words[settings.lang],
    candidates: candidates.map(({ number, entries, likely }) => ({
      ...{ number, entries: entries.slice(0, SHOWN), total: entries.length, likely },
    })),
  }));
}

/**
 * Writes down which numbers the dropdown lists have, by their names, in the profile in use: in its file of
 * settings, under `dialect.dropdowns`, in place of what stands there. Sessions that are opened from then on
 * go by it. Answers the file and the profile. Throws StopError with EXIT.usage for a name or number that can
 * be none, for the embedded sandbox, which knows its own lists, and for a profile of another service.
 */
export async function chooseDropdownsIn(
  { context, settings, embedded }: Session,
  numbers: Readonly<Record<string, number>>,
): Promise<{ readonly file: string; readonly profile: string }> {
  if (embedded)
    throw usageStop(
      t('The sandbox knows its own lists.', 'De sandbox kent zijn eigen lijsten.'),
      t('Choose the lists of a service of your own.', 'Kies de lijsten van een eigen systeem.'),
    );
  checkNumbers(context, numbers);
  return await saveDropdowns(settings, numbers, { chosen: true });
}
