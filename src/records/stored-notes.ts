import { shorten } from '../core/issue.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { valueText } from '../core/row-text.ts';
import type { Value } from '../core/value.ts';
import type { StoredPair } from './value-habits.ts';

/** What is told once of what became of a field's value; `cut`: that is new of the habit. */
export function storedNote(
  sheet: string,
  field: string,
  { sent, held }: StoredPair,
  { keepsNone, cut }: { readonly keepsNone: boolean; readonly cut: number | null },
): Bilingual {
  const name = `${sheet}: ${field}`;
  if (keepsNone)
    return t(
      `${name} is not kept: the service does not store it.`,
      `${name} wordt niet bewaard: het systeem slaat het niet op.`,
    );
  if (cut !== null)
    return t(
      `${name} was cut at ${cut} characters: the service keeps no more.`,
      `${name} is afgekapt na ${cut} tekens: meer bewaart het systeem niet.`,
    );
  const say = (value: Value, language: Language): string => shorten(valueText(value, language));
  return t(
    `${name} ${say(sent, 'en')} was stored as ${say(held, 'en')}; on this service that counts as the same.`,
    `${name} ${say(sent, 'nl')} is opgeslagen als ${say(held, 'nl')}; in dit systeem telt dat als hetzelfde.`,
  );
}
