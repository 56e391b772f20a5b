import { signal } from '@preact/signals';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { call } from './call.ts';

/** The one that the browser would rather have; undefined where it names neither. */
export const browserLanguage = navigator.languages
  .map((name) => name.slice(0, 2).toLowerCase())
  .find((name) => name === 'nl' || name === 'en');

/** A sentence with each `{name}` replaced by its value, whatever stands in the values. */
const fillIn = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** The language of the page; until the server tells which one it is, that of the browser. */
export const language = signal<Language>(browserLanguage ?? 'en');

/** A text in the language of the page. With a number it says both one and more, as in `1 row|{n} rows`. */
export const say = (en: string, nl: string, n?: number): string =>
  said(t(en, nl), n === undefined ? {} : { n });

/** The same of one that stands elsewhere, with each `{name}` filled in; `n` is a number as `say` takes it. */
export function said(
  text: Bilingual,
  { n, ...values }: Readonly<Record<string, string | number>> & { readonly n?: number } = {},
): string {
  const whole = text[language.value];
  if (n === undefined) return fillIn(whole, values);
  const [one = '', more = one] = whole.split('|');
  return fillIn(n === 1 ? one : more, { ...values, n: figure(n) });
}

/** Has the server keep another language, and shows the page in it. */
export async function changeLanguage(chosen: Language): Promise<void> {
  try {
    // First: what is asked for as soon as the page is shown in it holds words of the server's too.
    await call('chooseLanguage', { language: chosen });
  } finally {
    showLanguage(chosen);
  }
}

/** Shows the page in a language. */
export function showLanguage(chosen: Language): void {
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** A text as it begins a sentence or is a label of its own. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A number as people write it; a decimal in text in full: it never becomes a float. */
const written = (number: number | string, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(language.value, options).format(number as number);

/** A number as people write it, with so many decimals at most: 12.345 in Dutch. */
export const figure = (count: number, decimals = 0): string =>
  written(count, { maximumFractionDigits: decimals });

/** An amount that is a decimal in text. */
export const amountText = (amount: string): string =>
  written(amount, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A moment of this machine's clock, to the minute. */
export const whenText = (moment: string): string => shownMinute(moment)[language.value];
