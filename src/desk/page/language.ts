import { signal } from '@preact/signals';
import { fillIn } from '../../core/fill-in.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import { call } from './call.ts';

/** The one that the browser would rather have; undefined where it names neither. */
export const browserLanguage = navigator.languages
  .map((name) => name.slice(0, 2).toLowerCase())
  .find((name) => name === 'nl' || name === 'en');

/** The language of the page; until the server tells which one it is, that of the browser. */
export const language = signal<Language>(browserLanguage ?? 'en');

/** A text in the language of the page. */
export const say = (en: string, nl: string): string => (language.value === 'nl' ? nl : en);

/** The same of one that stands elsewhere, with each `{name}` filled in. */
export const said = (text: Bilingual, values: Readonly<Record<string, string | number>> = {}): string =>
  fillIn(text[language.value], values);

/** A number with its noun, of which there is one text for one and one for others: `{n}` is the number. */
export function sayCount(count: number, one: Bilingual, other: Bilingual): string {
  return said(count === 1 ? one : other, { n: figure(count) });
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

/** A number as people write it, with so many decimals at most. */
export const decimal = (count: number, decimals: number): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: decimals }).format(count);

/** A whole number as people write it: 12.345 in Dutch. */
export const figure = (count: number): string => decimal(count, 0);

/** An amount that is a decimal in text, in full: it never becomes a float. */
export const amountText = (amount: string, decimals = 2): string =>
  new Intl.NumberFormat(language.value, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, 2),
  }).format(amount as `${number}`);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** The size of a file: `1.2 MB`. */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language.value, {
    ...{ style: 'unit', unit: UNITS[step] ?? 'byte', unitDisplay: 'short' },
    maximumFractionDigits: step < 2 ? 0 : 1,
  } as const).format(bytes / 1000 ** step);
}

/** A moment of this machine's clock, to the minute. */
export const whenText = (moment: string): string => shownMinute(moment)[language.value];

/** The time of day, to the second. */
export const clockText = (moment: string): string =>
  new Date(moment).toLocaleTimeString(language.value === 'nl' ? 'nl' : 'en-GB');
