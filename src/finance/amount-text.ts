import { BigNumber } from 'bignumber.js';
import type { Language } from '../core/language.ts';

/** An amount to the cent in the notation of the language, with `≈` in front where it was rounded. */
export function amountText(amount: BigNumber.Value, language: Language): string {
  const exact = new BigNumber(amount);
  const cents = exact.decimalPlaces(2);
  const marks = language === 'nl' ? { groupSeparator: '.', decimalSeparator: ',' } : {};
  return `${cents.eq(exact) ? '' : '≈ '}${cents.toFormat(2, marks)}`;
}
