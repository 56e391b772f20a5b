import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Language } from '../../core/language.ts';

const SUPPORTED = ['nl', 'en'] as const satisfies readonly Language[];

/** The language of the page that a browser would rather have; undefined where it names neither. */
export function askedLanguage(context: Context): Language | undefined {
  const found = accepts(context, {
    header: 'Accept-Language',
    supports: [...SUPPORTED],
    default: '',
    match: (asked, { supports }) =>
      asked
        .filter(({ q }) => q > 0)
        .sort((one, other) => other.q - one.q)
        .map(({ type }) => type.toLowerCase().split('-')[0] ?? '')
        .find((name) => supports.includes(name)) ?? '',
  });
  return SUPPORTED.find((one) => one === found);
}
