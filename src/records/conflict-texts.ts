import { type Issue, issueAt, shorten } from '../core/issue.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FieldChange } from '../core/plan.ts';
import { valueText } from '../core/row-text.ts';
import type { Locale, Value } from '../core/value.ts';
import type { ComparedField } from './three-way.ts';

/** From when on it counts who changed what, as messages say it. */
export interface Since {
  readonly code: 'changed-by-both' | 'changed-since-plan';
  readonly words: Bilingual;
  /** How numbers are written in messages: as in the file. */
  readonly locale?: Locale | undefined;
}

/** Since the workbook was written that says what its records were. */
export const SINCE_WRITTEN: Since = {
  code: 'changed-by-both',
  words: t('since the file was written', 'sinds het bestand geschreven is'),
};

/** Since a run planned the row, and left it as a conflict. */
export const sincePlan = (run: string): Since => ({
  code: 'changed-since-plan',
  words: t(`since run ${run} planned it`, `sinds run ${run} de rij plande`),
});

/** The user and someone else changed the same fields; which those are is said on their cells. */
export const bothText = ({ words }: Since): Bilingual =>
  t(`changed here and on the service ${words.en}`, `zowel hier als op de dienst gewijzigd ${words.nl}`);

/** A field that both changed: what it was, what the sheet says and what the service holds. */
export function apartIssue(
  { field, base, mine, theirs = null }: ComparedField,
  { code, locale }: Since,
  address: string | null,
): Issue {
  const say = (was: string, is: string, language: Language): string =>
    `${was} ${shown(base, language, locale)}, ${is} ${shown(theirs, language, locale)}`;
  const hint = { en: say('was', 'is now', 'en'), nl: say('was', 'is nu', 'nl') };
  const found =
    mine === null ? '#CLEAR' : typeof mine === 'number' ? valueText(mine, 'en', locale) : String(mine);
  return issueAt({ code, found, hint }, { field, address });
}

/** Fields that someone else changed, and that are left as they are. */
export function leftText(fields: readonly ComparedField[], { words, locale }: Since): Bilingual {
  const moves = fields.map(({ field, base, theirs = null }) => ({ field, from: base, to: theirs }));
  return t(
    `left as someone else changed it ${words.en}: ${list(moves, 'en', locale)}`,
    `gelaten zoals een ander het wijzigde ${words.nl}: ${list(moves, 'nl', locale)}`,
  );
}

/** Fields that a copy of the same file sent other values for, which go over them now. */
export function copiedText(fields: readonly ComparedField[], { locale }: Since): Bilingual {
  const runs = [...new Set(fields.map(({ copy }) => copy))].join(', ');
  const moves = fields.map(({ field, mine, theirs = null }) => ({ field, from: theirs, to: mine }));
  return t(
    `a copy of this file sent other values before, in run ${runs}: ${list(moves, 'en', locale)}`,
    `een kopie van dit bestand heeft eerder andere waarden verstuurd, in run ${runs}: ${list(moves, 'nl', locale)}`,
  );
}

/** A record that was to be deleted and that someone else changed. */
export function movedText(moved: readonly FieldChange[], { words, locale }: Since): Bilingual {
  return t(
    `not deleted: someone else changed it ${words.en} (${list(moved, 'en', locale)}); --on-conflict mine deletes it all the same`,
    `niet verwijderd: een ander wijzigde het ${words.nl} (${list(moved, 'nl', locale)}); --on-conflict mine verwijdert het toch`,
  );
}

/** The same, where the user said that theirs goes before. */
export function keptText(moved: readonly FieldChange[], { words, locale }: Since): Bilingual {
  return t(
    `kept, as someone else changed it ${words.en} (${list(moved, 'en', locale)})`,
    `behouden, omdat een ander het wijzigde ${words.nl} (${list(moved, 'nl', locale)})`,
  );
}

/** A record that is gone, of a changed row; `at`: when it was there (ISO, UTC); `id`: the key to empty. */
export function deletedText(at: string, id: string | null): Bilingual {
  const day = at.slice(0, 10);
  const anew = {
    en: id === null ? '' : `, or empty ${id} and put create in #action to make it anew`,
    nl: id === null ? '' : `, of maak ${id} leeg en zet create in #action om het opnieuw te maken`,
  };
  return t(
    `it was there when the file was written (${day}) and someone removed it since; delete the row${anew.en}`,
    `het was er toen het bestand geschreven werd (${day}) en iemand heeft het sindsdien weggehaald; verwijder de rij${anew.nl}`,
  );
}

/** The same, in a row that nobody touched. */
export function goneText(at: string): Bilingual {
  const day = at.slice(0, 10);
  return t(
    `someone removed it since the file was written (${day}), and nothing was changed in this row`,
    `iemand heeft het weggehaald sinds het bestand geschreven is (${day}), en in deze rij is niets gewijzigd`,
  );
}

function list(moved: readonly FieldChange[], language: Language, locale?: Locale): string {
  return moved
    .map(
      ({ field, from, to }) => `${field}: ${shown(from, language, locale)} → ${shown(to, language, locale)}`,
    )
    .join('; ');
}

const shown = (value: Value, language: Language, locale?: Locale): string =>
  shorten(valueText(value, language, locale));
