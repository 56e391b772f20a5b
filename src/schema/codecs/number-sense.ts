/**
 * What a number's format says of it to whoever sees the cell: hundredths with a percent sign, a percent sign that is only
 * written behind it, money of another country, a number of hours (`[h]:mm`), thousands left out of sight.
 */
export type NumberSense =
  | { readonly kind: 'plain' | 'percent' | 'percent-sign' | 'other-money' | 'elapsed' }
  | { readonly kind: 'scaled'; readonly by: number };

const PLAIN: NumberSense = { kind: 'plain' };
const ELAPSED = /\[(?:h+|m+|s+)\]/i;
/** A currency as Excel writes it, `[$€-413]`; without a sign it is only a language. */
const CURRENCY = /\[\$([^\-\]]+)[^\]]*\]/g;
const EUROS = /^\s*(?:€|eur|euros?)\s*$/i;
const OTHER_SIGN = /[^\P{Sc}€]|\b(?:usd|gbp|chf)\b/iu;
/** The built-in formats of money: every program shows its own country's sign there. */
const BUILT_IN_MONEY = /^_?\(?\$(?:\* )?#,##0/;
/** Commas behind the last digit, or before the decimal mark, each take three digits out of sight. */
const SCALE = /[#0?](,+)(?=\.|[^#0?,.]*$)/;
const known = new Map<string, NumberSense>();

/** What a format says; a sheet has few formats, each is looked at once. */
export function numberSense(format: string): NumberSense {
  let sense = known.get(format);
  if (sense === undefined) {
    sense = readSense(format);
    known.set(format, sense);
  }
  return sense;
}

function readSense(format: string): NumberSense {
  const bare = format.replace(/"[^"]*"?|[\\_*]./g, '');
  if (ELAPSED.test(bare)) return { kind: 'elapsed' };
  if (isOtherMoney(format)) return { kind: 'other-money' };
  if (bare.includes('%')) return { kind: 'percent' };
  if (format.replace(/[_*]./g, '').includes('%')) return { kind: 'percent-sign' };
  const commas = SCALE.exec(bare.split(';')[0] ?? '')?.[1]?.length ?? 0;
  return commas === 0 ? PLAIN : { kind: 'scaled', by: 1000 ** commas };
}

function isOtherMoney(format: string): boolean {
  const signs = [...format.matchAll(CURRENCY)].map(([, sign = '']) => sign);
  if (signs.some((sign) => !EUROS.test(sign))) return true;
  return OTHER_SIGN.test(format.replace(/\[[^\]]*\]/g, '')) && !BUILT_IN_MONEY.test(format);
}

/** Days as the hours that an elapsed time shows: 1.875 is `45:00`. */
export function elapsedText(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const two = (part: number): string => String(part).padStart(2, '0');
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${days < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}
